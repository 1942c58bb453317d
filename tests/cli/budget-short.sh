#!/bin/sh
# A budget far too short gives a partial, labelled result, never a wrong one.
. "$(dirname "$0")/lib.sh"
run 0 run latency --budget 0.05 --json "$scratch/a.json"
valid_json "$scratch/a.json"
run 3 run latency --budget 0.05 --strict --json "$scratch/b.json"
