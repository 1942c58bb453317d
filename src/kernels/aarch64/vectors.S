/* uint64_t sonde_kernel_<operation>_<width>_<chain or wide>(void *data, uint64_t count,
 *                                                           uint64_t argument)
 * Arithmetic on vectors of doubles and (32) of floats, by the rows of vectors.def.
 *
 * chain  32 dependent operations an iteration; of roots 16, each times a number that makes
 *        up for it: without that they would end at 1, where a root is trivial
 * wide   24 chains, 48 operations an iteration: as many as the pipes take; roots of one
 *        number into 24 registers
 *
 * A number and its negative, a factor and its inverse take turns. A fused operation of sve is
 * at its fixed point; that of v128 shares only the sum with its result, so that a product is
 * added and taken off in turn, and some cores pass the sum on early.
 * Per iteration: 34 (wide: 50) instructions, 0 loads, 0 stores, 1 backward branch.
 *
 * Registers 0 to 7, 16 to 31  the chains   8 9  the constants   x1  steps left */
#include "kernels/operands.h"

#include "chain.inc"

    .arch   armv8-a+sve

.macro enter
    cbz     x1, 9f
    .p2align 6
1:
.endm

.macro again steps
    subs    x1, x1, #\steps
    b.ne    1b
9:
.endm

/* Register `to` from register `to` and register `source`. */
.macro apply width, mnemonic, lane, source, to
    .ifc \width, v128
    \mnemonic v\to\().\lane, v\to\().\lane, v\source\().\lane
    .else
    .ifc \mnemonic, fdiv
    fdiv    z\to\().\lane, p0/m, z\to\().\lane, z\source\().\lane
    .else
    \mnemonic z\to\().\lane, z\to\().\lane, z\source\().\lane
    .endif
    .endif
.endm

.macro fuse width, mnemonic, lane, to
    .ifc \width, v128
    \mnemonic v\to\().\lane, v8.\lane, v9.\lane
    .else
    fmad    z\to\().\lane, p0/m, z8.\lane, z9.\lane
    .endif
.endm

.macro root width, lane, from, to
    .ifc \width, v128
    fsqrt   v\to\().\lane, v\from\().\lane
    .else
    fsqrt   z\to\().\lane, p0/m, z\from\().\lane
    .endif
.endm

.macro alternating name, width, lane, mnemonic, start, first, second
    begin   \name\()_\width\()_chain
    operands \width, \start, \first, \second
    enter
    .rept   16
    apply   \width, \mnemonic, \lane, 8, 0
    apply   \width, \mnemonic, \lane, 9, 0
    .endr
    again   32
    finish  \name\()_\width\()_chain, \width

    begin   \name\()_\width\()_wide
    operands \width, \start, \first, \second
    copies  \width, OTHERS_24
    enter
    .irp    n, CHAINS_24
    apply   \width, \mnemonic, \lane, 8, \n
    .endr
    .irp    n, CHAINS_24
    apply   \width, \mnemonic, \lane, 9, \n
    .endr
    again   48
    finish  \name\()_\width\()_wide, \width, OTHERS_24
.endm

.macro fused name, width, lane, start, factor, addend
    begin   \name\()_\width\()_chain
    operands \width, \start, \factor, \addend
    enter
    .rept   16
    fuse    \width, fmla, \lane, 0
    fuse    \width, fmls, \lane, 0
    .endr
    again   32
    finish  \name\()_\width\()_chain, \width

    begin   \name\()_\width\()_wide
    operands \width, \start, \factor, \addend
    copies  \width, OTHERS_24
    enter
    .irp    n, CHAINS_24
    fuse    \width, fmla, \lane, \n
    .endr
    .irp    n, CHAINS_24
    fuse    \width, fmls, \lane, \n
    .endr
    again   48
    finish  \name\()_\width\()_wide, \width, OTHERS_24
.endm

.macro roots name, width, lane, start, factor
    begin   \name\()_\width\()_chain
    operands \width, \start, \factor, \start
    enter
    .rept   16
    root    \width, \lane, 0, 0
    apply   \width, fmul, \lane, 8, 0
    .endr
    again   16
    finish  \name\()_\width\()_chain, \width

    begin   \name\()_\width\()_wide
    operands \width, \start, \factor, \start
    copies  \width, OTHERS_24
    enter
    .rept   2
    .irp    n, CHAINS_24
    root    \width, \lane, 9, \n
    .endr
    .endr
    again   48
    finish  \name\()_\width\()_wide, \width, OTHERS_24
.endm

.macro operations width, double, float
    alternating fadd, \width, \double, fadd, START64, FACTOR64, MINUS64
    alternating fmul, \width, \double, fmul, START64, FACTOR64, BACK64
    alternating fdiv, \width, \double, fdiv, START64, FACTOR64, BACK64
    roots fsqrt, \width, \double, START64, ROOT_FACTOR64
    alternating fadd32, \width, \float, fadd, START32_TWICE, FACTOR32_TWICE, MINUS32_TWICE
    alternating fmul32, \width, \float, fmul, START32_TWICE, FACTOR32_TWICE, BACK32_TWICE
    alternating fdiv32, \width, \float, fdiv, START32_TWICE, FACTOR32_TWICE, BACK32_TWICE
    roots fsqrt32, \width, \float, START32_TWICE, ROOT_FACTOR32_TWICE
    fused fma32, \width, \float, START32_TWICE, FMA_FACTOR32_TWICE, FMA_ADDEND32_TWICE
    fused fma, \width, \double, START64, FMA_FACTOR64, FMA_ADDEND64
.endm

    operations v128, 2d, 4s
    operations sve, d, s
