#!/usr/bin/env python3
"""Planted queues before memory come back as curves; few CPUs do not claim a peak.

usage: loaded.py SEEDS MODEL.json -- PROGRAM...

MODEL is run with CPUs and rates of memory of its own, quiet and noisy, and with one CPU.
"""
import json
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
seeds, path = int(sys.argv[1]), sys.argv[2]
program = sys.argv[split + 1:]
with open(path) as file:
    MODEL = json.load(file)
failed = False


def complain(text):
    global failed
    failed = True
    print(text)


def run(cpus, seed, **changes):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({**MODEL, **changes, "cpus": cpus}, file)
        file.flush()
        out = subprocess.run([*program, "run", "loaded", "--no-samples", "--simulate", file.name,
                              "--seed", str(seed), "--json", "-"], stdout=subprocess.PIPE)
    return json.loads(out.stdout)["probes"]["loaded"]


def falls(result, reads):
    """Pairs of points of which the one with surely more load is surely faster."""
    loads = {tuple(point["at"]): point for point in result["series"]["load"]["points"]}
    curve = [(loads[tuple(point["at"])], point) for point in result["series"]["latency"]["points"]
             if point["at"][1] == reads and point["n"]]
    if len(curve) != 12:
        return [f"{len(curve)} of 12 loads were measured"]
    return [f"{more['at']} is faster than {less['at']}" for load, less in curve
            for other, more in curve
            if other["low"] > load["high"] and more["high"] < less["low"]]


# What is planted: CPUs, rates of one and of all, whether that is the peak, the most load.
CASES = [
    ("eight CPUs saturate memory", "0-7", 1e10, 4e10, True, 0.95 * 4e10),
    ("two CPUs do not", "0-1", 1e10, 4e10, False, 1e10),
    ("two CPUs that do", "0-1", 2e10, 2e10, True, 0.95 * 2e10),
    ("four CPUs reach half of it", "0-3", 1e10, 6e10, False, 3e10),
]


def check(case, seed, noise):
    what, cpus, one, together, peak, wanted = case
    model = {"bandwidth": {"memory_rate": one, "memory_rate_all": together}}
    if noise:
        model["noise"] = {**MODEL.get("noise", {}), "sigma": noise}
    result = run(cpus, seed, **model)
    findings = result["findings"]
    bad = [f"{control['what']}: {control['observed']}"
           for control in result["controls"] if not control["ok"]]
    for reads in 100, 75, 50:
        most, knee = (findings[f"loaded.reads{reads}.{name}"] for name in ("most", "knee"))
        bad += [f"{reads} % reads: {line}" for line in falls(result, reads)]
        if abs(most["value"] / wanted - 1) > 0.03:
            bad.append(f"{reads} % reads: most {most['value']}, not {wanted}")
        if peak:
            # u^2 / (1 - u) = 1 at u = 0.618
            if most["reason"] or not most["method"].startswith("peak") or \
                    not knee["low"] <= 0.618 * together <= knee["high"]:
                bad.append(f"{reads} % reads: {most['method']}, {most['reason']}, knee {knee}")
        elif knee["value"] is not None or "not the peak" not in (most["reason"] or "") or \
                not most["method"].startswith("most reached"):
            bad.append(f"{reads} % reads: claims {knee}, {most['method']}, {most['reason']}")
    for line in bad:
        complain(f"{what}, seed {seed}, noise {noise}: {line}")


for seed in range(1, seeds + 1):
    for case in CASES:
        check(case, seed, 0)
        check(case, seed, 0.1)
alone = run("0", 1)
if alone["status"] != "unavailable" or "two CPUs" not in alone["reason"]:
    complain(f"one CPU: {alone['status']}: {alone['reason']}")
sys.exit(failed)
