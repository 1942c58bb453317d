#!/usr/bin/env python3
"""Planted siblings, clusters and a granule of two lines come back.

usage: threads.py SEEDS MODEL.json -- PROGRAM...
"""
import json
import subprocess
import sys

split = sys.argv.index("--")
seeds, path = int(sys.argv[1]), sys.argv[2]
program = sys.argv[split + 1:]
WANTED = {"sharing.granule": 128, "c2c.sibling_pairs": 4, "c2c.groups1": 4, "c2c.groups2": 2}
failed = False
for seed in range(1, seeds + 1):
    out = subprocess.run([*program, "run", "sharing", "atomics", "locks", "c2c", "--no-samples",
                          "--simulate", path, "--seed", str(seed), "--json", "-"],
                         stdout=subprocess.PIPE, check=True)
    probes = json.loads(out.stdout)["probes"]
    found = {name: finding["value"] for probe in probes.values()
             for name, finding in probe["findings"].items()}
    bad = {name: found.get(name) for name, value in WANTED.items() if found.get(name) != value}
    if not found["atomics.ordered.contended"] > 3 * found["atomics.ordered.alone"]:
        bad["atomics.ordered.contended"] = found["atomics.ordered.contended"]
    for name, value in bad.items():
        print(f"seed {seed}: {name} is {value}, wanted {WANTED.get(name)}")
    failed |= bool(bad)
sys.exit(failed)
