/* What it costs to load what was just stored, and what crosses a line or a page. */
#ifndef SONDE_INFER_FORWARD_H
#define SONDE_INFER_FORWARD_H

#include "infer/finding.h"
#include "measure/series.h"

/* Places on the second axis of the series `pairs`: bytes stored and loaded. */
enum forward_pair {
    PAIR_8_8,
    PAIR_8_4,
    PAIR_8_1,
    PAIR_4_8,
    PAIR_4_4,
    PAIR_16_16,
    PAIR_16_8,
    FORWARD_PAIRS
};
struct forward_widths {
    unsigned stored, loaded; /* bytes */
};
struct forward_widths sonde_infer_forward_widths(enum forward_pair pair);

struct forward_series {
    const struct series *pairs;  /* axes: bytes from the store to the load, enum
                                    forward_pair; a step has an add beside it */
    const struct series *same;   /* one point: one address by one register, with an add */
    const struct series *apart;  /* axis: bytes from the store to the load, which is from
                                    elsewhere */
    const struct series *splits; /* axis: where in a page a load of 8 bytes begins */
};

/* Adds forward.latency_cycles, forward.same_cycles ("renamed" below 4),
 * forward.inside_cycles (the dearest load of a part of what was stored),
 * forward.failure_cycles (loads that need more than one store), forward.alias_cycles
 * (what a load costs more after a store 4 KiB apart), forward.line_split_cycles and
 * forward.page_split_cycles (what a load costs more that crosses), and the controls.
 * `line_bytes` and `page_bytes` tell what crosses. 0 or -ENOMEM. */
int sonde_infer_forward(const struct forward_series *series, double line_bytes,
                        double page_bytes, struct findings *findings);

#endif
