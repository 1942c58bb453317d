#!/bin/sh
# Where one CPU is allowed the probes that need two say so, and the run goes on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/threads.sh"
command -v taskset >/dev/null 2>&1 || skip "there is no taskset"
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
timeout 400 taskset -c "$first" $SONDE run $with_threads chain --budget 6 --seed 7 --json "$scratch/a.json" >"$scratch/out" 2>"$scratch/err" || fail "exit $?"
ended "$scratch/a.json" 6
python3 - "$scratch/a.json" <<'PY' || fail "one CPU is not told"
import json, sys
probes = json.load(open(sys.argv[1]))["probes"]
for name in ("sharing", "atomics", "locks", "c2c", "loaded"):
    assert probes[name]["status"] == "unavailable", (name, probes[name]["status"])
    assert "needs two CPUs; 1 allowed" in probes[name]["reason"], probes[name]["reason"]
assert probes["os"]["findings"]["os.futex.other"]["reason"] == "needs two CPUs; one is allowed"
assert probes["chain"]["status"] == "measured" or probes["chain"]["findings"], probes["chain"]
PY
