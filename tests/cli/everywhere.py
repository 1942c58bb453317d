#!/usr/bin/env python3
"""Every probe of memory runs, or says why not, wherever it is.

usage: everywhere.py CASE... -- SONDE [ARGUMENT...]

A case is a model (a planted machine), `no-huge-pages` (this machine, the program forbidden to
have any), or `emulated` (this machine, which an emulator runs). Each probe is run alone, since
one may not lean on another. Nothing is said of what is found, but that all of it is: a value, a
range or a reason for each finding, and no probe that failed.
"""
import ctypes
import json
import os
import subprocess
import sys

PROBES = ["ways", "latency", "line", "tlb", "fault", "alias", "mlp", "prefetch", "forward",
          "mountain", "stride", "layout", "bandwidth", "loaded"]
PR_SET_THP_DISABLE = 41
SKIPPED = 77

split = sys.argv.index("--")
cases, program = sys.argv[1:split], sys.argv[split + 1:]
wrapper = os.environ.get("MESON_EXE_WRAPPER")
bad = []


def forbid_huge_pages():
    """In the child: madvise() is without effect from here on, also after exec."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0):
        os._exit(SKIPPED)


def run(case, probe):
    planted = os.path.exists(case)
    arguments = ["--simulate", case, "--seed", "3"] if planted else ["--budget", "1"]
    result = subprocess.run(
        [*(wrapper.split() if wrapper and not planted else []), *program, "run", probe,
         "--no-samples", "--json", "-", *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=forbid_huge_pages if case == "no-huge-pages" else None)
    if result.returncode == SKIPPED:
        print("skipped: the kernel does not let huge pages be forbidden")
        sys.exit(SKIPPED)
    if result.returncode:
        bad.append(f"{probe}: exits {result.returncode}: {result.stderr.decode()[:200]}")
        return None
    passports = json.loads(result.stdout)
    return passports[0] if isinstance(passports, list) else passports


def said(finding):
    known = any(finding[key] is not None for key in ("value", "low", "high"))
    return known or finding["reason"]


def check(case, probe, passport):
    result = passport["probes"][probe]
    if result["status"] == "failed":
        bad.append(f"{probe} failed: {result['reason']}")
    if result["status"] != "measured" and not result["reason"]:
        bad.append(f"{probe} is {result['status']} and does not say why")
    if not result["findings"] and not result["reason"]:
        bad.append(f"{probe} found nothing and does not say why")
    bad.extend(f"{probe}: {name} has neither value nor reason"
               for name, finding in result["findings"].items() if not said(finding))
    values = [name for name, finding in result["findings"].items()
              if finding["value"] is not None]
    if os.path.exists(case):
        with open(case) as file:
            model = json.load(file)
        page, plenty = model["page_bytes"], model["memory"]["bytes"] >= 1 << 30
        if passport["machine"]["page_bytes"] != page:
            bad.append(f"{probe}: pages of {passport['machine']['page_bytes']}, planted {page}")
        if not values and plenty:
            bad.append(f"{probe}: nothing came out: {result['reason']}")
    elif case == "emulated":
        if not passport["environment"]["emulation"]:
            bad.append(f"{probe}: no word of the emulator")
        bad.extend(f"{probe}: {name} is told of an emulator" for name in values)
    else:
        pages = passport["environment"]["pages"] or "0 %"
        if not pages.startswith("0 %"):
            bad.append(f"{probe}: {pages}")
        if passport["probes"][probe]["findings"].get("tlb.huge.entries", {}).get("value"):
            bad.append("huge pages were found where there are none")


for case in cases:
    if case == "emulated" and not wrapper:
        print("skipped: this build runs on its own hardware")
        sys.exit(SKIPPED)
    before = len(bad)
    for probe in PROBES:
        passport = run(case, probe)
        if passport:
            check(case, probe, passport)
    print("ok" if len(bad) == before else "FAILED", os.path.basename(case))
for line in bad:
    print("   ", line)
sys.exit(bool(bad))
