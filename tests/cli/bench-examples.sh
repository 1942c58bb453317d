#!/bin/sh
# The examples run and are checked, in C and in assembly.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
expect() { # expect COUNT: so many rows of times, none unchecked or doubted by a crash
    [ "$(grep -c 'checked$' "$scratch/out")" -eq "$1" ] || fail "not $1 rows"
    grep -q "unchecked" "$scratch/out" && fail "an example is unchecked"
    return 0
}
COLUMNS=200
export COLUMNS
run 0 bench "$examples/sum.c" $fast --param n=512
expect 4
run 0 bench "$examples/matrix.c" $fast --param n=32 --param block=16,32
expect 3
run 0 bench "$examples/hash.c" $fast --param slots=64
expect 1
run 0 bench "$examples/$isa/matrix.S" $fast --param n=32 --param block=16,32
expect 2
run 0 bench "$examples/$isa/hash.S" $fast --param slots=64
expect 1
