#!/bin/sh
# Where more than 1024 CPUs are possible the kernel refuses short masks: longer ones are
# tried, and nothing is lost.
. "$(dirname "$0")/lib.sh"
run 0 run clock $brief --json "$scratch/truth.json"
lying mask-2048
run 0 run clock $brief --json "$scratch/a.json"
python3 - "$scratch/truth.json" "$scratch/a.json" <<'PY' || fail "CPUs were lost"
import json, sys
truth, told = (json.load(open(name)) for name in sys.argv[1:])
for key in ("allowed", "cpus_allowed", "online", "possible"):
    assert told["machine"][key] == truth["machine"][key], key
assert told["machine"]["cpus_allowed"] >= 1
for vantage in (told["vantage"], truth["vantage"]):
    vantage.pop("cpu")  # the least disturbed one, which may be another each time
assert told["vantage"] == truth["vantage"]
assert not [w for w in told["warnings"] if w["code"] in ("unpinned", "few-cpus")] or \
    [w["code"] for w in told["warnings"]] == [w["code"] for w in truth["warnings"]]
PY
run 0 facts
