#!/usr/bin/env python3
"""The memory of a run stays under its largest footprint plus 32 MiB, and under a quarter of
what is granted; both figures are in the passport.

usage: memory.py SONDE
"""
import json
import os
import re
import subprocess
import sys
import tempfile

MIB = 1 << 20
program = sys.argv[1:]
with open(program[-1], "rb") as file:
    if b"__asan_init" in file.read():
        print("skipped: a sanitizer keeps what was freed")
        sys.exit(77)


def peak_of(arguments):
    """Runs sonde; the most memory it ever held, as the kernel tells its parent."""
    child = os.spawnvp(os.P_NOWAIT, program[0], program + arguments)
    _, status, usage = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, arguments
    return usage.ru_maxrss * 1024


version = subprocess.run([*program, "--version"], stdout=subprocess.PIPE, text=True, check=True)
can_write_pages = re.search(r"^pages\b.*\byes", version.stdout, re.MULTILINE) is not None
with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "a.html")
    for probes in ([], ["latency"], ["bandwidth", "--quick"]):
        name = os.path.join(folder, "a.json")
        more = ["--html", page] if probes == [] and can_write_pages else []
        peak = peak_of(["run", *probes, "--budget", "8", "--quiet", "--json", name, *more])
        passport = json.load(open(name))
        passport = passport[0] if isinstance(passport, list) else passport
        footprint = passport["environment"]["footprint_bytes"]
        recorded = passport["environment"]["peak_bytes"]
        granted = passport["machine"]["memory_granted"]
        print(f"{probes or 'all'}: {footprint / MIB:.1f} MiB laid out, {peak / MIB:.1f} MiB held, "
              f"{recorded / MIB:.1f} MiB recorded")
        assert peak <= footprint + 32 * MIB
        assert footprint <= recorded <= peak + MIB
        assert granted is None or peak <= granted / 4
