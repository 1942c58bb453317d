/* The rows of branches of the kernels `taken`: shared by their assembly, their
 * references, the probe and inference. Only numbers, since assemblers read it too. */
#ifndef SONDE_KERNELS_TAKEN_H
#define SONDE_KERNELS_TAKEN_H

/* Code of one row: half of a second level of 512 KiB, and 64 pages of 4 KiB, which
 * first-level translation of instructions holds. */
#define TAKEN_BYTES 262144
/* This bit of the argument asks for none of the branches to be taken. */
#define TAKEN_NONE_SHIFT 32
/* Bytes from one branch to the next. */
#define TAKEN_SPACINGS 16, 32, 64

#endif
