#!/bin/sh
# What is broken is reported as that, by name and parameters; the others go on.
. "$(dirname "$0")/lib.sh"
# A kernel that leaves must not be asked for leaks on its way.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
. "$(dirname "$0")/bench.sh"
run 1 bench "$kernels/broken.c" "$kernels/$isa/spoil.S" $fast --timeout 1 --json "$scratch/a.json"
COLUMNS=200
export COLUMNS
run 1 bench "$kernels/broken.c" "$kernels/$isa/spoil.S" $fast --timeout 1
broken() { # broken KERNEL TEXT
    grep -q "^- $1: .*$2" "$scratch/out" || fail "$1 is not reported as '$2'"
}
says out "^sound *n=64 .*ns"
broken "segv n=64" SIGSEGV
broken ill "SIGILL\|SIGTRAP"
broken fpe SIGFPE
broken hang "hangs"
broken "past n=64" "past the end of its buffer of 512 bytes"
broken before "before the start of its buffer\|outside its buffer"
broken spill "outside its buffer of 100\|past the end of its buffer of 100"
broken leave "status 3"
broken "wrong n=64" "its check says no"
broken "spoil depth=3" "spoils registers"
valid_schema "$scratch/a.json"
python3 - "$scratch/a.json" <<'PY' || fail "the passport lacks something"
import json, sys
bench = json.load(open(sys.argv[1]))["probes"]["bench"]
assert bench["status"] == "partial", bench["status"]
assert bench["series"]["sound"]["points"][0]["median"] > 0
point = bench["series"]["segv"]["points"][0]
assert point["median"] is None and point["n"] == 0 and "SIGSEGV" in point["label"], point
PY
