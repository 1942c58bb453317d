/* What it costs to use one page by several addresses. */
#ifndef SONDE_INFER_ALIAS_H
#define SONDE_INFER_ALIAS_H

#include "infer/finding.h"
#include "measure/series.h"

struct alias {
    const struct series *views; /* axes views, seed: each pointer by a view of its own */
    const struct series *by_line; /* the same, but each line by one view; may be NULL */
    const struct series *levels;  /* labels "first" and "second": latencies of those */
    /* For each point of `views` the share of loads that use another view than the last
     * load of their line. */
    const double *share;
};

/* Adds alias.cost, .share, .latency_cycles, .switch_cycles (one load by another address,
 * from one view and two), .predicted_cycles (the latency of the most views, from that),
 * .agreement (measured over predicted, the worst of 4 views and more) and .second_level
 * (such a load over one of the second level); in ns, without _cycles, where no core clock
 * is known; or says that there is no effect. The controls: one view costs what private
 * memory does, views of lines of their own what one does, and the prediction holds. 0 or
 * -ENOMEM. */
int sonde_infer_alias(const struct alias *alias, struct findings *findings);

#endif
