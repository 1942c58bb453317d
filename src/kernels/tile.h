/* What the loops that stride rely on for their prediction: their memory repeats itself.
 */
#ifndef SONDE_KERNELS_TILE_H
#define SONDE_KERNELS_TILE_H

/* After so many bytes the content of the block begins anew. Long enough that a load from
 * a wrong place almost always shows, short enough that a sum over any stride is known
 * from a few loads. */
#define TILE_BYTES 256

#endif
