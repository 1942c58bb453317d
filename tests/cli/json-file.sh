#!/bin/sh
# The JSON file is whole, and nothing is left beside it.
. "$(dirname "$0")/lib.sh"
run 0 run clock ways $brief --json "$scratch/a.json" --json "$scratch/b.json"
valid_json "$scratch/a.json"
cmp -s "$scratch/a.json" "$scratch/b.json" || fail "two targets differ"
[ "$(ls "$scratch" | grep -vc '^\(out\|err\|a.json\|b.json\)$')" -eq 0 ] || fail "files left over"
