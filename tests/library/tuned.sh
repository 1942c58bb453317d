#!/bin/sh
# The tuned example takes its block from the passport of a planted machine, and says so
# where there is none.
#   tuned.sh EXAMPLE SONDE
set -u
here=$(cd "$(dirname "$0")" && pwd)
wrapper=${MESON_EXE_WRAPPER:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "FAILED: $*"
    cat "$scratch/out"
    exit 1
}
$wrapper "$2" run ways --simulate "$here/../simulated/models/l1-48k.json" --quiet \
    --json "$scratch/a.json" || exit 1
$wrapper "$1" "$scratch/a.json" >"$scratch/out" 2>&1 || fail "it did not run"
grep -q "l1d holds 49152 bytes: blocks of 32 by 32" "$scratch/out" || fail "another block"
grep -q "in blocks it takes [0-9.]* (" "$scratch/out" || fail "no ratio"
$wrapper "$1" "$scratch/none.json" >"$scratch/out" 2>&1 && fail "no passport is no failure"
grep -q "none.json" "$scratch/out" || fail "the missing file is not named"
