/* What a run of injected load tells: latency and bandwidth over the delay between loads,
 * and idle latencies between nodes. Pure. */
#ifndef SONDE_INFER_INJECTED_H
#define SONDE_INFER_INJECTED_H

#include "infer/finding.h"
#include "measure/series.h"

/* From the series `latency` and `bandwidth` over the same delays: loaded.idle,
 * loaded.most, loaded.latency_at_most, loaded.knee and the control that latency does not
 * fall as load grows. From `idle`: numa.nearest and numa.farthest. Series that are not
 * there give nothing. 0 or -ENOMEM. */
int sonde_infer_injected(const struct series_list *series, struct findings *findings);

#endif
