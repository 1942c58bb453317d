#!/bin/sh
# A cpuset without CPU 0 is measured where it allows.
. "$(dirname "$0")/lib.sh"
make_cpuset test
echo 1 >"$group/cpuset.cpus" || { rmdir "$group"; skip "no CPU can be chosen"; }
sh -c "echo \$\$ >$group/cgroup.procs && exec $SONDE run clock $brief --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err"
status=$?
rmdir "$group" 2>/dev/null
[ $status -eq 0 ] || fail "exit $status"
python3 - "$scratch/a.json" <<'PY' || fail "not measured on CPU 1 alone"
import json, sys
data = json.load(open(sys.argv[1]))
assert data["machine"]["allowed"] == "1", data["machine"]["allowed"]
assert data["vantage"]["cpu"] == 1, data["vantage"]
PY
says out "1 of "
