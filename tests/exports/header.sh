#!/bin/sh
# A strict compiler reads the header, as C and as C++, and sizes serve the preprocessor.
. "$(dirname "$0")/lib.sh"
needs cc gcc
plant hybrid
export_to c-header "$scratch/machine.h"
cat >"$scratch/a.c" <<'C'
#include "machine.h"
#include "machine.h"
#if SONDE_L1D_SIZE != 32768 || !SONDE_L1D_SIZE_MEASURED
#error the smaller of both kinds of core is the safe one
#endif
#if SONDE_L3_SIZE_MEASURED
#error declared alone
#endif
char block[SONDE_L1D_SIZE / 2];
double wait = SONDE_MEMORY_LATENCY_NS * SONDE_CORE_HZ;
C
for compiler in cc c++; do
    command -v $compiler >/dev/null 2>&1 || continue
    [ $compiler = cc ] && language=c || language=c++
    $compiler -Wall -Wextra -Wpedantic -Werror -x $language -c -o "$scratch/a.o" "$scratch/a.c" ||
        fail "not $language"
done
