#!/bin/sh
# What sonde compare and --repeat refuse, in one line each.
. "$(dirname "$0")/lib.sh"
run 2 compare
refused 'two files'
run 2 compare one.json
refused 'two files'
run 1 compare "$scratch/none.json" "$scratch/none.json"
refused 'none.json'
run 2 compare --fail-above much a b
refused 'percentage'
run 1 compare --junit "$scratch/none/j.xml" a b
refused 'cannot be written'
for count in 0 -1 x 1001; do
    run 2 run --repeat=$count ways
    refused 'number of runs'
done
printf '[]' >"$scratch/empty.json"
run 1 compare "$scratch/empty.json" "$scratch/empty.json"
exit 0
