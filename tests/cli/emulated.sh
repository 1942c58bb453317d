#!/bin/sh
# Under an emulator the program says so, and concludes nothing about hardware.
. "$(dirname "$0")/lib.sh"
[ -n "${MESON_EXE_WRAPPER:-}" ] || skip "this build runs on its own hardware"
SONDE="$MESON_EXE_WRAPPER $SONDE"
run 0 run clock traps ways latency --budget 8 --json "$scratch/a.json"
says out "emulat"
python3 - "$scratch/a.json" <<'PY' || fail "something about hardware was concluded"
import json, sys
passport = json.load(open(sys.argv[1]))
assert passport["environment"]["emulation"], "no word of emulation"
assert any(warning["code"] == "emulated" for warning in passport["warnings"])
for name, probe in passport["probes"].items():
    assert probe["findings"], name
    for key, finding in probe["findings"].items():
        assert finding["value"] is None and finding["verdict"] == "not_measurable", key
        assert "emulated" in finding["reason"], key
PY
run 3 run clock --budget 2 --strict
run 0 facts
says out "memory"
run 0 --version
says out "aarch64"
# Kernels are compiled for that machine, run, and their times called an emulator's.
CC=aarch64-linux-gnu-gcc
export CC
command -v $CC >/dev/null 2>&1 || exit 0
run 0 bench "$here/../../examples/aarch64/sum.S" --check sum --samples 3 --mode n --param n=64
says out "emulator's time"
run 1 bench "$here/kernels/aarch64/spoil.S" --samples 3
says out "spoils registers it must preserve: x19, d9"
run 3 bench "$here/../../examples/aarch64/sum.S" --samples 3 --mode n --param n=64 --strict
