#!/usr/bin/env python3
"""A whole run takes a minute by default and five with --full, by the planted machine's clock.

usage: budget.py MODELS... -- PROGRAM...

The clock of a planted machine counts what placing, linking, pulses and samples take, and
nothing that this machine does meanwhile, so the figures are the same on a busy one.
"""
import json
import os
import subprocess
import sys

split = sys.argv.index("--")
models, program = sys.argv[1:split], sys.argv[split + 1:]
failed = False


def seconds_of(path, *options):
    out = subprocess.run([*program, "run", "--no-samples", "--quiet", "--simulate", path, "--seed",
                          "1", *options, "--json", "-"], stdout=subprocess.PIPE, check=True)
    found = json.loads(out.stdout)
    return [{name: probe["seconds"] for name, probe in passport["probes"].items()}
            for passport in (found if isinstance(found, list) else [found])]


for path in models:
    for options, most in ([], 60), (["--quick"], 20), (["--full"], 300):
        passports = seconds_of(path, *options)
        total = sum(sum(probes.values()) for probes in passports)
        dearest = max((seconds, name) for probes in passports for name, seconds in probes.items())
        ok = total <= most
        failed |= not ok
        print("ok" if ok else "FAILED", os.path.basename(path), *options,
              f"{total:.1f} s of {most}, most of it {dearest[1]}: {dearest[0]:.1f} s")
sys.exit(failed)
