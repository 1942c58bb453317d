#!/bin/sh
# sonde run --export writes each file at the end; an unknown kind, a file that cannot be
# written and two things for one standard output are refused before anything is measured.
. "$(dirname "$0")/lib.sh"
model=$models/two-level.json
run 0 run --simulate "$model" --export "gcc=$scratch/o" --export env=- ways latency
grep -q -- '--param=l1-cache-size=32' "$scratch/o" || fail "no options for gcc"
says out '^SONDE_L1D_SIZE=32768$'
grep -q 'what this means' "$scratch/out" && fail "the report is on standard output too"
run 2 run --simulate "$model" --export gc=x ways
refused "did you mean 'gcc'"
run 2 run --simulate "$model" --export gcc ways
refused 'KIND=FILE'
run 1 run --simulate "$model" --export "gcc=$scratch/none/o" ways
refused 'cannot be written'
run 2 run --simulate "$model" --export gcc=- --json - ways
refused 'standard output'
# One that has nothing to say keeps no other from being written.
run 1 run --simulate "$model" --quiet --export "mountain=$scratch/m" --export "env=$scratch/e" ways
[ -e "$scratch/m" ] && fail "a mountain from nowhere"
grep -q '^SONDE_L1D_WAYS=8$' "$scratch/e" || fail "the other export is missing"
