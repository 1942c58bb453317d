#!/bin/sh
# A planted difference is found between groups of runs, and none between a machine and itself;
# the exit status, the limit and JUnit follow.
. "$(dirname "$0")/lib.sh"
probes="chain arith"
group() { # group FILE MODEL SEED
    # shellcheck disable=SC2086
    run 0 run --simulate "$2" --seed "$3" --repeat 4 --no-samples --json "$1" $probes
}
sed 's/"chains": {/"chains": {"fma_cycles": 5, /' "$models/noise-5.json" >"$scratch/slower.json"
group "$scratch/a.json" "$models/noise-5.json" 1
says out 'integer add latency .* 4 of 4'
group "$scratch/b.json" "$models/noise-5.json" 50
group "$scratch/c.json" "$scratch/slower.json" 90
valid_json "$scratch/a.json"
run 0 compare "$scratch/a.json" "$scratch/b.json"
says out 'no real difference'
run 4 compare "$scratch/a.json" "$scratch/c.json"
says out 'float64 fused multiply-add latency .*+25 %.*worse'
run 4 compare --fail-above 20 --junit "$scratch/j.xml" "$scratch/a.json" "$scratch/c.json"
grep -q '<failure message="worse by 2[45]\.' "$scratch/j.xml" || fail "no failure in JUnit's XML"
run 0 compare --fail-above 30 "$scratch/a.json" "$scratch/c.json"
run 0 compare --fail-above 20 "$scratch/c.json" "$scratch/a.json"
says out 'better'
# Single runs: repeatability is unknown, and that is said.
# shellcheck disable=SC2086
run 0 run --simulate "$models/noise-5.json" --json "$scratch/d.json" $probes
# shellcheck disable=SC2086
run 0 run --simulate "$scratch/slower.json" --json "$scratch/e.json" $probes line
run 0 compare "$scratch/d.json" "$scratch/e.json"
says out 'repeatability unknown'
says out 'only B has: line'
# Conditions first.
# shellcheck disable=SC2086
run 0 run --simulate "$models/noise-5.json" --quick --json "$scratch/f.json" $probes
run 0 compare "$scratch/d.json" "$scratch/f.json"
says out '! effort: default | quick'
