/* uint64_t sonde_kernel_<operation>_<width>_<chain or wide>(void *data, uint64_t count,
 *                                                           uint64_t argument)
 * Arithmetic on vectors of doubles and (32) of floats and integers, by the rows of
 * vectors.def.
 *
 * chain  32 dependent operations an iteration; of roots 16, each times a number that makes
 *        up for it: without that they would end at 1, where a root is trivial
 * wide   24 chains, 48 operations an iteration: as many as the pipes take; roots of one
 *        number into 24 registers
 *
 * A number and its negative, a factor and its inverse take turns. A fused operation of sve is
 * at its fixed point; that of v128 shares only the sum with its result, so that a product is
 * added and taken off in turn, and some cores pass the sum on early. What a kernel repeats is
 * handed to `chain` and `wide` as two beginnings of lines, which end in the register.
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

.macro predicated mnemonic, lane, source, to
    \mnemonic z\to\().\lane, p0/m, z\to\().\lane, z\source\().\lane
.endm

/* Register `to` from register `to` and register `source`. Of sve, divides and products of
 * integers are there with a predicate only. */
.macro apply width, mnemonic, lane, source, to
    .ifc \width, v128
    \mnemonic v\to\().\lane, v\to\().\lane, v\source\().\lane
    .else
    .ifc \mnemonic, fdiv
    predicated fdiv, \lane, \source, \to
    .else
    .ifc \mnemonic, mul
    predicated mul, \lane, \source, \to
    .else
    \mnemonic z\to\().\lane, z\to\().\lane, z\source\().\lane
    .endif
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
    copies  \width, OTHERS_24
    enter
    .irp    n, CHAINS_24
    \one    \n
    .endr
    .irp    n, CHAINS_24
    \two    \n
    .endr
    again   48
    finish  \name\()_\width\()_wide, \width, OTHERS_24
.endm

.macro alternating name, width, lane, mnemonic, start, first, second
    chain   \name, \width, 32, \start, \first, \second, \
            "apply \width, \mnemonic, \lane, 8,", "apply \width, \mnemonic, \lane, 9,"
    wide    \name, \width, \start, \first, \second, \
            "apply \width, \mnemonic, \lane, 8,", "apply \width, \mnemonic, \lane, 9,"
.endm

.macro fused name, width, lane, start, factor, addend
    chain   \name, \width, 32, \start, \factor, \addend, "fuse \width, fmla, \lane,", \
            "fuse \width, fmls, \lane,"
    wide    \name, \width, \start, \factor, \addend, "fuse \width, fmla, \lane,", \
            "fuse \width, fmls, \lane,"
.endm

.macro roots name, width, lane, start, factor
    chain   \name, \width, 16, \start, \factor, \start, "root \width, \lane, 0,", \
            "apply \width, fmul, \lane, 8,"
    wide    \name, \width, \start, \factor, \start, "root \width, \lane, 9,", \
            "root \width, \lane, 9,"
.endm

.macro operations width, double, float
    alternating add32, \width, \float, add, INTEGER_START_TWICE, INTEGER_ADDEND_TWICE, INTEGER_MINUS_TWICE
    alternating mul32, \width, \float, mul, INTEGER_START_TWICE, INTEGER_FACTOR_TWICE, INTEGER_BACK_TWICE
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
