#!/bin/sh
# A function without declaration is taken as (p, n, stride); without a check it is called
# unchecked; from a shared object it is taken too.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
run 0 bench "$kernels/plain.c" $fast --check sum --param n=512
says out "^plain *n *n=512 stride=8"
grep -q "^unchecked" "$scratch/out" && fail "a checked kernel is called unchecked"
run 0 bench "$kernels/plain.c" $fast --param n=512 --mode n --cflags "-O1 -DX"
says out "^unchecked.*plain"
"${CC:-cc}" -O1 -c -fPIC "$kernels/plain.c" -o "$scratch/plain.o" || fail "no object"
"${CC:-cc}" -shared "$scratch/plain.o" -o "$scratch/plain.so" || fail "no shared object"
for file in plain.o plain.so; do
    run 0 bench "$scratch/$file" $fast --param n=512 --mode n --check sum
    says out "^plain "
done
# What is compiled is gone afterwards.
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR
run 0 bench "$kernels/plain.c" $fast --param n=512 --mode n
[ -z "$(ls "$scratch/tmp")" ] || fail "something is left in the folder for temporary files"
