#!/bin/sh
# A memory cgroup of 64 MiB is respected: nothing is killed, and it is told.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "making a memory cgroup needs root"
v1=/sys/fs/cgroup/memory
v2=/sys/fs/cgroup
if [ -w $v1/memory.limit_in_bytes ] || [ -d $v1 ] && [ -f $v1/cgroup.procs ]; then
    group=$v1/sonde-test-$$
    mkdir "$group" 2>/dev/null || skip "no memory cgroup can be made"
    echo 67108864 >"$group/memory.limit_in_bytes" || skip "no limit can be set"
elif grep -qw memory $v2/cgroup.controllers 2>/dev/null; then
    group=$v2/sonde-test-$$
    mkdir "$group" 2>/dev/null || skip "no cgroup can be made"
    echo 67108864 >"$group/memory.max" 2>/dev/null || { rmdir "$group"; skip "no limit can be set"; }
else
    skip "there is no memory controller"
fi
sh -c "echo \$\$ >$group/cgroup.procs && exec $SONDE run latency $brief --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err"
status=$?
rmdir "$group" 2>/dev/null
[ $status -eq 0 ] || fail "exit $status"
python3 - "$scratch/a.json" <<'PY' || fail "the limit was not respected"
import json, sys
data = json.load(open(sys.argv[1]))
assert data["machine"]["memory_granted"] <= 67108864, data["machine"]["memory_granted"]
assert "cgroup" in data["machine"]["memory_granted_by"]
sizes = [p["at"][0] for p in data["probes"]["latency"]["series"]["windowed"]["points"] if p["n"]]
assert sizes and max(sizes) <= 16 << 20, max(sizes)
PY
