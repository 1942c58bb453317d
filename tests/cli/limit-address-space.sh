#!/bin/sh
# With 100 MB of address space the result is smaller, and says so.
. "$(dirname "$0")/lib.sh"
# Sanitizers and emulators reserve more than that for themselves.
(ulimit -v 100000 && $SONDE --version) >/dev/null 2>&1 || skip "this build cannot start within 100 MB"
(ulimit -v 100000 && exec $SONDE run latency $brief --json "$scratch/a.json") >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || fail "exit $status"
valid_json "$scratch/a.json"
python3 - "$scratch/a.json" <<'PY' || fail "a footprint beyond what was granted"
import json, sys
data = json.load(open(sys.argv[1]))
sizes = [p["at"][0] for p in data["probes"]["latency"]["series"]["windowed"]["points"] if p["n"]]
assert sizes and max(sizes) <= 100000 * 1024 / 4, max(sizes)
PY
