#!/usr/bin/env python3
"""Planted memory comes back: lines, translation, throughput and faults.

usage: memory.py SEEDS PROBE MODELS... -- SONDE [ARGUMENT...]

For each model and seed the probe is run on the planted machine; what was planted must lie
inside the interval of its finding. One finding in ten may miss (an interval is a statement of
probability), and a finding that is not there is a miss.
"""
import json
import os
import subprocess
import sys

split = sys.argv.index("--")
seeds, probe = int(sys.argv[1]), sys.argv[2]
models, program = sys.argv[3:split], sys.argv[split + 1:]


def truths(model):
    if probe == "line":
        return {"line.size": model.get("line_bytes", 64)}
    if probe == "mountain":
        words = model.get("loads", {}).get("per_cycle", 3)
        line = model.get("line_bytes", 64)
        truth = {"mountain.words_per_cycle": words, "mountain.load_ports": words,
                 "mountain.peak": 8 * words * model["core_hz"]}
        if line < 120:  # within the strides
            truth["mountain.line"] = line
        return truth
    raise SystemExit(f"nothing is known of {probe}")


def run(path, seed):
    out = subprocess.run([*program, "run", probe, "--no-samples", "--simulate", path,
                          "--seed", str(seed), "--json", "-"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)["probes"][probe]


failed = False
for path in models:
    with open(path) as file:
        truth = truths(json.load(file))
    bad = []
    for seed in range(1, seeds + 1):
        result = run(path, seed)
        for name, value in truth.items():
            found = result["findings"].get(name, {})
            if found.get("low") is None or not found["low"] <= value <= found["high"]:
                bad.append(f"seed {seed}: {name} is {found.get('value')} "
                           f"[{found.get('low')}, {found.get('high')}], planted {value}")
        bad += [f"seed {seed}: control {control['what']}: {control['observed']}"
                for control in result.get("controls", []) if not control["ok"]]
    ok = len(bad) <= seeds * len(truth) // 10
    failed |= not ok
    print("ok" if ok else "FAILED", os.path.basename(path), f"{len(bad)} misses")
    for line in bad[:8]:
        print("   ", line)
sys.exit(failed)
