#!/usr/bin/env python3
"""Planted queues before memory come back as curves; few CPUs do not claim a peak.

usage: loaded.py SEEDS MODEL.json -- PROGRAM...

MODEL has several CPUs; it is run as it is, with two CPUs, and with one.
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
MODEL["bandwidth"] = {"memory_rate": 1e10, "memory_rate_all": 4e10}
failed = False


def complain(text):
    global failed
    failed = True
    print(text)


def run(cpus, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(dict(MODEL, cpus=cpus), file)
        file.flush()
        out = subprocess.run([*program, "run", "loaded", "--no-samples", "--simulate", file.name,
                              "--seed", str(seed), "--json", "-"], stdout=subprocess.PIPE)
    return json.loads(out.stdout)["probes"]["loaded"]


def check(cpus, seed):
    result = run(cpus, seed)
    findings = result["findings"]
    for control in result["controls"]:
        if not control["ok"]:
            complain(f"{cpus}, seed {seed}: {control['what']}: {control['observed']}")
    for reads in 100, 75, 50:
        most, knee = (findings[f"loaded.reads{reads}.{what}"] for what in ("most", "knee"))
        wanted = 0.95 * 4e10 if cpus == "0-7" else 1e10
        if abs(most["value"] / wanted - 1) > 0.03:
            complain(f"{cpus}, seed {seed}: {reads} % reads: most {most['value']}, not {wanted}")
        if cpus == "0-7":
            # u^2 / (1 - u) = 1 at u = 0.618
            if most["reason"] or not knee["low"] <= 0.618 * 4e10 <= knee["high"]:
                complain(f"{cpus}, seed {seed}: {reads} % reads: knee {knee}, {most['reason']}")
        elif knee["value"] is not None or "not the peak" not in (most["reason"] or ""):
            complain(f"{cpus}, seed {seed}: {reads} % reads: claims {knee}, {most['reason']}")


for seed in range(1, seeds + 1):
    check("0-7", seed)
    check("0-1", seed)
alone = run("0", 1)
if alone["status"] != "unavailable" or "two CPUs" not in alone["reason"]:
    complain(f"one CPU: {alone['status']}: {alone['reason']}")
sys.exit(failed)
