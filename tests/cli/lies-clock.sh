#!/bin/sh
# Clocks that step by milliseconds and announce a nanosecond: the step is seen, the tick
# counter is calibrated all the same; without one nothing is invented. A clock that stands
# still is refused.
. "$(dirname "$0")/lib.sh"
run 0 run clock ways --budget 3 --seed 7 --json "$scratch/truth.json"
grep -q '"timer": "CLOCK' "$scratch/truth.json" && skip "no tick counter here"

for lie in clock-1ms clock-16ms; do
    lying $lie
    run 0 run clock ways --budget 3 --seed 7 --json "$scratch/a.json"
    valid_json "$scratch/a.json"
    python3 - "$scratch/truth.json" "$scratch/a.json" $lie <<'PY' || fail "$lie: not measured as without it"
import json, sys
truth, told = (json.load(open(name)) for name in sys.argv[1:3])
step = {"clock-1ms": 1e6, "clock-16ms": 15.625e6}[sys.argv[3]]

def column(passport, series, clock):
    points = passport["probes"]["clock"]["series"][series]["points"]
    return next(p["best"] for p in points if p["label"] == clock)

def finding(passport, probe, name):
    return passport["probes"][probe]["findings"][name]["value"]

def busy(passport):
    """So busy that the edges of a coarse clock all passed while others ran; said, no clock."""
    return passport["environment"]["timer"] == raw and \
        any(w["code"] == "coarse-clock" for w in passport["warnings"])

raw = "CLOCK_MONOTONIC_RAW"
assert column(told, "announced", raw) == 1, "what is announced is shown as announced"
# With little time a step of 16 ms may not have been seen twice: then none is claimed.
seen = column(told, "step", raw)
assert seen == step or (seen is None and step > 2e6), seen
cost = column(told, "cost", raw)
assert cost is None or 0 < cost < 1e5, cost
assert told["environment"]["timer"] == truth["environment"]["timer"] or busy(told), told["environment"]
assert abs(finding(told, "clock", "clock.tick_hz") / finding(truth, "clock", "clock.tick_hz") - 1) < 1e-3 or busy(told)
ways = finding(told, "ways", "l1d.ways"), finding(truth, "ways", "l1d.ways")
assert None in ways or ways[0] == ways[1], ways
assert not told["environment"]["emulation"] or truth["environment"]["emulation"]
PY
done

lie=clock-unsteady
lying $lie
run 0 run clock ways latency --budget 3 --seed 7 --json "$scratch/a.json"
valid_json "$scratch/a.json"
says out "the best clock steps by 1000000 ns"
python3 - "$scratch/a.json" "$scratch/truth.json" <<'PY' || fail "$lie: a number from a clock that cannot tell"
import json, sys
told, truth = (json.load(open(name)) for name in sys.argv[1:])
assert told["environment"]["timer"] == "CLOCK_MONOTONIC_RAW", told["environment"]["timer"]
assert told["environment"]["timer_step_ns"] == 1e6
assert not told["environment"]["emulation"] or truth["environment"]["emulation"]
clock = told["probes"]["clock"]["findings"]
for name in ("clock.core_hz", "clock.lost_share"):
    assert clock[name]["value"] is None and clock[name]["reason"], (name, clock[name])
for probe in ("ways", "latency"):
    for name, finding in told["probes"][probe]["findings"].items():
        assert finding["value"] is not None or finding["reason"], name
        if name == "l1d.ways" and finding["value"] is not None:
            assert finding["value"] == truth["probes"]["ways"]["findings"][name]["value"]
PY

lying clock-frozen
run 77 run clock $brief
says err '^sonde: .*no clock here moves'
