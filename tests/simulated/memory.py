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
BEFORE = {"mlp": ["ways", "latency"]}
models, program = sys.argv[3:split], sys.argv[split + 1:]


def truths(model):
    if probe == "line":
        return {"line.size": model.get("line_bytes", 64)}
    if probe == "tlb":
        translation = model["translation"]
        return {"tlb.l1.entries": translation["l1_entries"],
                "tlb.l1.miss_cycles": translation["l1_miss_cycles"],
                "tlb.l2.entries": translation["l2_entries"],
                "tlb.walk_cycles": translation["l1_miss_cycles"] + translation["walk_cycles"],
                "page.granule": model.get("granule_bytes", model["page_bytes"])}
    if probe == "fault":
        first = model.get("page_fault_ns", 1000)
        recycled, huge = model.get("recycled_fault_ns", first), model.get("huge_fault_ns", 100 * first)
        bytes, page = model.get("huge_bytes", 2 << 20), model.get("page_bytes", 4096)
        truth = {"fault.first": first, "fault.calloc": first, "fault.recycled": recycled}
        # A quarter of the memory is used, and six huge pages are wanted.
        if 6 * bytes <= model["memory"]["bytes"] / 4:
            truth |= {"fault.huge": huge, "fault.huge_saving": bytes / page * recycled / huge}
        return truth
    if probe == "alias":
        first, second = (level["latency_cycles"] for level in model["levels"][:2])
        if not model.get("way_predictor"):
            return {"alias.cost": 1, "alias.latency_cycles": first}
        return {"alias.agreement": 1, "alias.second_level": 1,
                "alias.cost": (first + 31 / 32 * (second - first)) / first,
                "alias.latency_cycles": first + 31 / 32 * (second - first)}
    if probe == "ways":
        first, second = model["levels"][:2]
        truth = {}
        for name, level in (("l1d", first), ("l2", second)):
            line = model.get("line_bytes", 64)
            if level is second and level["size_bytes"] < 4 * level["ways"] * model["page_bytes"]:
                continue  # hardly a set at each offset of a page: not looked for there
            truth[f"{name}.ways"] = level["ways"]
            if level is first:
                truth |= {"l1d.size": level["size_bytes"],
                          "l1d.sets": level["size_bytes"] // (level["ways"] * line)}
        allocates = not model.get("bandwidth", {}).get("no_allocate")
        return truth | {
            "ways.replacement": "random" if first.get("replacement") == "random" else "as LRU",
            "ways.write_miss": "allocates" if allocates else "does not allocate",
            "ways.inclusion": "inclusive" if model["levels"][-1].get("inclusive")
                              else "not inclusive"}
    if probe == "mlp":
        levels = model["levels"]
        found = {"mlp.memory": model["memory"].get("parallel", 24),
                 "mlp.llc": levels[-1].get("parallel", 12)}
        if len(levels) == 2:
            return {"mlp.memory": found["mlp.memory"], "mlp.l2": found["mlp.llc"]}
        return {"mlp.l2": levels[1].get("parallel", 12), **found}
    if probe == "prefetch":
        planted = model.get("prefetch", {})
        # The next power of two is the first stride that is tried and not seen.
        return {"prefetch.stride": planted.get("reach_bytes", 2048),
                "prefetch.restart": planted.get("restart_lines", 2)}
    if probe == "forward":
        planted = {"latency_cycles": 5, "renamed_cycles": 5, "failure_cycles": 14,
                   "alias_cycles": 0, "split_cycles": 1, "page_split_cycles": 1,
                   **model.get("forward", {})}
        names = {"renamed_cycles": "same_cycles", "split_cycles": "line_split_cycles"}
        return {"forward." + names.get(name, name): value for name, value in planted.items()}
    if probe == "mountain":
        words = model.get("loads", {}).get("per_cycle", 3)
        line = model.get("line_bytes", 64)
        truth = {"mountain.words_per_cycle": words, "mountain.load_ports": words,
                 "mountain.peak": 8 * words * model["core_hz"]}
        if line < 120:  # within the strides
            truth["mountain.line"] = line
        return truth
    clock = model["core_hz"] * 1e-9
    words = model.get("loads", {}).get("per_cycle", 3)
    if probe == "stride":
        return {"stride.dense": 1 / words / clock}
    if probe == "layout":
        # Scattered elements beyond the caches: a line each, or one for each field.
        return {"layout.bytes_used": 8 * max(1, model.get("line_bytes", 64) / 64),
                "layout.all_scattered": 8}
    raise SystemExit(f"nothing is known of {probe}")


def near(found, value):
    """Inside the interval, or, for cycles, which have a clock to go by, within 3 % and 0.1."""
    if isinstance(value, str):
        return found["value"] == value
    if found["low"] <= value <= found["high"]:
        return True
    return found["unit"] == "cycles" and abs(found["value"] - value) <= 0.03 * value + 0.1


def run(path, seed):
    out = subprocess.run([*program, "run", *BEFORE.get(probe, [] if probe in ("line", "prefetch", "forward") else ["line"]), probe, "--no-samples", "--simulate", path,
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
            if found.get("value") is None or not near(found, value):
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
