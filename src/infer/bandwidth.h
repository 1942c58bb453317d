/* What streams move, by level and operation, and whether to believe it. */
#ifndef SONDE_INFER_BANDWIDTH_H
#define SONDE_INFER_BANDWIDTH_H

#include "infer/finding.h"
#include "measure/series.h"

#include <stdbool.h>

enum stream_operation {
    STREAM_READ,
    STREAM_WRITE,
    STREAM_COPY,
    STREAM_TRIAD,
    STREAM_NT_WRITE,
    STREAM_NT_COPY,
    STREAM_OPERATIONS
};
/* "read", ..., "nt_copy": as kernels and findings have it. */
const char *sonde_infer_stream_name(unsigned operation);

/* Memory begins here: smaller footprints may live in a last level. Bytes. */
#define SONDE_INFER_MEMORY_FROM (256.0 * 1024 * 1024)

/* The series, each of bytes (of the program) a second; cycles hold bytes a cycle. */
struct bandwidth {
    /* In the first level. Axes: operation, width in bytes, shape of the loop. */
    const struct series *shapes;
    /* Axes: footprint in bytes, operation, threads; the label is the level. */
    const struct series *rates, *rates_all;
    /* From memory. Axes: threads, placement (0 spread, 1 packed), operation. */
    const struct series *threads;
    double parallelism;     /* adds a cycle when the core was weighed; NaN */
    double cpus;            /* allowed */
    const char *why_memory; /* why nothing was measured from memory; NULL: it was */
};

struct stream_choice {
    double width; /* bytes; NaN: no shape with lawful figures */
    unsigned shape;
    bool unlawful; /* some shape moved more than the ports can */
};
/* The fastest shape of an operation in the first level. */
struct stream_choice sonde_infer_stream_choice(const struct series *shapes,
                                               unsigned operation);

/* Accesses of 8 bytes a cycle: no wider access is started more often. NaN: not known, or
 * not without a neighbour on the core, by its adds a cycle when it was weighed. */
struct stream_ports {
    double loads, stores;
};
struct stream_ports sonde_infer_stream_ports(const struct series *shapes,
                                             double parallelism);

/* Adds bandwidth.<level>.<operation> and, of all threads, the same with .threads;
 * bandwidth.memory.<operation>.traffic, which counts the read that a write miss causes;
 * bandwidth.l1d.<operation>_cycle; bandwidth.ports.loads and .stores; bandwidth.width;
 * bandwidth.memory.saturation; and the controls. A rate that the ports cannot move, that
 * was only seen with a neighbour on the core, or that is called memory's without a
 * plateau from 256 MiB up, is not given, and the reason says which. 0 or -ENOMEM. */
int sonde_infer_bandwidth(const struct bandwidth *bandwidth, struct findings *findings);

#endif
