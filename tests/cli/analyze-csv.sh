#!/bin/sh
# A curve of another tool: the planted levels come back, from a file and from a pipe.
. "$(dirname "$0")/lib.sh"
awk 'BEGIN {
    print "size,latency"
    for (i = 0; i <= 128; i++) {
        size = 4096 * 2 ^ (i / 8)
        cost = size <= 50000 ? 1 : size <= 1050000 ? 4 : size <= 17000000 ? 15 : 100
        printf "%.0f,%s\n", size, cost
    }
}' >"$scratch/curve.csv"
run 0 analyze --json "$scratch/curve.json" "$scratch/curve.csv"
says out 'L1d *48 KiB'
says out 'L2 *1 MiB'
value=$(finding "$scratch/curve.json" memory.latency value)
case $value in
100 | 100.0000* | 99.9999*) ;;
*) fail "memory takes '$value' ns, not 100" ;;
esac
# Neither a machine nor cycles may be made up.
says out '^machine unknown$'
grep -q cyc "$scratch/out" && fail "cycles of an unknown core"
cp "$scratch/out" "$scratch/first"
# shellcheck disable=SC2086
$SONDE analyze - <"$scratch/curve.csv" >"$scratch/out" 2>"$scratch/err" ||
    fail "standard input is refused"
cmp -s "$scratch/first" "$scratch/out" || fail "a pipe is read differently"
run 0 analyze "$scratch/curve.csv" "$scratch/curve.json"
says out "^$scratch/curve.csv:$"
says out "^$scratch/curve.json:$"
