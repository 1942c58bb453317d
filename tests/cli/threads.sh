# What the scripts about threads share: the probes that run several, and what must hold of
# them however little they got: each ends, and each finding has a value or a reason.
with_threads="sharing atomics locks c2c os bandwidth loaded"

# ended FILE SECONDS: every probe is there, ended, and gives reasons. A wait without end would
# take all of the minutes that are allowed; less is the business of whoever else keeps the CPUs.
ended() {
    python3 - "$1" "$2" $with_threads <<'PY' || fail "a probe with threads did not end well"
import json, sys
data = json.load(open(sys.argv[1]))
allowed = float(sys.argv[2])
for name in sys.argv[3:]:
    probe = data["probes"][name]
    print(name, "took", probe["seconds"], "s")
    assert probe["seconds"] <= 4 * allowed + 60, (name, probe["seconds"])
    assert probe["status"] in ("measured", "partial", "unavailable"), (name, probe["status"], probe.get("reason"))
    assert probe["findings"] or probe["reason"], name
    for key, finding in probe["findings"].items():
        assert finding["value"] is not None or finding["reason"], key
PY
}

# stop PID: ends a background loop of this script.
stop() {
    kill "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}
