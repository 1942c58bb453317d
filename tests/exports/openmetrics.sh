#!/bin/sh
# The metrics obey the grammar, strictly; promtool agrees where it is installed.
. "$(dirname "$0")/lib.sh"
needs python3 python3
plant hybrid
export_to openmetrics "$scratch/sonde.prom"
python3 "$here/openmetrics.py" "$scratch/sonde.prom" || fail "the syntax is wrong"
grep -q 'sonde_finding_seconds{.*name="memory.latency"} 9.*e-08' "$scratch/sonde.prom" ||
    fail "the latency of memory is not there in seconds"
grep -q 'sonde_declared_bytes{.*name="l3.size"' "$scratch/sonde.prom" || fail "nothing is declared"
command -v promtool >/dev/null 2>&1 || exit 0
promtool check metrics <"$scratch/sonde.prom" || fail "promtool refuses it"
