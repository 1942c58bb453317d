/* Points of streams through memory; shared by the probes that use them. */
#ifndef SONDE_PROBES_STREAMS_H
#define SONDE_PROBES_STREAMS_H

#include "infer/bandwidth.h"
#include "probes/probe.h"

/* Shapes of the loops: unrolled 4, unrolled 16, 16 in two streams, and C. */
enum { STREAM_SHAPES = 3, STREAM_SHAPE_C = 3 };

/* The kernel of an operation, by width in bytes and shape; NULL where this instruction
 * set has none, or the core lacks what it needs. */
const struct kernel *sonde_probe_stream_kernel(unsigned operation, unsigned width,
                                               unsigned shape);
/* Loads or stores of `width` at places that stay; NULL as above. */
const struct kernel *sonde_probe_stream_ports(bool stores, unsigned width);
/* The one that was fastest in the first level by the series of shapes; of the operations
 * past the caches the nearest to it; the widest where there was no time to choose. NULL:
 * none can be trusted, since what was seen breaks the law of the ports. */
const struct kernel *sonde_probe_stream_best(const struct series *shapes,
                                             const struct stream_ports *ports,
                                             unsigned operation);

struct stream_point {
    const struct kernel *kernel;
    double bytes;            /* footprint of each member */
    double total;            /* not 0: of all, worked on part by part */
    const struct team *team; /* NULL: one thread */
    struct stream_ports ports;
};
/* A point of bytes a second. Gives the footprint in at[0]. NULL: out of memory. */
struct point *sonde_probe_stream_point(struct plan *plan, unsigned series,
                                       const struct stream_point *stream);
/* Adds a series of bytes a second; its index, or -ENOMEM. */
int sonde_probe_stream_series(struct plan *plan, const char *name,
                              const struct axis *axes, unsigned axis_count);

#endif
