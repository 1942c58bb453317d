#!/bin/sh
# A kernel in assembly of 25 lines: two strides in both modes are four rows; strides that
# are none are refused.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
sum=$examples/$isa/sum.S
[ "$(wc -l <"$sum")" -le 25 ] || fail "the example has more than 25 lines"
run 0 bench "$sum" --check sum --json "$scratch/a.json"
for row in "n     n=4096 stride=8 " "n     n=4096 stride=64" "span  n=4096 stride=8 " \
    "span  n=512 stride=64 "; do
    says out "^sum *$row .*KiB"
done
says out "median *mean *IQR"
says out "^measured on CPU [0-9]*[:,] "
valid_schema "$scratch/a.json"
python3 - "$scratch/a.json" <<'PY' || fail "the passport lacks something"
import json, sys
bench = json.load(open(sys.argv[1]))["probes"]["bench"]
for mode in ("n", "span"):
    series = bench["series"]["sum mode " + mode]
    assert [axis["name"] for axis in series["axes"]] == ["n", "stride"]
    for point in series["points"]:
        assert point["n"] == 31 == len(point["samples"]) or "cut" in point["flags"], point
        for key in ("min", "q25", "median", "q75", "mean", "p99", "iqr", "outliers"):
            assert point[key] is not None, key
code = bench["findings"]["sum.code"]
assert code["value"].startswith("fnv1a:"), code
assert "ret" in code["reason"] or "objdump" in code["reason"], code
overhead = bench["findings"]["bench.overhead"]
assert 0 < overhead["low"] <= overhead["value"] <= overhead["high"], overhead
PY
cpu=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
run 0 bench "$sum" --check sum $fast --mode span --param stride=64 --param n=2^9..2^11 \
    --cpu "$cpu"
says out "^measured on CPU $cpu, as asked"
[ "$(grep -c '^sum  *span .*KiB' "$scratch/out")" -eq 3 ] || fail "not three rows"
for stride in 7 0 -8 x 8, 8..7 "" 16384; do
    run 2 bench "$sum" --param "stride=$stride"
    refused usage
done
run 2 bench "$sum" --param stride=7
says err "stride 7 is not a multiple of 8 bytes"
