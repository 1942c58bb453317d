#!/usr/bin/env python3
"""A planted system comes back, and one behind a sandbox is said to be out of the ordinary.

usage: system.py SEEDS ORDINARY.json INTERCEPTED.json ONE_CPU.json -- SONDE [ARGUMENT...]
"""
import json
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
seeds, models, program = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]


def run(path, seed):
    out = subprocess.run([*program, "run", "os", "--simulate", path, "--seed", str(seed),
                          "--quiet", "--json", "-"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)["probes"]["os"]


def planted(path):
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    system = {"syscall_ns": 200, "vdso_ns": 25, "map_ns": 900, "signal_ns": 1500,
              "thread_ns": 20000, "process_ns": 150000, "exec_ns": 600000, "switch_ns": 1500,
              "wake_ns": 3000, "intercept_ns": 0, **model.get("system", {})}
    call = system["syscall_ns"] + system["intercept_ns"]
    return {"os.syscall": call, "os.vdso": system["vdso_ns"],
            "os.process": system["process_ns"] + 3 * system["intercept_ns"],
            "os.fault": model.get("page_fault_ns", 1000),
            "os.pipe.other": 2 * call + system["wake_ns"],
            "os.switch.same": system["switch_ns"], "os.switch.other": system["wake_ns"]}


def run_with(seed, **system):
    """The ordinary machine with some of its system replaced."""
    with open(models[0], encoding="utf-8") as file:
        model = json.load(file)
    model["page_fault_ns"] = system.pop("page_fault_ns", 1000)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({**model, "system": {**model.get("system", {}), **system}}, file)
        file.flush()
        return run(file.name, seed)["findings"]


# What is planted, and which calls are then out of the ordinary.
ODD = [
    ("a sandbox without a clock", {"intercept_ns": 2300, "vdso_ns": 2500}, ["syscall", "vdso"]),
    ("a slow sandbox", {"intercept_ns": 20000}, ["syscall"]),
    ("a clock by system call", {"vdso_ns": 210}, ["vdso"]),
    ("slow processes", {"process_ns": 1e7}, ["process"]),
    ("slow page faults", {"page_fault_ns": 60000}, ["fault"]),
    ("a slow handoff", {"wake_ns": 400000}, ["pipe.other", "eventfd.other", "futex.other"]),
    ("a fast kernel", {"syscall_ns": 60, "vdso_ns": 18, "page_fault_ns": 300}, []),
    ("a kernel with all mitigations", {"syscall_ns": 1100, "vdso_ns": 30, "page_fault_ns": 900}, []),
]


def check_odd(seed):
    wrong = []
    for what, system, calls in ODD:
        unusual = run_with(seed, **system)["os.unusual"]
        reason = unusual["reason"] or ""
        if unusual["value"] != len(calls) or not all(f"{call} (" in reason for call in calls):
            wrong.append(f"{what}: {unusual['value']}: {reason}")
    return wrong


failed = False
for seed in range(1, seeds + 1):
    wrong = check_odd(seed)
    ordinary, intercepted, alone = (run(path, seed) for path in models)
    for name, value in planted(models[0]).items():
        found = ordinary["findings"][name]["value"]
        if found is None or abs(found - value) > 0.05 * value:
            wrong.append(f"{name} is {found}, planted {value}")
    wrong += [c["what"] for c in ordinary["controls"] if not c["ok"]]
    if ordinary["findings"]["os.unusual"]["value"] != 0:
        wrong.append("an ordinary system is called unusual")
    found = intercepted["findings"]
    if abs(found["os.syscall"]["value"] / planted(models[1])["os.syscall"] - 1) > 0.05:
        wrong.append(f"intercepted: os.syscall is {found['os.syscall']['value']}")
    if "out of the ordinary" not in (found["os.syscall"]["reason"] or ""):
        wrong.append("an intercepted call is not said to be out of the ordinary")
    if not found["os.unusual"]["value"] or "syscall" not in found["os.unusual"]["reason"]:
        wrong.append("os.unusual does not name the call")
    if all(control["ok"] for control in intercepted["controls"]):
        wrong.append("no control fails where calls are intercepted")
    for name in ("os.pipe.other", "os.switch.other"):
        if alone["findings"][name]["value"] is not None or not alone["findings"][name]["reason"]:
            wrong.append(f"one CPU: {name} has a value, or no reason")
    if "two CPUs" not in alone["findings"]["os.pipe.other"]["reason"] or \
            not alone["findings"]["os.switch.same"]["value"]:
        wrong.append("one CPU: the reason, or the switch on it, is not there")
    for line in wrong:
        print(f"seed {seed}: {line}")
    failed |= bool(wrong)
sys.exit(failed)
