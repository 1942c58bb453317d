#!/bin/sh
# Files of other tools are recognised, can be forced, and give a passport of their machine.
. "$(dirname "$0")/lib.sh"
printf ',,,\n7,,,\n25,26,,\n25,25,7,\n' >"$scratch/matrix.csv"
run 0 analyze --json "$scratch/matrix.json" "$scratch/matrix.csv"
says out 'sibling pairs *2'
[ "$(finding "$scratch/matrix.json" c2c.sibling_pairs value)" = 2 ] || fail "not two pairs"
run 0 analyze --format core-to-core "$scratch/matrix.csv"
run 1 analyze --format csapp "$scratch/matrix.csv"
refused 'matrix.csv:'
run 0 analyze "$scratch/matrix.json" # what was written is read again
says out 'sibling pairs *2'

{
    echo 'sbc-bench v0.9.8 Planted Board (Sat, 25 Jun 2022 17:29:20 -0400)'
    for core in 'cpu0 (Small)' 'cpu4 (Big)'; do
        printf '\nExecuting ramlat on %s, results in ns:\n\n' "$core"
        echo '       size:  1x32  2x32  1x64'
        for size in 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768; do
            cost=2.0
            [ $size -gt 32 ] && cost=8.0
            [ $size -gt 512 ] && cost=120
            echo "  ${size}k: 1.0 1.0 $cost"
        done
    done
} >"$scratch/board.txt"
run 0 analyze --json "$scratch/board.json" "$scratch/board.txt"
says out '^Planted Board$'
says out 'Small'
says out 'Big'
python3 -c '
import json, sys
cores = json.load(open(sys.argv[1]))
assert [core["vantage"]["cpu"] for core in cores] == [0, 4]
assert all(core["machine"]["model"] == "Planted Board" for core in cores)
assert all("l1d.size" in core["probes"]["latency"]["findings"] for core in cores)
' "$scratch/board.json" || fail "not one passport for each core"
# Nothing is wider than a terminal.
LC_ALL=C awk 'length > 80 { exit 1 }' "$scratch/out" || fail "a line is wider than 80 columns"

printf '"stride=128\n0.00098 1.5\n0.03125 1.5\n0.06250 5.0\n0.25000 5.0\n' >"$scratch/lm"
run 0 analyze "$scratch/lm"
says out 'whether lat_mem_rd walked at random'
run 2 analyze --format lm "$scratch/lm"
refused "no format is named 'lm': choose one of passport, csv"
run 0 list readers
says out '^sbc-bench '
