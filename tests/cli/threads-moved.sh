#!/bin/sh
# The measuring thread is moved to another CPU from outside in the middle of a run: it is
# bound again to its own, each time. Where that is taken away it measures on and its points
# are labelled, until it is given back.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/threads.sh"
command -v taskset >/dev/null 2>&1 || skip "there is no taskset"
[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
cpus=$(taskset -cp $$ | sed 's/.*: //')
first=${cpus%%[-,]*}
last=${cpus##*[-,]}

bound_to() { # bound_to LIST: waits until the thread may run there alone, while it lives
    while kill -0 "$program" 2>/dev/null; do
        [ "$(taskset -cp "$program" 2>/dev/null | sed 's/.*: //')" = "$1" ] && return 0
        sleep 0.05
    done
    return 1
}

# SONDE may be an emulator and the program: exec keeps the number of the process.
sh -c "exec $SONDE run latency --cpu $last --budget 8 --seed 7 --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err" &
program=$!
bound_to "$last" || fail "never bound to CPU $last"
sleep 1
for list in "$first" "$cpus" "$first"; do
    taskset -cp "$list" $program >/dev/null 2>&1 || fail "ended before it was moved to $list"
    bound_to "$last" || fail "moved to CPU $list, and not bound to CPU $last again"
done
wait $program || fail "exit $?"
valid_json "$scratch/a.json"
grep -q '"elsewhere"' "$scratch/a.json" && fail "labelled, although its CPU was allowed all the time"

make_cpuset moved
echo "$first,$last" >"$group/cpuset.cpus" || { rmdir "$group"; skip "no CPUs can be chosen"; }
sh -c "echo \$\$ >$group/cgroup.procs && exec $SONDE run clock latency --cpu $last --budget 8 --seed 7 --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err" &
program=$!
bound_to "$last" || { rmdir "$group"; fail "never bound to CPU $last"; }
sleep 1
echo "$first" >"$group/cpuset.cpus"
bound_to "$first" || { rmdir "$group"; fail "still on CPU $last, which was taken away"; }
sleep 2
echo "$first,$last" >"$group/cpuset.cpus"
bound_to "$last" || { rmdir "$group"; fail "CPU $last was given back, and not taken"; }
wait $program
status=$?
rmdir "$group" 2>/dev/null
[ $status -eq 0 ] || fail "exit $status"
valid_json "$scratch/a.json"
grep -q '"elsewhere"' "$scratch/a.json" || fail "nothing is labelled, although its CPU was taken away"
