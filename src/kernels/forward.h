/* How the kernels of stores and loads are laid out: shared by their assembly, their
 * references, the probe and the simulation. Only numbers, since assemblers read it too.
 */
#ifndef SONDE_KERNELS_FORWARD_H
#define SONDE_KERNELS_FORWARD_H

/* An iteration visits so many places, so far apart: no address comes twice in a row. */
#define FORWARD_PLACES 16
#define FORWARD_PITCH  128
/* The argument: bytes from the data to the first store, and to the first load, which is
 * in the bits from here on. */
#define FORWARD_LOAD_SHIFT 32

#endif
