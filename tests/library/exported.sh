#!/bin/sh
# The shared library exports the names of the list, no more and no fewer; the header
# declares each of them.
#   exported.sh LIBRARY LIST HEADER
set -u
command -v nm >/dev/null 2>&1 || { echo "skipped: no nm here"; exit 77; }
found=$(nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort)
expected=$(cat "$2")
[ "$found" = "$expected" ] || {
    echo "exported: $found"
    echo "expected: $expected"
    exit 1
}
for name in $expected; do
    grep -q "SONDE_API.*[ *]$name(" "$3" || { echo "$name is not in the header"; exit 1; }
done
