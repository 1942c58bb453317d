/* How deep and how wide the kernels of calls go: shared by their assembly, their
 * references and the probe. Only numbers, since assemblers read it too. */
#ifndef SONDE_KERNELS_CALLS_H
#define SONDE_KERNELS_CALLS_H

/* Return stacks in use hold 8 to 64 addresses. */
#define CALLS_DEPTH_MAX 80
/* A power of two, beyond the indirect targets that first-level tables of cores hold; its
 * code, 16 bytes a target, fits a first-level instruction cache of 32 KiB. */
#define CALLS_TARGETS     1024
#define CALLS_TARGET_BITS 10

#endif
