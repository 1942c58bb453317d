#!/bin/sh
# Calls that a filter refuses are said to be refused; the others are measured.
. "$(dirname "$0")/lib.sh"
[ -z "${MESON_EXE_WRAPPER:-}" ] || skip "a filter would hit the emulator"
deny="python3 $(dirname "$0")/deny.py"
$deny EPERM eventfd2 true >"$scratch/tried" 2>&1 || skip "$(cat "$scratch/tried")"
SONDE_BARE=$SONDE
SONDE="$deny EPERM eventfd2 $SONDE_BARE"
run 0 run os --budget 4 --json "$scratch/a.json"
SONDE="$deny ENOSYS pipe2,pipe,rt_tgsigqueueinfo $SONDE_BARE"
run 0 run os --budget 4 --json "$scratch/b.json"
python3 - "$scratch/a.json" "$scratch/b.json" <<'PY' || fail "a refused call is not told, or told wrongly"
import json, sys

def findings(path):
    return json.load(open(path))["probes"]["os"]["findings"]

def refused(found, name, errno):
    assert found[name]["value"] is None, name
    assert errno in found[name]["reason"], (name, found[name]["reason"])

first, second = map(findings, sys.argv[1:])
for name in ("os.eventfd.alone", "os.eventfd.same"):
    refused(first, name, "EPERM")
for name in ("os.pipe.alone", "os.pipe.same", "os.signal"):
    refused(second, name, "ENOSYS")
assert second["os.switch.same"]["value"] is None
assert "EPERM" not in (first["os.pipe.alone"]["reason"] or "")
assert "ENOSYS" not in (second["os.eventfd.alone"]["reason"] or "")
PY
