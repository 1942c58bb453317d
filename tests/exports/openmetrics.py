"""Text that both OpenMetrics and Prometheus' older text format accept: gauges alone, each
family together with its comments in front, units as suffixes, no sample twice, EOF last."""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)?\}})? (\S+)$")
text = open(sys.argv[1], encoding="utf-8").read()
faults, closed, samples, family = [], set(), set(), None
lines = text.split("\n")
if lines[-2:] != ["# EOF", ""]:
    faults.append("it does not end with # EOF and a newline")
described = {}
for number, line in enumerate(lines[:-2], 1):
    comment = re.match(rf"# (TYPE|UNIT|HELP) ({NAME}) (.+)$", line)
    sample = SAMPLE.match(line)
    if not comment and not sample:
        faults.append(f"line {number}: neither comment nor sample: {line}")
        continue
    name = comment.group(2) if comment else sample.group(1)
    if name != family:
        if family:
            closed.add(family)
        if name in closed:
            faults.append(f"line {number}: the family {name} is opened again")
        if not comment or comment.group(1) != "TYPE":
            faults.append(f"line {number}: {name} has no TYPE in front")
        family, described = name, {}
    if comment:
        kind, value = comment.group(1), comment.group(3)
        if kind in described or "sample" in described:
            faults.append(f"line {number}: {kind} twice or too late")
        described[kind] = value
        if kind == "TYPE" and value != "gauge":
            faults.append(f"line {number}: type {value}")
        if kind == "UNIT" and not name.endswith("_" + value):
            faults.append(f"line {number}: {name} does not end with its unit {value}")
        continue
    described["sample"] = True
    if "HELP" not in described:
        faults.append(f"line {number}: no HELP")
    labels = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="', re.sub(r"\\.", "", sample.group(2) or ""))
    if len(labels) != len(set(labels)):
        faults.append(f"line {number}: a label twice")
    float(sample.group(3))
    key = (name, tuple(sorted(re.findall(LABEL, sample.group(2) or ""))))
    if key in samples:
        faults.append(f"line {number}: the same sample twice")
    samples.add(key)
if not samples:
    faults.append("no sample at all")
print("\n".join(faults))
sys.exit(bool(faults))
