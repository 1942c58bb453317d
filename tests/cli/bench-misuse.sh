#!/bin/sh
# Bad command lines and bad files: one line, the right status, nothing measured.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/bench.sh"
pair=$kernels/pair.c
run 2 bench
refused "wants a file"
run 2 bench /dev/null
refused "ends in none of"
run 1 bench "$scratch/absent.c"
refused "cannot be read"
run 2 bench "$pair" --mode both
refused "usage"
run 2 bench "$pair" --param n
refused "usage"
run 2 bench "$pair" --param m=8
refused "no kernel has a parameter 'm'"
run 2 bench "$pair" --kernel absent
refused "no file has a kernel 'absent'"
run 2 bench "$pair" --check xor
refused "not 'sum'"
run 2 bench "$pair" --samples 2
refused "samples"
run 2 bench "$pair" --timeout 0
refused "timeout"
run 2 bench "$pair" --cpu 65000
refused "not allowed"
run 2 bench "$pair" "$pair"
run 1 bench "$pair" --json "$scratch/none/a.json"
refused "cannot be written"
echo 'long f(void) { return 0 }' >"$scratch/bad.c"
run 1 bench "$scratch/bad.c"
says err "does not compile"
echo 'extern long absent(void); long f(void) { return absent(); }' >"$scratch/bad.c"
run 1 bench "$scratch/bad.c"
says err "cannot be loaded"
echo 'static long f; long *g = &f;' >"$scratch/bad.c"
run 1 bench "$scratch/bad.c"
says err "no global function"
printf '#include <sonde.h>\nlong f(void *p, long n) { return n; }\nSONDE_KERNEL(f, "n=1..4:9", "", "", "", "");\n' >"$scratch/bad.c"
run 2 bench "$scratch/bad.c"
refused "n 9 is not within"
printf '#include <sonde.h>\nlong f(void *p, long n) { return n; }\nSONDE_KERNEL(f, "n=1..4", "8*m", "", "", "");\n' >"$scratch/bad.c"
run 2 bench "$scratch/bad.c"
refused "not declared"
head -c 100 /dev/urandom >"$scratch/bad.so"
run 1 bench "$scratch/bad.so"
refused "no shared object"
CC=/nonexistent/compiler
export CC
run 1 bench "$pair"
says err "no compiler"
