#!/bin/sh
# On cores without AVX, or without AVX-512, the probes of limits choose what the core has:
# nothing faults, and no access is wider than its registers.
. "$(dirname "$0")/lib.sh"
[ -z "${MESON_EXE_WRAPPER:-}" ] || skip "this build runs on an emulated core already"
[ -z "${SONDE_SANITIZED:-}" ] || skip "a sanitizer does not run on an emulated core"
command -v qemu-x86_64 >/dev/null 2>&1 || skip "no qemu-x86_64 here"
case $(uname -m) in
x86_64) ;;
*) skip "cores of another instruction set" ;;
esac
native=$SONDE
for core in Conroe:16 Nehalem:16 SandyBridge:16 Haswell:32; do
    SONDE="qemu-x86_64 -cpu ${core%:*} $native"
    run 0 run bandwidth loaded mlp prefetch forward arith chain denormal os --budget 6 \
        --seed 7 --quiet --json "$scratch/a.json"
    python3 - "$scratch/a.json" "${core#*:}" "${core%:*}" <<'PY' || fail "on ${core%:*}"
import json, sys
widest = int(sys.argv[2])
probes = json.load(open(sys.argv[1]))["probes"]
failed = {name: probe["reason"] for name, probe in probes.items() if probe["status"] == "failed"}
assert not failed, failed
for name in "shapes", "ports":
    points = probes["bandwidth"]["series"][name]["points"]
    widths = {point["at"][1] for point in points}
    assert widths and max(widths) == widest, (name, widths)
timed = {point["label"] for series in ("latency", "throughput")
         for point in probes["arith"]["series"][series]["points"]}
wide = [label for label in timed if "v512" in label or ("v256" in label and widest < 32)]
assert not wide, wide
assert "add32.v128" in timed, timed
# Products of integers came later than sums.
assert ("mul32.v128" in timed) == (sys.argv[3] != "Conroe"), timed
PY
done
