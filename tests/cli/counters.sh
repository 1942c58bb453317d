#!/bin/sh
# Counters: misses begin where the planted levels end; where there are none, one note says
# why and nothing else changes; names that are none are refused.
. "$(dirname "$0")/lib.sh"
run 0 run --simulate "$models/counters.json" --seed 5 --json "$scratch/with.json" \
    --counters cycles,instructions,l1-misses,llc-misses latency
grep -q no-counters "$scratch/with.json" && fail "a note though all was counted"
python3 - "$scratch/with.json" <<'PY' || fail "not what was planted"
import json, sys
latency = json.load(open(sys.argv[1]))["probes"]["latency"]
points = latency["series"]["windowed"]["points"]
assert all("counters" in point for point in points)
for point in points:
    size, counters = point["at"][0], point["counters"]
    assert counters["instructions"] == 1.125, counters
    if not 32768 < size < 40960: # some sets are full already there
        assert abs(counters["l1-misses"] - (size > 32768)) < 1e-6, point
    if size < 3 << 20:
        assert counters["llc-misses"] < 0.2, point
    if size > 8 << 20:
        assert counters["llc-misses"] > 0.95, point
found = latency["findings"]
begin = found["l1d.misses_begin"]
assert 32768 <= begin["value"] <= 36864, begin
begin = found["llc.misses_begin"]
assert 3 << 20 <= begin["value"] <= 5 << 20, begin
controls = [c for c in latency["controls"] if "misses begin" in c["what"]]
assert len(controls) == 2 and all(c["ok"] for c in controls), controls
PY
# What was written is read again, counters included.
run 0 analyze --json "$scratch/again.json" "$scratch/with.json"
grep -q '"l1-misses"' "$scratch/again.json" || fail "counters are lost when read again"
says out 'misses begin'

run 0 run --simulate "$models/three-level.json" --seed 5 --json "$scratch/none.json" \
    --counters cycles latency
says out 'not counted: the planted machine has no hardware counters'
run 0 run --simulate "$models/three-level.json" --seed 5 --json "$scratch/plain.json" latency
python3 - "$scratch/none.json" "$scratch/plain.json" <<'PY' || fail "more than a note changed"
import json, sys
none, plain = (json.load(open(name)) for name in sys.argv[1:])
notes = [w for w in none["warnings"] if w["code"] == "no-counters"]
assert len(notes) == 1
none["warnings"] = [w for w in none["warnings"] if w["code"] != "no-counters"]
assert none == plain
PY
run 2 run --simulate "$models/counters.json" --counters cycles,cycles latency
refused 'named twice'
run 2 run --counters cycels latency
refused "no counter is named 'cycels'"
