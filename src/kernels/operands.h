/* Operands of the arithmetic kernels, as bits, for assembly and for the references.
 *
 * All have full mantissas, so that no divider ends early, and are chosen by search so
 * that what a kernel does returns to where it began, to the bit: with round to nearest
 *
 *   (start * FACTOR) * BACK == start        (start / FACTOR) / BACK == start
 *   (start + FACTOR) - FACTOR == start      start * FMA_FACTOR + FMA_ADDEND == start
 *   (start + FMA_FACTOR * FMA_ADDEND) - FMA_FACTOR * FMA_ADDEND == start
 *   sqrt(start) * ROOT_FACTOR == start
 *
 * Nothing can decay to 0, to 1, to a subnormal or to infinity however long it runs, and
 * the result is known at any length. */
#ifndef SONDE_KERNELS_OPERANDS_H
#define SONDE_KERNELS_OPERANDS_H

#ifndef __ASSEMBLER__
#include <stdint.h> /* in C they go into variables of these widths */
#endif

#define START64       0x3ff3ba9d5853a28f /* 1.2330602121602714 */
#define FACTOR64      0x3ff4d23d9babe12f /* 1.3013282853044748 */
#define MINUS64       0xbff4d23d9babe12f /* its negative */
#define BACK64        0x3fe8971b3c28787b /* about 1 / FACTOR64 */
#define FMA_FACTOR64  0x3fdfedcd7f0bc0e3 /* 0.49888932616069165 */
#define FMA_ADDEND64  0x3fe3c5d573ec36d7 /* 0.6178996338000741 */
#define ROOT_FACTOR64 0x3ff1c454cf6608b9 /* 1.110432443762461 */

#define START32       0x3fac5b45 /* 1.3465353 */
#define FACTOR32      0x3fb978a9 /* 1.4489948 */
#define MINUS32       0xbfb978a9
#define BACK32        0x3f30ac99
#define FMA_FACTOR32  0x3ebb674b
#define FMA_ADDEND32  0x3f5a8a53
#define ROOT_FACTOR32 0x3f948816

/* The same in both halves of 64 bits, for vectors. */
#define START32_TWICE       0x3fac5b453fac5b45
#define FACTOR32_TWICE      0x3fb978a93fb978a9
#define MINUS32_TWICE       0xbfb978a9bfb978a9
#define BACK32_TWICE        0x3f30ac993f30ac99
#define FMA_FACTOR32_TWICE  0x3ebb674b3ebb674b
#define FMA_ADDEND32_TWICE  0x3f5a8a533f5a8a53
#define ROOT_FACTOR32_TWICE 0x3f9488163f948816

/* Lanes of 32 bits of integers: a number and its negative, a factor and its inverse
 * modulo 2^32, with ones and zeros all over. */
#define INTEGER_START  0x5851f42d
#define INTEGER_ADDEND 0x6c078965
#define INTEGER_MINUS  0x93f8769b
#define INTEGER_FACTOR 0x9e3779b1
#define INTEGER_BACK   0x0e8b2f51

#define INTEGER_START_TWICE  0x5851f42d5851f42d
#define INTEGER_ADDEND_TWICE 0x6c0789656c078965
#define INTEGER_MINUS_TWICE  0x93f8769b93f8769b
#define INTEGER_FACTOR_TWICE 0x9e3779b19e3779b1
#define INTEGER_BACK_TWICE   0x0e8b2f510e8b2f51

/* Subnormal, and still so when multiplied by FACTOR64 or added to one another. */
#define SUBNORMAL64        0x0007017ead864c45
#define SUBNORMAL_ADDEND64 0x0003740e346c6e2b
#define SUBNORMAL_MINUS64  0x8003740e346c6e2b

/* Divided by FIRST it gives SECOND, divided by SECOND it gives FIRST: a 63-bit number by
 * 32-bit ones, quotients of 32 bits. */
#define DIVIDEND       0x48633fec94b2b8fd
#define DIVISOR_FIRST  0x835efa25
#define DIVISOR_SECOND 0x8d0f7801

/* What the bandwidth kernels write, and the factor of their triad: so small that
 * WORD + SCALAR * WORD is WORD again. Memory that holds nothing else stays as it is,
 * whichever of them runs on it, so it is filled once. */
#define BANDWIDTH_WORD   0x3ff3ba9d5853a28f /* START64 */
#define BANDWIDTH_SCALAR 0x3c30000000000000 /* 2^-60 */

/* Argument bits of the kernels that meet subnormal numbers. */
#define OPERANDS_SUBNORMAL 1
#define OPERANDS_FLUSHED   2

#endif
