#!/bin/sh
# A passport of ours gives the same findings again, from its samples.
. "$(dirname "$0")/lib.sh"
run 0 run --simulate "$models/three-level.json" --seed 3 --json "$scratch/a.json" ways latency
run 0 analyze --json "$scratch/b.json" "$scratch/a.json"
for name in l1d.size l1d.ways l2.size llc.effective memory.latency; do
    for field in value low high verdict declared; do
        a=$(finding "$scratch/a.json" $name $field)
        b=$(finding "$scratch/b.json" $name $field)
        [ "$a" = "$b" ] || fail "$name.$field was '$a' and is '$b'"
    done
done
[ -n "$(finding "$scratch/b.json" l1d.size value)" ] || fail "no first level at all"
run 0 analyze --no-samples --json "$scratch/c.json" "$scratch/b.json"
grep -q '"samples"' "$scratch/c.json" && fail "samples are there with --no-samples"
valid_json "$scratch/c.json"
