#!/bin/sh
# A kernel that breaks in the middle of measuring: what was measured is kept, the others go
# on to their full number, and it alone is called broken.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
LATE_LOADS=$scratch/loads
export LATE_LOADS
run 1 bench "$kernels/late.c" --json "$scratch/a.json"
says out "^- late: crashes: SIGSEGV"
valid_schema "$scratch/a.json"
python3 - "$scratch/a.json" <<'PY' || fail "something measured is lost"
import json, sys
series = json.load(open(sys.argv[1]))["probes"]["bench"]["series"]
late, steady = (series[name]["points"][0] for name in ("late", "steady"))
assert 0 < late["n"] <= 6 and "broken: crashes" in late["label"], late
assert "broken" not in steady["label"], steady
assert steady["n"] == 31 or "cut" in steady["flags"], steady
assert steady["n"] > late["n"] and len(steady["samples"]) == steady["n"]
PY
