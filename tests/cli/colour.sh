#!/bin/sh
# NO_COLOR, --color and a pipe are obeyed; without UTF-8 the report is ASCII.
. "$(dirname "$0")/lib.sh"
model=$models/two-level.json
run 0 run --simulate "$model"
grep -q "$(printf '\033')" "$scratch/out" && fail "colour into a file"
grep -q '[^ -~]' "$scratch/out" && fail "not ASCII in the C locale"
run 0 run --simulate "$model" --color always
grep -q "$(printf '\033')" "$scratch/out" || fail "--color always gives no colour"
run 2 run --simulate "$model" --color perhaps
refused "perhaps"
