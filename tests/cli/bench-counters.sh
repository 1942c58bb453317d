#!/bin/sh
# Counters beside a kernel: exactly what a planted core counted, per element and per call,
# also when its events do not fit at once; one line where there are none.
#   bench-counters.sh COUNTING SONDE
counting=$1
shift
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
run 2 bench "$kernels/counted.c" --counters cycels
refused "no counter is named 'cycels'"
run 2 bench "$kernels/counted.c" --counters cycles,cycles
refused "named twice"

# Whatever this machine has: figures, or one line that says why not.
run 0 bench "$kernels/counted.c" $fast --counters instructions --json "$scratch/a.json"
grep -q "^events counted" "$scratch/out" || says out "^! not counted: instructions: "
valid_schema "$scratch/a.json"
grep -q '"no-counters"\|"instructions"' "$scratch/a.json" || fail "neither counted nor said why not"

# A sanitizer wants to be loaded first.
LD_PRELOAD=$counting $SONDE --version >"$scratch/out" 2>"$scratch/err" ||
    skip "nothing can be loaded ahead here"
planted() { # planted STATUS ARGUMENT...
    LD_PRELOAD=$counting
    export LD_PRELOAD
    run "$@"
    unset LD_PRELOAD
}
COLUMNS=200
export COLUMNS
planted 0 bench "$kernels/counted.c" --counters cycles,instructions,l1-misses,mispredictions \
    --json "$scratch/a.json"
says out "^counted *n=64 *cycles *2 *128"
says out "^counted *n=256 *instructions *3 *768"
says out "^counted *n=64 *l1-misses *5 *320"
says out "^! not counted: mispredictions: the machine offers no hardware counters (ENOENT"
valid_schema "$scratch/a.json"
python3 - "$scratch/a.json" <<'PY' || fail "not what was planted"
import json, sys
passport = json.load(open(sys.argv[1]))
for point in passport["probes"]["bench"]["series"]["counted"]["points"]:
    n, counters = point["at"][0], point["counters"]
    wanted = {"cycles": 2 * n, "instructions": 3 * n, "l1-misses": 5 * n}
    assert counters == wanted, (counters, wanted)
assert sum(w["code"] == "no-counters" for w in passport["warnings"]) == 1
PY
# The probes count the same way: none of their kernels tells of work.
planted 0 run $brief --counters cycles,instructions,l1-misses,tlb-misses \
    --json "$scratch/a.json" ways
python3 - "$scratch/a.json" <<'PY' || fail "the probes do not count"
import json, sys
series = json.load(open(sys.argv[1]))["probes"]["ways"]["series"]
# What was searched for are lines, not accesses.
counted = [point["counters"] for name, one in series.items() if name not in ("groups", "partners")
           for point in one["points"] if point["n"]]
assert counted, "no point"
for counters in counted:
    events = {name: value for name, value in counters.items() if name != "page-faults"}
    assert events and all(value == 0 for value in events.values()), counters
assert len({name for counters in counted for name in counters} - {"page-faults"}) == 4
PY
