/* What the prefetchers see. */
#ifndef SONDE_INFER_PREFETCH_H
#define SONDE_INFER_PREFETCH_H

#include "infer/finding.h"
#include "measure/series.h"

/* Places on the axis of the series `patterns`: walks of the same lines. */
enum prefetch_pattern {
    WALK_RANDOM,
    WALK_RANDOM_AGAIN, /* the control: drawn and measured apart */
    WALK_ASCENDING,
    WALK_DESCENDING,
    WALK_SCATTERED, /* pages in random order, ascending inside */
    WALK_INSIDE,    /* pages in address order, random inside */
    PREFETCH_WALKS
};
/* Places on the second axis of the series `strides`. */
enum {
    STRIDE_ASCENDING,
    STRIDE_RANDOM,
    STRIDE_RUNS, /* ascending runs that begin at random places */
    STRIDE_WALKS
};

/* `patterns` has one category axis, `strides` the stride in bytes and which walk; a page
 * of the patterns has `page_lines` lines. Adds, as shares of the cost of a random walk,
 * prefetch.ascending, prefetch.descending, prefetch.inside_pages; prefetch.stride (bytes:
 * the largest that is still prefetched, at most the first that is not);
 * prefetch.restart (lines of each new page that cost as much as random ones); and the
 * controls. 0 or -ENOMEM. */
int sonde_infer_prefetch(const struct series *patterns, const struct series *strides,
                         double page_lines, struct findings *findings);

#endif
