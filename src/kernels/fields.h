/* How the kernel `fields` lays out its elements: shared by its assembly, its reference
 * and the probe. Only numbers, since assemblers read it too.
 *
 * The argument: the number of elements as a power of two in the low five bits, the flags
 * below, and in the upper half the number of the element to begin with. */
#ifndef SONDE_KERNELS_FIELDS_H
#define SONDE_KERNELS_FIELDS_H

#define FIELDS_COUNT     8  /* words of an element */
#define FIELDS_SCATTERED 32 /* flag: elements in a fixed random order, not ascending */
#define FIELDS_ARRAYS    64 /* flag: each field is an array of its own */
/* Arrays lie so many bytes further apart than they are long, so that equal places of all
 * do not fall into one set: nine lines of 64 bytes. */
#define FIELDS_PAD 576
/* The order is x -> FACTOR x + 1: with a factor of 1 modulo 4 it meets every number below
 * a power of two once (Hull and Dobell, 1962). The factor is Knuth's for 64 bits. */
#define FIELDS_FACTOR 6364136223846793005

#endif
