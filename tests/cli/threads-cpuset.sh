#!/bin/sh
# A CPU is taken away in the middle, by the cpuset: each probe with threads ends, and what
# needs two CPUs at once is not measurable from then on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/threads.sh"
make_cpuset taken
cpus=$(taskset -cp $$ | sed 's/.*: //')
first=${cpus%%[-,]*}
last=${cpus##*[-,]}
echo "$first,$last" >"$group/cpuset.cpus" || { rmdir "$group"; skip "no CPUs can be chosen"; }
sh -c "echo \$\$ >$group/cgroup.procs && exec timeout 400 $SONDE run $with_threads --budget 14 --seed 7 --json $scratch/a.json" >"$scratch/out" 2>"$scratch/err" &
program=$!
sleep 2
echo "$first" >"$group/cpuset.cpus"
wait $program
status=$?
rmdir "$group" 2>/dev/null
[ $status -eq 0 ] || fail "exit $status"
ended "$scratch/a.json" 14
python3 - "$scratch/a.json" <<'PY' || fail "measured by two threads without a second CPU"
import json, sys
loaded = json.load(open(sys.argv[1]))["probes"]["loaded"]
# The last of them began long after the CPU was gone.
assert loaded["findings"]["loaded.reads100.most"]["value"] is None, loaded["findings"]
assert "90 %" in loaded["findings"]["loaded.reads100.most"]["reason"], loaded["findings"]
PY
