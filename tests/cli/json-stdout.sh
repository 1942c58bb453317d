#!/bin/sh
# With --json - only JSON is on standard output.
. "$(dirname "$0")/lib.sh"
run 0 run clock $brief --json -
valid_json "$scratch/out"
