#!/usr/bin/env python3
"""Planted machines come back: every planted size and latency inside its interval.

usage: planted.py SEEDS[:PROBES] MODELS... -- SONDE [ARGUMENT...]

For each model and seed `sonde run ways latency` (or PROBES, separated by commas) is run on
the planted machine; each planted
size, latency and number of ways must lie inside the interval of its finding (a figure that
was given up counts as a miss), and no level that was not planted may be found, nor other ways or
sets of the second.
An interval is a statement of probability, so one run in ten may miss one figure; a phantom is never allowed.
"""
import json
import os
import subprocess
import sys

split = sys.argv.index("--")
seeds, _, probes = sys.argv[1].partition(":")
seeds, probes = int(seeds), (probes or "ways,latency").split(",")
models, program = sys.argv[2:split], sys.argv[split + 1:]


def truths(model, kind):
    """What was planted, by the names that findings have."""
    model = {**model, **(model["kinds"][kind] if "kinds" in model else {})}
    levels, truth = model["levels"], {}
    for index, level in enumerate(levels):
        last = index == len(levels) - 1
        size = level["size_bytes"]
        if last:
            size *= 1 - model.get("neighbour", {}).get("last_level_share", 0)
        if level.get("exclusive"):
            size += levels[index - 1]["size_bytes"]
        # The second of two is an l2 while it is near: no more than 5.5 times the first.
        near = index == 1 and level["latency_cycles"] < 5.5 * levels[0]["latency_cycles"]
        name = "l2" if near else "llc" if last else level["name"]
        truth["llc.effective" if name == "llc" else name + ".size"] = size
        truth[name + ".latency_cycles"] = level["latency_cycles"]
    if "ways" in probes:
        truth["l1d.ways"] = levels[0]["ways"]
    truth["memory.latency"] = model["memory"]["latency_ns"]
    return truth


def findings(passport):
    found = {}
    for probe in passport["probes"].values():
        for name, finding in probe["findings"].items():
            if name not in found or found[name]["value"] is None:
                found[name] = finding
    return found


def misses(truth, found):
    for name, value in truth.items():
        finding = found.get(name)
        if finding is None:
            yield f"{name} is not there, planted {value}"
        elif finding["low"] is None or not finding["low"] <= value <= finding["high"]:
            yield (f"{name} is {finding['value']} [{finding['low']}, {finding['high']}], "
                   f"planted {value}")


def phantoms(truth, found):
    return [name for name, finding in found.items()
            if name.endswith(".size") and name[0] == "l" and name[1:2].isdigit()
            and finding["low"] is not None and name not in truth]


def wrong_second(model, kind, found):
    """Ways and sets of the second level are told or they are not; never others than planted."""
    model = {**model, **(model["kinds"][kind] if "kinds" in model else {})}
    planted = {"l2.ways": [], "l2.sets": []}
    for level in model["levels"][1:2]:
        planted["l2.ways"].append(level["ways"])
        planted["l2.sets"].append(level["size_bytes"] // (level["ways"] * model["line_bytes"]))
    values = {name: found.get(name, {}).get("value") for name in planted}
    return [f"{name} is {value}, planted {planted[name]}" for name, value in values.items()
            if value and value not in planted[name]]


def run(path, seed):
    out = subprocess.run([*program, "run", *probes, "--no-samples", "--simulate", path,
                          "--seed", str(seed), "--json", "-"], stdout=subprocess.PIPE, check=True)
    passports = json.loads(out.stdout)
    return passports if isinstance(passports, list) else [passports]


failed = False
for path in models:
    with open(path) as file:
        model = json.load(file)
    title, bad, ghosts, runs = os.path.basename(path), [], [], 0
    for seed in range(1, seeds + 1):
        for kind, passport in enumerate(run(path, seed)):
            truth, found = truths(model, kind), findings(passport)
            runs += 1
            bad += [f"seed {seed}: {miss}" for miss in misses(truth, found)]
            ghosts += [f"seed {seed}: phantom {name}" for name in phantoms(truth, found)]
            ghosts += [f"seed {seed}: {wrong}" for wrong in wrong_second(model, kind, found)]
    allowed = max(1, runs // 10)
    verdict = "ok" if len(bad) <= allowed and not ghosts else "FAILED"
    failed |= verdict != "ok"
    print(f"{verdict} {title}: {runs} passports, {len(bad)} misses, {len(ghosts)} phantoms")
    for line in (bad + ghosts)[:12]:
        print("   ", line)
sys.exit(failed)
