#!/usr/bin/env python3
"""Planted nodes of memory come back pair by pair; a machine with one has no such probe.

usage: numa.py SEEDS -- PROGRAM...
"""
import json
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
seeds = int(sys.argv[1])
program = sys.argv[split + 1:]
BASE = {
    "name": "nodes", "cpu": "Planted nodes", "cpus": "0-3", "core_hz": 3e9,
    "timer": {"tick_hz": 1e9, "step_ns": 1, "cost_ns": 20},
    "levels": [{"name": "l1d", "size_bytes": 32768, "ways": 8, "latency_cycles": 4},
               {"name": "l2", "size_bytes": 524288, "ways": 8, "latency_cycles": 14}],
    "memory": {"latency_ns": 90, "bytes": 8 << 30},
    "translation": {"l1_entries": 64, "l2_entries": 2048, "l1_miss_cycles": 7, "walk_cycles": 30},
    "noise": {"sigma": 0.02, "jitter": 0.002, "spike_probability": 0.01, "spike_ns": 20000},
    "bandwidth": {"memory_rate": 2e10, "memory_rate_all": 3e10},
}
CASES = [
    ("two nodes", "0-3", {"count": 2, "cpus": 2, "far_ns": 60, "far_rate": 0.5}),
    ("three in a row", "0-5", {"count": 3, "cpus": 2, "far_ns": 45, "far_rate": 0.7}),
    ("two, and one of memory alone", "0-3", {"count": 3, "cpus": 2, "far_ns": 80, "far_rate": 0.4}),
    ("one node cannot be used from", "0-1", {"count": 2, "cpus": 2, "far_ns": 60, "far_rate": 0.5}),
    ("nodes that are alike", "0-3", {"count": 2, "cpus": 2}),
]
failed = False


def run(planted, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(planted, file)
        file.flush()
        out = subprocess.run([*program, "run", "numa", "--no-samples", "--simulate", file.name,
                              "--seed", str(seed), "--json", "-"], stdout=subprocess.PIPE)
    return json.loads(out.stdout)["probes"]["numa"]


def pairs(result, name):
    return {(int(point["at"][0]), int(point["at"][1])): point["best"]
            for point in result["series"][name]["points"]}


def close(found, wanted, part):
    return found is not None and abs(found / wanted - 1) <= part


def check(cpus, nodes, seed):
    result = run(dict(BASE, cpus=cpus, nodes=nodes), seed)
    used = (int(cpus[2:]) + 1) // nodes["cpus"]
    latency, rate = pairs(result, "latency"), pairs(result, "rate")
    bad = [f"control {control['what']}: {control['observed']}"
           for control in result["controls"] if not control["ok"]]
    wanted = {(a, b): abs(a - b) for a in range(used) for b in range(nodes["count"])}
    if set(latency) != set(wanted) or set(rate) != set(wanted):
        return bad + [f"pairs {sorted(latency)} and {sorted(rate)}, planted {sorted(wanted)}"]
    # The same translation for all pairs, beside what memory takes.
    base = latency[0, 0] - BASE["memory"]["latency_ns"]
    ns = {pair: 90 + base + hops * nodes.get("far_ns", 0) for pair, hops in wanted.items()}
    moved = {pair: 3e10 * nodes.get("far_rate", 1) ** hops for pair, hops in wanted.items()}
    if not 0 <= base < 25:
        bad.append(f"own memory takes {latency[0, 0]} ns")
    bad += [f"{pair}: {latency[pair]} ns, planted {ns[pair]}"
            for pair in wanted if not close(latency[pair], ns[pair], 0.03)]
    bad += [f"{pair}: {rate[pair]} bytes/s, planted {moved[pair]}"
            for pair in wanted if not close(rate[pair], moved[pair], 0.03)]
    ends = {"numa.nearest": min(ns.values()), "numa.farthest": max(ns.values()),
            "numa.far_cost": max(ns.values()) / min(ns.values()),
            "numa.most": max(moved.values()), "numa.least": min(moved.values())}
    bad += [f"{name}: {result['findings'][name]['value']}, planted {value}"
            for name, value in ends.items()
            if not close(result["findings"][name]["value"], value, 0.04)]
    if nodes.get("far_ns") and "memory of node" not in result["findings"]["numa.farthest"]["reason"]:
        bad.append("the farthest pair is not named")
    return bad


for what, cpus, nodes in CASES:
    bad = [f"seed {seed}: {line}" for seed in range(1, seeds + 1) for line in check(cpus, nodes, seed)]
    failed |= bool(bad)
    print("FAILED" if bad else "ok", what)
    for line in bad[:8]:
        print("   ", line)
alone = run(BASE, 1)
if alone["status"] != "unavailable" or "two nodes" not in alone["reason"]:
    failed = True
    print(f"FAILED one node: {alone['status']}: {alone.get('reason')}")
sys.exit(failed)
