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
    STREAM_NT_WRITE, /* past the caches: in the order of the plain ones */
    STREAM_NT_COPY,
    STREAM_NT_TRIAD,
    STREAM_OPERATIONS
};
/* "read", ..., "nt_triad": as kernels and findings have it. */
const char *sonde_infer_stream_name(unsigned operation);

/* Memory begins here: smaller footprints may live in a last level. Bytes. */
#define SONDE_INFER_MEMORY_FROM (256.0 * 1024 * 1024)

/* The series, each of bytes (of the program) a second; cycles hold bytes a cycle. */
struct bandwidth {
    /* In the first level. Axes: operation, width in bytes, shape of the loop. */
    const struct series *shapes;
    /* The same at places that stay. Axes: read or write, width in bytes. */
    const struct series *ports;
    /* Axes: footprint in bytes, operation, threads; the label is the level. */
    const struct series *rates, *rates_all;
    /* From memory. Axes: threads, placement (0 spread, 1 packed), operation. */
    const struct series *threads;
    double parallelism;     /* adds a cycle when the core was weighed; NaN */
    double cpus;            /* allowed */
    const char *why_memory; /* why nothing was measured from memory; NULL: it was */
};

/* --- ports.c: what the ports allow ---------------------------------------------------
 */

/* Accesses that start in a cycle, of 8, 16, 32 and 64 bytes. NaN: not known, or not
 * without a neighbour on the core. */
enum { STREAM_WIDTHS = 4 };
struct stream_ports {
    double loads[STREAM_WIDTHS], stores[STREAM_WIDTHS];
};
/* From bytes a second of accesses at places that stay; axes: STREAM_READ for loads or
 * STREAM_WRITE for stores, and width. */
struct stream_ports sonde_infer_stream_ports(const struct series *ports,
                                             double parallelism);
/* Of accesses of `width`, or of the next narrower that are known: no wider access is
 * started more often. NaN: none is. */
double sonde_infer_stream_accesses(const double known[STREAM_WIDTHS], double width);
/* The same as a limit: accesses that start in a cycle are a whole number, or one in a
 * whole number of cycles, and where hardly less was seen a neighbour took the rest. */
double sonde_infer_stream_most(const double known[STREAM_WIDTHS], double width);
/* Bytes a cycle that an operation moves at most; NaN: not known. */
double sonde_infer_stream_limit(const struct stream_ports *ports, unsigned operation,
                                double width);

struct stream_choice {
    double width; /* bytes; NaN: no shape with lawful figures */
    unsigned shape;
    bool unlawful; /* some shape moved more than the ports can */
};
/* The fastest shape of an operation in the first level that keeps the law of the ports;
 * `ports` NULL: as far as the harness held it to that. */
struct stream_choice sonde_infer_stream_choice(const struct series *shapes,
                                               const struct stream_ports *ports,
                                               unsigned operation);
/* Does the point have figures that may be believed? NULL: no. */
bool sonde_infer_stream_usable(const struct series_point *point);
/* Were there samples, of which the share is known, and too few with the core alone? The
 * upper quantile is of a core alone where half of them are. */
bool sonde_infer_stream_shared(const struct series_point *point, double best);
/* Adds bandwidth.ports.*; and the controls, of which one holds `point` (reads of the
 * first level, or NULL) against them. 0 or negative: out of memory. */
int sonde_infer_stream_report_ports(const struct stream_ports *ports,
                                    struct stream_choice read,
                                    const struct series_point *point,
                                    struct findings *findings);

/* --- bandwidth.c --- */

/* Adds bandwidth.<level>.<operation> and, of all threads, the same with .threads;
 * bandwidth.memory.<operation>.traffic, which counts the read that a write miss causes;
 * bandwidth.l1d.<operation>_cycle; bandwidth.ports.loads, .stores, .wide_loads and
 * .wide_stores; bandwidth.width; bandwidth.memory.saturation; and the controls. A rate
 * that the ports cannot move, that was only seen with a neighbour on the core, or that is
 * called memory's without a plateau from 256 MiB up, is not given, and the reason says
 * which. 0 or -ENOMEM. */
int sonde_infer_bandwidth(const struct bandwidth *bandwidth, struct findings *findings);

#endif
