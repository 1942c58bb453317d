#!/usr/bin/env python3
"""Planted threads come back: siblings, clusters, a granule of two lines; siblings that are
declared and are none, and the other way round; 512 CPUs within the time; threads that do not
run at the same time, or not where they belong.

usage: threads.py SEEDS MODEL.json -- PROGRAM...
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
seeds, path = int(sys.argv[1]), sys.argv[2]
program = sys.argv[split + 1:]
with open(path, encoding="utf-8") as file:
    MODEL = json.load(file)
WANTED = {"sharing.granule": 128, "c2c.sibling_pairs": 4, "c2c.groups1": 4, "c2c.groups2": 2,
          "c2c.together": 1}
TEAMS = ["sharing", "atomics", "locks", "c2c", "os", "bandwidth", "loaded"]
complaints = []


def complain(what, *rest):
    complaints.append(what + ": " + " ".join(str(part) for part in rest))


def run(model, seed, *probes, budget="20"):
    """The probes of a run on `model`."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(model, file)
    try:
        out = subprocess.run([*program, "run", *probes, "--no-samples", "--simulate", file.name,
                              "--seed", str(seed), "--budget", budget, "--json", "-"],
                             stdout=subprocess.PIPE, check=True)
    finally:
        os.unlink(file.name)
    return json.loads(out.stdout)["probes"]


def findings(probes):
    return {name: finding for probe in probes.values()
            for name, finding in probe["findings"].items()}


def variant(**threads):
    model = copy.deepcopy(MODEL)
    model["threads"].update(threads)
    return model


def declare(model, cores):
    model["declared"] = [row for row in model["declared"] if row["name"] != "smt.cores"]
    if cores:
        model["declared"].append({"name": "smt.cores", "value": cores})
    return model


def planted_values():
    for seed in range(1, seeds + 1):
        found = findings(run(MODEL, seed, "sharing", "atomics", "locks", "c2c"))
        for name, value in WANTED.items():
            if found[name]["value"] != value:
                complain(f"seed {seed}", name, "is", found[name]["value"], "wanted", value)
        if found["c2c.sibling_pairs"]["verdict"] != "agrees":
            complain(f"seed {seed}", "siblings as declared:", found["c2c.sibling_pairs"])
        for name in ("ordered", "store", "fence"):
            alone, contended, private = (found[f"atomics.{name}.{how}"]["value"]
                                         for how in ("alone", "contended", "private"))
            if not contended > 3 * alone or not private < 1.5 * alone:
                complain(f"seed {seed}", name, alone, contended, private)
        for name in ("read", "write", "spin", "mutex"):
            if not found[f"locks.{name}.contended"]["value"] > 3 * found[f"locks.{name}.alone"]["value"]:
                complain(f"seed {seed}", "lock", name)


def siblings_against_declared():
    singles = "; ".join(str(cpu) for cpu in range(8))
    shifted = "0,7; 1-2; 3-4; 5-6"
    rows = [
        # siblings planted, cores declared, pairs found, verdict, named in the reason
        (2, "0-1; 2-3; 4-5; 6-7", 4, "agrees", "28 of 28 pairs tried"),
        (2, singles, 4, "contradicts", "0 and 1 share a core, not declared"),
        (2, shifted, 4, "contradicts", "1 and 2 are declared to, and do not"),
        (1, "0-1; 2-3; 4-5; 6-7", 0, "contradicts", "0 and 1 are declared to, and do not"),
        (1, singles, 0, "agrees", "28 of 28 pairs tried"),
        (2, "nonsense", 4, "undeclared", "28 of 28 pairs tried"),
        (2, None, 4, "undeclared", "28 of 28 pairs tried"),
    ]
    for planted, cores, pairs, verdict, words in rows:
        finding = findings(run(declare(variant(siblings=planted), cores), 1, "c2c"))[
            "c2c.sibling_pairs"]
        if (finding["value"], finding["verdict"]) != (pairs, verdict) or \
                words not in finding["reason"]:
            complain(f"{planted} siblings, declared {cores}", finding)


