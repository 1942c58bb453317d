#!/bin/sh
# Of a run of everything the terminal shows what fits two screens, and all of it on demand; of few
# probes all in any case.
. "$(dirname "$0")/lib.sh"
model=$models/two-level.json
COLUMNS=80
export COLUMNS
run 0 run --simulate "$model" $brief --json "$scratch/a.json"
[ "$(wc -l <"$scratch/out")" -le 100 ] || fail "more than two screens"
says out "all: --verbose"
grep -q "spin lock, alone" "$scratch/out" && fail "it shows everything"
cp "$scratch/out" "$scratch/short"
run 0 run --simulate "$model" $brief --verbose
cp "$scratch/out" "$scratch/long"
grep -q -e "--verbose" "$scratch/long" && fail "it names itself"
says out "spin lock, alone"
[ "$(wc -l <"$scratch/long")" -gt 200 ] || fail "it does not show everything"
run 0 run --simulate "$model" $brief -v
cmp -s "$scratch/long" "$scratch/out" || fail "-v is not --verbose"
# Of a stored passport too.
run 0 analyze "$scratch/a.json"
says out "all: --verbose"
run 0 analyze -v "$scratch/a.json"
says out "spin lock, alone"
# Few probes are shown whole.
run 0 run --simulate "$model" $brief locks
says out "spin lock, alone"
cp "$scratch/out" "$scratch/few"
run 0 run --simulate "$model" $brief locks -v
cmp -s "$scratch/few" "$scratch/out" || fail "-v shows something else of one probe"
run 2 run --simulate "$model" --quiet --verbose --json "$scratch/b.json"
refused "exclude each other"
run 0 run --help
says out "-v, --verbose"
