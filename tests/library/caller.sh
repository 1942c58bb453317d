#!/bin/sh
# Runs a caller on the passport of a planted machine.
#   caller.sh CALLER SONDE
set -u
here=$(cd "$(dirname "$0")" && pwd)
wrapper=${MESON_EXE_WRAPPER:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
model=$here/../simulated/models/three-level.json
$wrapper "$2" run latency ways line --simulate "$model" --quiet --json "$scratch/a.json" || exit 1
$wrapper "$1" "$scratch/a.json"
