#!/usr/bin/env python3
"""Planted arithmetic comes back: latencies, rates, and what subnormal numbers cost.

usage: arithmetic.py SEEDS MODELS... -- SONDE [ARGUMENT...]

`sonde run chain arith denormal` on each model and seed; each planted figure within 3 %, each
control held, and a core without a penalty said to have none.
"""
import json
import subprocess
import sys

DEFAULTS = {"fadd_cycles": 3, "fmul_cycles": 3, "fma_cycles": 4, "float_pipes": 2,
            "subnormal_cycles": 0}
# What divides and roots of every planted core take.
DIVIDE, ROOT, ROOT_EACH = 13, 20, 8

split = sys.argv.index("--")
seeds, models, program = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]


def truths(chains):
    penalty = 1 + chains["subnormal_cycles"] / min(chains["fadd_cycles"],
                                                   chains["fmul_cycles"])
    return {
        "arith.add.latency_cycles": chains["add_cycles"],
        "arith.mul.latency_cycles": chains["multiply_cycles"],
        "arith.fadd.latency_cycles": chains["fadd_cycles"],
        "arith.fmul.latency_cycles": chains["fmul_cycles"],
        "arith.fma.latency_cycles": chains["fma_cycles"],
        "arith.fma.throughput": chains["float_pipes"],
        **{f"arith.{operation}{bits}.{vector}.{what}": value
           for bits in ("", "32") for vector in ("v128", "v256", "v512", "sve")
           for operation, what, value in (
               ("fadd", "latency_cycles", chains["fadd_cycles"]),
               ("fmul", "latency_cycles", chains["fmul_cycles"]),
               ("fma", "latency_cycles", chains["fma_cycles"]),
               ("fma", "throughput", chains["float_pipes"]),
               ("fdiv", "latency_cycles", DIVIDE),
               ("fsqrt", "latency_cycles", ROOT),
               ("fsqrt", "throughput", 1 / ROOT_EACH))},
        **{f"arith.{operation}32.{vector}.{what}": value
           for vector in ("v128", "v256", "v512", "sve")
           for operation, what, value in (
               ("add", "latency_cycles", chains["add_cycles"]),
               ("add", "throughput", chains["float_pipes"]),
               ("mul", "latency_cycles", chains["multiply_cycles"]),
               ("mul", "throughput", chains["float_pipes"]))},
        "chain.parallelism": min(16, chains["fmul_cycles"] * chains["float_pipes"]),
        "denormal.penalty": penalty,
        "denormal.with_ftz": 1,
    }


failed = checked = 0
for path in models:
    with open(path, encoding="utf-8") as file:
        chains = {**DEFAULTS, **json.load(file)["chains"]}
    for seed in range(1, seeds + 1):
        run = subprocess.run(program + ["run", "chain", "arith", "denormal", "--simulate", path,
                                        "--seed", str(seed), "--quiet", "--json", "-"],
                             check=True, capture_output=True, text=True)
        passport = json.loads(run.stdout)
        found, controls = {}, []
        for probe in (passport[0] if isinstance(passport, list) else passport)["probes"].values():
            found.update(probe["findings"])
            controls += probe["controls"]
        wrong = [control["what"] for control in controls if not control["ok"]]
        for name, planted in truths(chains).items():
            # A core of another instruction set may lack an operation; it is then not there.
            value = found.get(name, {}).get("value", planted)
            checked += name in found
            if value is None or abs(value - planted) > 0.03 * planted:
                wrong.append(f"{name} is {value}, planted {planted}")
        if not any(name.endswith(".core_hz") for name in found):
            wrong.append("no core clock beside vectors")
        if not chains["subnormal_cycles"] and "denormal.penalty" in found and \
                found["denormal.penalty"]["reason"] != "no penalty on this core":
            wrong.append("the core without a penalty is not said to be one")
        for line in wrong:
            print(f"{path}, seed {seed}: {line}")
        failed += bool(wrong)
print(f"{checked} figures checked, {failed} runs failed")
sys.exit(1 if failed or not checked else 0)
