"""Calibration: pairs of groups of runs of one planted machine against itself give at most
one false alarm in twenty; a tenth more latency of its second level is found.

    compare.py MODEL -- SONDE...
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

model, sonde = sys.argv[1], sys.argv[sys.argv.index("--") + 1:]
scratch = pathlib.Path(tempfile.mkdtemp())
CHEAP = ["ways", "chain", "arith", "denormal", "branch", "atomics", "locks"]


def group(name, machine, seed, runs, probes):
    path = scratch / f"{name}.json"
    subprocess.run(sonde + ["run", "--simulate", str(machine), "--seed", str(seed), "--repeat",
                            str(runs), "--no-samples", "--quiet", "--json", str(path)] + probes,
                   check=True)
    return path


def compare(a, b):
    done = subprocess.run(sonde + ["compare", str(a), str(b)], capture_output=True, text=True)
    assert done.returncode in (0, 4), done.stderr
    return done.returncode == 4, done.stdout


faults = []
# Seven sides make 21 pairs, of which twenty are taken.
sides = [group(f"self{i}", model, 1000 * i + 1, 4, CHEAP) for i in range(7)]
alarms = []
for a, b in list(itertools.combinations(sides, 2))[:20]:
    real, text = compare(a, b)
    if real:
        alarms.append(text)
print(f"{len(alarms)} false alarms in 20 pairs")
if len(alarms) > 1:
    faults += alarms
machine = json.loads(pathlib.Path(model).read_text())
for level in machine["levels"]:
    if level["name"] == "l2":
        level["latency_cycles"] *= 1.1
slower = scratch / "slower-model.json"
slower.write_text(json.dumps(machine))
before = group("before", model, 11, 4, ["ways", "latency"])
after = group("after", slower, 77, 4, ["ways", "latency"])
real, text = compare(before, after)
found = [line for line in text.splitlines() if line.startswith("L2 latency") and "worse" in line]
if not real or not found:
    faults.append("a tenth more of L2 latency is not found:\n" + text)
print("\n".join(faults))
sys.exit(bool(faults))
