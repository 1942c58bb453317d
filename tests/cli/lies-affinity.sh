#!/bin/sh
# A binding that is accepted and not honoured, or a current CPU that is not the real one:
# one line says so, and nothing is concluded from threads that were not where they should be.
. "$(dirname "$0")/lib.sh"
[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
# hwloc and the C library may see more, but these two must be there.
taskset -c 0,1 true 2>/dev/null || skip "CPUs 0 and 1 are not allowed here"

told() { # told PATTERN: one warning says it, and no team was believed
    python3 - "$scratch/a.json" "$1" <<'PY' || fail "$lie: not told as it is"
import json, re, sys
passport = json.load(open(sys.argv[1]))
warnings = [w["message"] for w in passport["warnings"] if w["code"] == "unpinned"]
assert len(warnings) == 1 and re.search(sys.argv[2], warnings[0]), warnings
assert any("apart" in point["flags"] for probe in passport["probes"].values()
           for series in probe["series"].values() for point in series["points"])
for name, finding in passport["probes"]["sharing"]["findings"].items():
    assert finding["value"] is None and finding["reason"], (name, finding)
PY
    says out "^! \(the thread was bound\|binding\) to CPU 1"
}

for lie in affinity-ignored affinity-elsewhere affinity-complete cpu-zero; do
    lying $lie
    run 0 run clock sharing atomics --cpu 1 --budget 2 --seed 7 --json "$scratch/a.json"
    valid_json "$scratch/a.json"
    case $lie in
    affinity-ignored) told "accepted and not honoured: the thread may still run on" ;;
    affinity-elsewhere) told "accepted and not honoured: the thread runs on CPU 0" ;;
    affinity-complete) told "says it runs on CPU 1, the process table CPU 0" ;;
    cpu-zero) told "says it runs on CPU 0, the process table CPU 1" ;;
    esac
done

# Where the C library does not know the CPU the process table does.
lying cpu-refused
run 0 run clock --cpu 1 $brief --json "$scratch/a.json"
grep -q '"unpinned"' "$scratch/a.json" && fail "the process table was not asked"

# A filter that refuses to bind.
deny="python3 $(dirname "$0")/deny.py"
if [ -z "${MESON_EXE_WRAPPER:-}" ] && $deny EPERM sched_setaffinity true >/dev/null 2>&1; then
    SONDE="$deny EPERM sched_setaffinity $SONDE_BARE"
    lie=refused
    run 0 run clock sharing atomics --cpu 1 --budget 2 --seed 7 --json "$scratch/a.json"
    told "binding to CPU 1 was refused: Operation not permitted"
fi
exit 0
