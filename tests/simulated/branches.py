#!/usr/bin/env python3
"""Planted predictors come back as planted.

usage: branches.py SEEDS MODELS... -- SONDE [ARGUMENT...]

`sonde run branch history` on each model and seed. The cost of a misprediction within 3 %;
the longest pattern, the return stack, the indirect targets and the taken branches of each
spacing exactly, as far as they were tried in steps of two (branches: and half-way between); beyond the largest tried only a lower bound and no value. Each control
held. A core that loses nothing by a misprediction yields no value at all.
"""
import json
import math
import subprocess
import sys

DEFAULTS = {"mispredict_cycles": 15, "remembers": 4096, "return_stack": 32, "targets": 512,
            "taken": 4096, "taken_apart": 64}
TAKEN_BYTES, TAKEN_SPACINGS = 262144, (16, 32, 64)
PERIODS_MAX, DEPTH_MAX, TARGETS_MAX = 65536, 80, 1024

split = sys.argv.index("--")
seeds, models, program = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]


def power_below(value):
    return 2 ** math.floor(math.log2(value))


def truths(planted):
    """name: (value or None, lower bound or None)"""
    if planted["mispredict_cycles"] < 3:
        return {name: (None, None) for name in
                ("branch.mispredict", "history.pattern", "history.return_stack",
                 "history.targets", *(f"history.btb.{spacing}" for spacing in TAKEN_SPACINGS))}
    found = {"branch.mispredict": (planted["mispredict_cycles"], None)}
    for name, key, most in (("history.pattern", "remembers", PERIODS_MAX),
                            ("history.targets", "targets", TARGETS_MAX)):
        reached = planted[key] >= most
        found[name] = (None, None) if reached else (power_below(planted[key]), None)
        found[name] = (found[name][0], min(power_below(planted[key]), most))
    for spacing in TAKEN_SPACINGS:
        held = planted["taken"] * min(1, planted["taken_apart"] / spacing)
        most = TAKEN_BYTES // spacing
        known = max(power_below(held), power_below(held / 1.5) * 1.5 if held >= 768 else 0)
        found[f"history.btb.{spacing}"] = (None if held >= most else known, min(known, most))
    depth = planted["return_stack"]
    found["history.return_stack"] = ((depth, depth) if depth + 3 <= DEPTH_MAX
                                     else (None, DEPTH_MAX - 3))
    return found


def complaint(name, finding, value, low):
    tolerance = 0.03 if name == "branch.mispredict" else 0
    if finding is None:
        return f"{name} is not there"
    if (value is None) != (finding["value"] is None):
        return f"{name} is {finding['value']}, planted {value}"
    if value is not None and abs(finding["value"] - value) > tolerance * value:
        return f"{name} is {finding['value']}, planted {value}"
    if low is not None and finding["low"] != low:
        return f"{name} is at least {finding['low']}, planted {low}"
    if value is None and not finding["reason"]:
        return f"{name} has no value and no reason"
    return None


failed = checked = 0
for path in models:
    with open(path, encoding="utf-8") as file:
        planted = {**DEFAULTS, **json.load(file).get("branches", {})}
    for seed in range(1, seeds + 1):
        run = subprocess.run(program + ["run", "branch", "history", "--no-samples", "--simulate",
                                        path, "--seed", str(seed), "--quiet", "--json", "-"],
                             check=True, capture_output=True, text=True)
        probes = json.loads(run.stdout)["probes"]
        if any(probe["status"] == "unavailable" for probe in probes.values()):
            print("skipped: no kernel is in assembly here")
            sys.exit(77)
        found = {name: finding for probe in probes.values()
                 for name, finding in probe["findings"].items()}
        wrong = [control["what"] for probe in probes.values()
                 for control in probe["controls"] if not control["ok"]]
        for name, (value, low) in truths(planted).items():
            checked += 1
            wrong.append(complaint(name, found.get(name), value, low))
        for line in filter(None, wrong):
            print(f"{path}, seed {seed}: {line}")
            failed += 1
print(f"{checked} figures checked, {failed} wrong")
sys.exit(1 if failed or not checked else 0)
