#!/bin/sh
# All threads are pushed onto one CPU, and back, again and again while they measure: each
# probe ends, and what was not measured in place is not told as if it were.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/threads.sh"
command -v taskset >/dev/null 2>&1 || skip "there is no taskset"
[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
cpus=$(taskset -cp $$ | sed 's/.*: //')
first=${cpus%%[-,]*}
timeout 400 $SONDE run $with_threads --budget 14 --seed 7 --json "$scratch/a.json" >"$scratch/out" 2>"$scratch/err" &
program=$!
while kill -0 $program 2>/dev/null; do
    # The program is the child of timeout.
    for thread in $(pgrep -P $program); do
        taskset -acp "$first" "$thread"
        sleep 0.2
        taskset -acp "$cpus" "$thread"
        sleep 0.2
    done
    sleep 0.05
done >/dev/null 2>&1 &
pusher=$!
wait $program
status=$?
stop $pusher
[ $status -eq 0 ] || fail "exit $status"
ended "$scratch/a.json" 14
