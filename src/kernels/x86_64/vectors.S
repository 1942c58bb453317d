/* uint64_t sonde_kernel_<operation>_<width>_<chain or wide>(void *data, uint64_t count,
 *                                                           uint64_t argument)
 * Arithmetic on vectors of doubles and (32) of floats and integers, by the rows of
 * vectors.def.
 *
 * chain  32 dependent operations an iteration; of roots 16, each times a number that makes
 *        up for it: without that they would end at 1, where a root is trivial
 * wide   12 chains, 48 operations an iteration: as many as the pipes take; roots of one
 *        number into 12 registers
 *
 * A number and its negative, a factor and its inverse take turns, and a fused operation is
 * at its fixed point: nothing grows or decays. What a kernel repeats is handed to `chain` and
 * `wide` as two beginnings of lines, which end in the register.
 * Per iteration: 34 (wide: 50) instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * Registers 0 to 11  the chains   14 15  the constants   rsi  steps left */
#include "kernels/operands.h"

#include "chain.inc"

.macro enter
    testq   %rsi, %rsi
    jz      9f
    .p2align 6
1:
.endm

.macro again steps
    subq    $\steps, %rsi
    jnz     1b
9:
.endm

/* Register `to` from register `to` and register `source`. */
.macro apply width, mnemonic, source, to
    .ifc \width, v128
    \mnemonic %xmm\source, %xmm\to
    .endif
    .ifc \width, v256
    v\mnemonic %ymm\source, %ymm\to, %ymm\to
    .endif
    .ifc \width, v512
    v\mnemonic %zmm\source, %zmm\to, %zmm\to
    .endif
.endm

/* Register `to` times register 14 plus register 15. */
.macro fuse width, mnemonic, to
    .ifc \width, v128
    \mnemonic %xmm15, %xmm14, %xmm\to
    .endif
    .ifc \width, v256
    \mnemonic %ymm15, %ymm14, %ymm\to
    .endif
    .ifc \width, v512
    \mnemonic %zmm15, %zmm14, %zmm\to
    .endif
.endm

.macro root width, mnemonic, from, to
    .ifc \width, v128
    \mnemonic %xmm\from, %xmm\to
    .endif
    .ifc \width, v256
    v\mnemonic %ymm\from, %ymm\to
    .endif
    .ifc \width, v512
    v\mnemonic %zmm\from, %zmm\to
    .endif
.endm

.macro chain name, width, steps, start, first, second, one, two
    begin   \name\()_\width\()_chain
    operands \width, \start, \first, \second
    enter
    .rept   16
    \one    0
    \two    0
    .endr
    again   \steps
    finish  \name\()_\width\()_chain, \width
.endm

.macro wide name, width, start, first, second, one, two
    begin   \name\()_\width\()_wide
    operands \width, \start, \first, \second
    copies  \width, OTHERS_12
    enter
    .rept   2
    .irp    n, CHAINS_12
    \one    \n
    .endr
    .irp    n, CHAINS_12
    \two    \n
    .endr
    .endr
    again   48
    finish  \name\()_\width\()_wide, \width, OTHERS_12
.endm

.macro alternating name, width, mnemonic, start, first, second
    chain   \name, \width, 32, \start, \first, \second, "apply \width, \mnemonic, 14,", \
            "apply \width, \mnemonic, 15,"
    wide    \name, \width, \start, \first, \second, "apply \width, \mnemonic, 14,", \
            "apply \width, \mnemonic, 15,"
.endm

.macro fused name, width, mnemonic, start, factor, addend
    chain   \name, \width, 32, \start, \factor, \addend, "fuse \width, \mnemonic,", \
            "fuse \width, \mnemonic,"
    wide    \name, \width, \start, \factor, \addend, "fuse \width, \mnemonic,", \
            "fuse \width, \mnemonic,"
.endm

.macro roots name, width, mnemonic, restore, start, factor
    chain   \name, \width, 16, \start, \factor, \start, "root \width, \mnemonic, 0,", \
            "apply \width, \restore, 14,"
    wide    \name, \width, \start, \factor, \start, "root \width, \mnemonic, 15,", \
            "root \width, \mnemonic, 15,"
.endm

.irp width, v128, v256, v512
    alternating add32, \width, paddd, INTEGER_START_TWICE, INTEGER_ADDEND_TWICE, INTEGER_MINUS_TWICE
    alternating mul32, \width, pmulld, INTEGER_START_TWICE, INTEGER_FACTOR_TWICE, INTEGER_BACK_TWICE
    alternating fadd, \width, addpd, START64, FACTOR64, MINUS64
    alternating fmul, \width, mulpd, START64, FACTOR64, BACK64
    alternating fdiv, \width, divpd, START64, FACTOR64, BACK64
    roots fsqrt, \width, sqrtpd, mulpd, START64, ROOT_FACTOR64
    alternating fadd32, \width, addps, START32_TWICE, FACTOR32_TWICE, MINUS32_TWICE
    alternating fmul32, \width, mulps, START32_TWICE, FACTOR32_TWICE, BACK32_TWICE
    alternating fdiv32, \width, divps, START32_TWICE, FACTOR32_TWICE, BACK32_TWICE
    roots fsqrt32, \width, sqrtps, mulps, START32_TWICE, ROOT_FACTOR32_TWICE
    fused fma32, \width, vfmadd213ps, START32_TWICE, FMA_FACTOR32_TWICE, FMA_ADDEND32_TWICE
    fused fma, \width, vfmadd213pd, START64, FMA_FACTOR64, FMA_ADDEND64
.endr
