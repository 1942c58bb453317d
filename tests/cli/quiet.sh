#!/bin/sh
# --quiet prints nothing; without a file it is refused.
. "$(dirname "$0")/lib.sh"
run 0 run clock $brief --quiet --json "$scratch/a.json"
[ -s "$scratch/out" ] && fail "it printed"
run 2 run --quiet
refused "quiet"
