#!/bin/sh
# Ratios to a baseline, and a control that must be equal.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
run 0 bench "$kernels/pair.c" --baseline one --json "$scratch/a.json"
says out "twice n=200 is slower"
valid_schema "$scratch/a.json"
python3 - "$scratch/a.json" <<'PY' || fail "the ratio is none"
import json, sys
series = json.load(open(sys.argv[1]))["probes"]["bench"]["series"]
point = series["ratio to the baseline: twice"]["points"][0]
assert point["low"] < point["best"] < point["high"] and 1.3 < point["best"] < 3, point
PY
# A control that differs spoils the comparison: status 4.
run 4 bench "$kernels/pair.c" --baseline one --control twice
says out "NOT equal"
run 2 bench "$kernels/pair.c" --baseline nobody
refused "no kernel 'nobody'"
run 2 bench "$kernels/pair.c" --control nobody
refused "no kernel 'nobody'"
