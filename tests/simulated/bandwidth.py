#!/usr/bin/env python3
"""Planted rates come back; planted faults of counting and of the clock do not get through.

usage: bandwidth.py SEEDS -- PROGRAM...
"""
import json
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
seeds = int(sys.argv[1])
program = sys.argv[split + 1:]
HZ = 3e9
BASE = {
    "name": "streams", "cpu": "Planted streams", "cpus": "0-3", "core_hz": HZ,
    "timer": {"tick_hz": 1e9, "step_ns": 1, "cost_ns": 20},
    "levels": [{"name": "l1d", "size_bytes": 32768, "ways": 8, "latency_cycles": 4},
               {"name": "l2", "size_bytes": 524288, "ways": 8, "latency_cycles": 14}],
    "memory": {"latency_ns": 90, "bytes": 8 << 30},
    "translation": {"l1_entries": 64, "l2_entries": 2048, "l1_miss_cycles": 7, "walk_cycles": 30},
    "noise": {"sigma": 0.02, "jitter": 0.002, "spike_probability": 0.01, "spike_ns": 20000},
    "bandwidth": {"load_ports": 2, "store_ports": 1, "vector_bytes": 16,
                  "cache_bytes_per_cycle": 16, "memory_rate": 2e10, "memory_rate_all": 5e10},
}
RIGHT = {
    "bandwidth.l1d.read": 32 * HZ, "bandwidth.l1d.write": 16 * HZ, "bandwidth.l1d.copy": 32 * HZ,
    "bandwidth.l2.read": 16 * HZ, "bandwidth.l2.write": 8 * HZ,
    "bandwidth.memory.read": 2e10, "bandwidth.memory.write": 1e10,
    "bandwidth.memory.nt_write": 2e10, "bandwidth.memory.nt_triad": 2e10,
    "bandwidth.memory.write.traffic": 2e10,
    "bandwidth.memory.read.threads": 5e10, "bandwidth.l1d.read.threads": 4 * 32 * HZ,
    "bandwidth.ports.loads": 2, "bandwidth.ports.stores": 1,
}


def model(**changes):
    planted = json.loads(json.dumps(BASE))
    for part, values in changes.items():
        if isinstance(values, dict):
            planted.setdefault(part, {}).update(values)
        else:
            planted[part] = values
    return planted


# What is planted, what must come back, and what must not have a value, with its reason.
CASES = [
    ("plain", model(), RIGHT, {}),
    ("clock interrupted around 15 % of the samples", model(noise={"pulse_faults": 0.15}), RIGHT, {}),
    *[(f"{count} times less is done than counted", model(bandwidth={"miscount": count}), {},
       {f"bandwidth.l1d.{operation}": "ports" for operation in ("read", "write", "copy", "triad")})
      for count in (1.1, 1.25, 1.5)],
    ("narrow loads thrice a cycle, wide ones twice",
     model(bandwidth={"load_ports": 3, "vector_load_ports": 2}),
     RIGHT | {"bandwidth.ports.loads": 3}, {}),
    *[(f"the same, and {count} times less is done than counted",
       model(bandwidth={"load_ports": 3, "vector_load_ports": 2, "miscount": count}), {},
       {"bandwidth.l1d.read": "ports"}) for count in (1.1, 1.25, 1.5)],
    ("three times less is done than counted", model(bandwidth={"miscount": 3}), {},
     {"bandwidth.l1d.read": "ports"}),
    ("six times less is done than counted", model(bandwidth={"miscount": 6}), {},
     {"bandwidth.l1d.read": "ports", "bandwidth.l1d.copy": "ports"}),
    ("the clock chain always interrupted", model(noise={"pulse_faults": 1}), {},
     {"bandwidth.l1d.read": "ports", "bandwidth.l1d.copy": "ports"}),
    ("writes read nothing", model(bandwidth={"no_allocate": True}),
     {"bandwidth.memory.write": 2e10}, {"bandwidth.memory.write.traffic": "too little"}),
    ("memory saturated by one thread", model(bandwidth={"memory_rate_all": 2e10}),
     {"bandwidth.memory.saturation": 1}, {}),
    ("memory saturated by two threads", model(bandwidth={"memory_rate_all": 4e10}),
     {"bandwidth.memory.saturation": 2}, {}),
    ("one CPU", model(cpus="0"), {"bandwidth.memory.read": 2e10},
     {"bandwidth.memory.read.threads": "one is allowed"}),
    ("little memory", model(memory={"bytes": 64 << 20}), {"bandwidth.l1d.read": 32 * HZ},
     {"bandwidth.memory.read": "needs 256 MiB"}),
    ("a neighbour in spells",
     model(neighbour={"slowdown": 1.6, "on_s": 0.5, "off_s": 0.5}),
     {"bandwidth.l1d.read": 32 * HZ}, {}),
]


def run(planted, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(planted, file)
        file.flush()
        out = subprocess.run([*program, "run", "bandwidth", "--no-samples", "--simulate", file.name,
                              "--seed", str(seed), "--json", "-"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)["probes"]["bandwidth"]


failed = False
for what, planted, wanted, withheld in CASES:
    bad = []
    for seed in range(1, seeds + 1):
        findings = run(planted, seed)["findings"]
        for name, value in wanted.items():
            found = findings.get(name, {}).get("value")
            if found is None or abs(found / value - 1) > 0.03:
                bad.append(f"seed {seed}: {name} is {found}, planted {value}")
        for name, reason in withheld.items():
            finding = findings.get(name, {"value": None, "reason": "missing"})
            if finding["value"] is not None or reason not in finding["reason"]:
                bad.append(f"seed {seed}: {name} is {finding['value']}: {finding['reason']}")
    failed |= bool(bad)
    print("FAILED" if bad else "ok", what)
    for line in bad[:8]:
        print("   ", line)
sys.exit(failed)