def many_cpus():
    """512 CPUs: two threads a core, half the list apart; clusters of 16 CPUs."""
    cores = "; ".join(f"{cpu},{cpu + 256}" for cpu in range(256))
    model = variant(siblings=2, numbered_apart=256, cluster=16, start_ns=60000, cluster_ns=40,
                    far_ns=180)
    model["cpus"] = "0-511"
    for seed in range(1, 4):
        probes = run(declare(model, cores), seed, "c2c", budget="3")
        found = findings(probes)
        got = {name: found.get(name, {}).get("value")
               for name in ("c2c.sibling_pairs", "c2c.groups1", "c2c.groups2")}
        if got != {"c2c.sibling_pairs": 256, "c2c.groups1": 256, "c2c.groups2": 32}:
            complain(f"512 CPUs, seed {seed}", got)
        if found["c2c.sibling_pairs"]["verdict"] != "agrees":
            complain("512 CPUs", found["c2c.sibling_pairs"])
        if "512 of 512 CPUs looked at: 0-7,256-263 | 8-15,264-271" not in found["c2c.groups2"]["reason"]:
            complain("512 CPUs", found["c2c.groups2"]["reason"])
        sampled = found["c2c.sampled"]
        if not 0.005 < sampled["value"] < 0.03 or "of 130816 pairs" not in sampled["reason"]:
            complain("512 CPUs", sampled)
        if probes["c2c"]["seconds"] > 3.3:  # a visit may be under way
            complain("512 CPUs", probes["c2c"]["seconds"], "s of 3")
    # The first CPU of each core declared with the next one: pairs that are none.
    wrong = "; ".join(f"{cpu}-{cpu + 1}" for cpu in range(0, 512, 2))
    finding = findings(run(declare(model, wrong), 1, "c2c", budget="3"))["c2c.sibling_pairs"]
    if finding["verdict"] != "contradicts" or "0 and 256 share a core, not declared" not in finding["reason"]:
        complain("512 CPUs, wrongly declared", finding)
    # A budget far too short: nothing wrong is told, and it ends.
    probes = run(model, 1, "c2c", budget="0.3")
    if probes["c2c"]["seconds"] > 0.6:
        complain("512 CPUs", probes["c2c"]["seconds"], "s of 0.3")
    # 32 CPUs: all pairs are measured, some are tried.
    model = variant(siblings=2, numbered_apart=16, cluster=8, start_ns=60000)
    model["cpus"] = "0-31"
    found = findings(run(declare(model, None), 1, "c2c", budget="3"))
    got = {name: found.get(name, {}).get("value")
           for name in ("c2c.sibling_pairs", "c2c.groups1", "c2c.groups2", "c2c.sampled")}
    if got != {"c2c.sibling_pairs": 16, "c2c.groups1": 16, "c2c.groups2": 4, "c2c.sampled": None}:
        complain("32 CPUs", got)


def of_two(name, probe):
    """Does the finding come of several threads at once?"""
    if probe in ("sharing", "c2c"):
        return name not in ("c2c.together",)
    if probe == "atomics":
        return not name.endswith(".alone")
    if probe == "locks":
        return not name.endswith(".alone")
    if probe == "bandwidth":
        return name.endswith(".threads")
    if probe == "loaded":
        return name != "loaded.unloaded"
    return ".other" in name and not name.endswith(".p90")


def not_at_once():
    for what, threads in (("80 % together", {"together": 0.8}), ("elsewhere", {"in_place": 0})):
        probes = run(variant(**threads), 1, *TEAMS, budget="40")
        for probe in TEAMS:
            several = {name: finding for name, finding in probes[probe]["findings"].items()
                       if of_two(name, probe)}
            if not several:
                complain(what, probe, "tells nothing")
            for name, finding in several.items():
                if finding["verdict"] != "not_measurable" or finding["value"] is not None or \
                        "less than 90 %" not in finding["reason"]:
                    complain(what, name, finding)
            if what == "elsewhere":
                continue
            for name, finding in probes[probe]["findings"].items():
                if name.endswith(".alone") and finding["value"] is None:
                    complain(what, name, "is of one thread", finding)
        together = findings(probes)["c2c.together"]
        if together["value"] != 0 or all(control["ok"] for control in probes["c2c"]["controls"]):
            complain(what, together)
    # Half of the samples in place: the others are used, and it is told.
    probes = run(variant(in_place=0.5), 1, *TEAMS[:4], budget="20")
    found = findings(probes)
    for name in ("sharing.granule", "c2c.sibling_pairs", "c2c.groups2"):
        if found[name]["value"] != WANTED.get(name):
            complain("half in place", name, found[name])
    if not 0.4 < found["c2c.together"]["value"] < 0.6:
        complain("half in place", found["c2c.together"])
    refused = [point.get("apart", 0) for series in probes["atomics"]["series"].values()
               for point in series["points"]]
    if not all(refused):
        complain("half in place", "points without refused samples:", refused)


for test in (planted_values, siblings_against_declared, many_cpus, not_at_once):
    test()
for complaint in complaints:
    print(complaint)
sys.exit(1 if complaints else 0)
