#!/bin/sh
# Under a CFS quota of 20 % of a CPU each probe with threads ends.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/threads.sh"
[ "$(id -u)" -eq 0 ] || skip "setting a quota needs root"
[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
if [ -f /sys/fs/cgroup/cpu/cgroup.procs ]; then
    group=/sys/fs/cgroup/cpu/sonde-quota-$$
    mkdir "$group" 2>/dev/null || skip "no cgroup can be made"
    echo 100000 >"$group/cpu.cfs_period_us" && echo 20000 >"$group/cpu.cfs_quota_us" || { rmdir "$group"; skip "no quota can be set"; }
elif grep -qw cpu /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
    group=/sys/fs/cgroup/sonde-quota-$$
    mkdir "$group" 2>/dev/null || skip "no cgroup can be made"
    echo "20000 100000" >"$group/cpu.max" 2>/dev/null || { rmdir "$group"; skip "no quota can be set"; }
else
    skip "there is no cpu controller"
fi
sh -c "echo \$\$ >$group/cgroup.procs && exec timeout 400 $SONDE run $with_threads --budget 14 --seed 7 --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err"
status=$?
rmdir "$group" 2>/dev/null
[ $status -eq 0 ] || fail "exit $status"
ended "$scratch/a.json" 14
