#!/bin/sh
# The same model and seed give the same bytes; another seed does not.
. "$(dirname "$0")/lib.sh"
model=$models/noise-5.json
run 0 run --simulate "$model" --seed 3 --json "$scratch/a.json"
cp "$scratch/out" "$scratch/a.out"
run 0 run --simulate "$model" --seed 3 --json "$scratch/b.json"
cmp -s "$scratch/a.json" "$scratch/b.json" || fail "two runs differ"
cmp -s "$scratch/out" "$scratch/a.out" || fail "two reports differ"
run 0 run --simulate "$model" --seed 4 --json "$scratch/c.json"
cmp -s "$scratch/a.json" "$scratch/c.json" && fail "the seed changes nothing"
exit 0
