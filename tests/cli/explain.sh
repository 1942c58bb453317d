#!/bin/sh
# What a finding means, how it is measured, what fools it; the nearest name for a wrong one.
. "$(dirname "$0")/lib.sh"
run 0 explain l2.size
says out '^L2 size (l2.size), in bytes$'
says out 'the largest working set that this level serves alone'
says out '^probe latency: '
says out 'What fools it: a last level shared with neighbours'
says out 'See also: sonde explain ways'
[ -s "$scratch/err" ] && fail "it complained"
run 0 explain mountain.cliffs.64
says out '^cliffs at stride 64 (mountain.cliffs.64)'
run 0 explain atomics.relaxed.contended
says out 'on one word, each'
says out 'the latter pay what one pays'
run 0 explain tlb
says out '^probe tlb: '
says out 'Asks over how many pages'
says out '    pages   64    72'
run 0 explain bench
says out 'sonde bench'
run 0 explain
says out '^latency '
says out '\*\.size'
says out 'denormal.penalty'

# It wraps to the width that is there.
for columns in 60 100; do
    COLUMNS=$columns LC_ALL=C.UTF-8
    export COLUMNS LC_ALL
    for name in latency tlb bandwidth; do
        run 0 explain $name
        widest=$(wc -L <"$scratch/out")
        [ "$widest" -le "$columns" ] || fail "$name is $widest wide, not $columns"
    done
done
run 0 explain --color always l2.size
says out "$(printf '\033\\[1m')"
run 0 explain --color never l2.size
grep -q "$(printf '\033')" "$scratch/out" && fail "an ink with --color never"

run 2 explain l2.siz
refused "did you mean 'l2.size'"
run 2 explain latencyy
refused "did you mean 'latency'"
run 2 explain clock.size
refused "no finding or probe 'clock.size'"
run 2 explain completely.else
refused "sonde explain lists them all"
run 2 explain ''
refused "no finding or probe ''"
run 2 explain l2.size l1d.size
refused "takes one name"
run 2 explain --color maybe
refused "none of always"

# Every finding of a passport can be explained.
run 0 run --simulate "$models/three-level.json" --seed 3 --quiet --json "$scratch/a.json" clock ways latency line
names=$(sed -n 's/^ *"\([a-z0-9]*\.[a-z0-9_.]*\)": {$/\1/p' "$scratch/a.json" | sort -u)
[ "$(echo "$names" | wc -l)" -gt 10 ] || fail "few findings: $names"
for name in $names; do
    run 0 explain "$name"
done
