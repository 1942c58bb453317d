#!/bin/sh
# sysconf() answers 0: unknown, and asked elsewhere. A page of 64 KiB: taken as it is.
. "$(dirname "$0")/lib.sh"
[ -z "${SONDE_SANITIZED:-}" ] || skip "a sanitizer asks the same C library for its pages"
run 0 run clock $brief --json "$scratch/truth.json"
for lie in sysconf-0 page-64k; do
    lying $lie
    run 0 run clock os latency fault --budget 3 --seed 7 --json "$scratch/a.json"
    valid_json "$scratch/a.json"
    python3 - "$scratch/truth.json" "$scratch/a.json" $lie <<'PY' || fail "$lie: not told as it is"
import json, sys
truth, told = (json.load(open(name)) for name in sys.argv[1:3])
page = truth["machine"]["page_bytes"]
rows = [f for f in told["facts"] if f["source"] == "sysconf"]
if sys.argv[3] == "sysconf-0":
    assert told["machine"]["page_bytes"] == page, told["machine"]["page_bytes"]
    assert rows and all(f["status"] == "unknown" and f["value"] is None for f in rows), rows
else:
    assert told["machine"]["page_bytes"] == 65536
    sizes = {f["source"]: f["value"] for f in told["facts"] if f["name"] == "page.size"}
    assert sizes == {"sysconf": 65536, "auxv": page}, sizes
latency = told["probes"]["latency"]
assert latency["reason"] or any(p["n"] for p in latency["series"]["windowed"]["points"])
for probe in told["probes"].values():
    assert probe["status"] != "failed", probe["reason"]
PY
    run 0 facts
done
