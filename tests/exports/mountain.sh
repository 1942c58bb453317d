#!/bin/sh
# The mountain comes out with its rows and columns in order, a gap as null; without one there
# is one line and no file.
. "$(dirname "$0")/lib.sh"
needs python3 python3
plant three-level
run 1 export --to mountain -o "$scratch/m.json" "$scratch/a.json"
refused "no mountain is in it"
[ -e "$scratch/m.json" ] && fail "a file was written"
python3 - "$scratch/a.json" <<'PY'
import json, sys
passport = json.load(open(sys.argv[1]))
template = passport["probes"]["ways"]["series"]["conflicts"]["points"][0]
def point(size, stride, best):
    row = dict(template, at=[size, stride], best=best)
    return {key: value for key, value in row.items() if not key.startswith("sample")}
passport["probes"]["ways"]["series"]["mountain"] = {
    "axes": [{"name": "size", "unit": "bytes", "scale": "log2"},
             {"name": "stride", "unit": "bytes", "scale": "linear"}],
    "quantity": {"name": "throughput", "unit": "bytes/s"}, "statistic": "median",
    "points": [point(65536, 16, 3e9), point(32768, 8, 2.5e10), point(65536, 8, None),
               point(32768, 16, 2e10)]}
json.dump(passport, open(sys.argv[1], "w"))
PY
export_to mountain "$scratch/m.json"
python3 - "$scratch/m.json" <<'PY' || fail "the mountain is wrong"
import json, sys
mountain = json.load(open(sys.argv[1]))
assert mountain["hardware"] == "Planted three-level" and mountain["date"] is None
assert mountain["sizes"] == [32768, 65536] and mountain["strides"] == [8, 16]
assert mountain["throughput"] == [[25000, 20000], [None, 3000]], mountain["throughput"]
assert mountain["caches"]["L1d"] == 32768 and "measured" in mountain["sources"]["L1d"]
assert mountain["sources"]["L3"].startswith("declared")
PY
