#!/bin/sh
# The draft is YAML, with what is known in place and the gaps marked.
. "$(dirname "$0")/lib.sh"
python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml here"
plant three-level
export_to kerncraft "$scratch/machine.yml"
python3 - "$scratch/machine.yml" <<'PY' || fail "the draft is wrong"
import sys, yaml
machine = yaml.safe_load(open(sys.argv[1]))
levels = {level["level"]: level for level in machine["memory hierarchy"]}
assert list(levels) == ["L1", "L2", "L3", "MEM"], levels
assert machine["clock"] == "3 GHz" and machine["cacheline size"] == "64 B"
cache = levels["L1"]["cache per group"]
assert cache["sets"] * cache["ways"] * cache["cl_size"] == 32768, cache
assert cache["load_from"] == "L2" and cache["replacement_policy"] == "INFORMATION_REQUIRED"
PY
