#!/usr/bin/env python3
"""This machine obeys what every x86-64 and aarch64 machine obeys.

usage: laws.py SONDE

Bands are wide: they hold on any such machine, virtual or not. What the machine would not let
be measured is skipped (77), never failed.
"""
import json
import subprocess
import sys

out = subprocess.run([*sys.argv[1:], "run", "clock", "ways", "latency", "--no-samples", "--budget",
                      "12", "--json", "-"], stdout=subprocess.PIPE, check=True).stdout
passports = json.loads(out)
passports = passports if isinstance(passports, list) else [passports]
checked = failed = 0


def law(holds, text):
    global checked, failed
    checked += 1
    if not holds:
        failed += 1
        print("BROKEN:", text)


for passport in passports:
    if passport["environment"]["emulation"]:
        print("skipped: emulated,", passport["environment"]["emulation"])
        sys.exit(77)
    found = {}
    for probe in passport["probes"].values():
        for name, finding in probe["findings"].items():
            if finding["value"] is not None:
                found.setdefault(name, finding["value"])

    def value(name):
        return found.get(name)

    hz = value("clock.core_hz")
    if hz:
        law(2e8 < hz < 1e10, f"a core clock of {hz:g} Hz")
    if value("clock.read_cost"):
        law(0 < value("clock.read_cost") < 1e5, "a clock read costs less than 0.1 ms")
    size, ways, cycles = (value("l1d." + key) for key in ("size", "ways", "latency_cycles"))
    if size:
        law(4096 <= size <= 1 << 20, f"a first level of {size} bytes")
    if ways:
        law(1 <= ways <= 64, f"{ways} ways")
    if cycles:
        law(1.9 < cycles < 9, f"a first level of {cycles} cycles")
    memory = value("memory.latency_cycles")
    if memory and cycles:
        law(memory > 5 * cycles, f"memory at {memory} cycles, the first level at {cycles}")
    for faster, slower in (("l1d", "l2"), ("l2", "llc")):
        pair = value(faster + ".latency_cycles"), value(slower + ".latency_cycles")
        if all(pair):
            law(pair[0] < pair[1], f"{faster} at {pair[0]} cycles, {slower} at {pair[1]}")
if not checked:
    print("skipped: nothing could be measured here")
    sys.exit(77)
print(f"{checked} laws looked at, {failed} broken")
sys.exit(failed != 0)
