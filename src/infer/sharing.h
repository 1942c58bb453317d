/* From the cost of two counters at growing distance to the granule they share. */
#ifndef SONDE_INFER_SHARING_H
#define SONDE_INFER_SHARING_H

#include "infer/finding.h"
#include "measure/series.h"

/* `distance`: cost by bytes between the counters, its largest distance the split that is
 * sure. Adds sharing.granule, sharing.cost and the control. 0 or -ENOMEM. */
int sonde_infer_sharing(const struct series *distance, double line_bytes,
                        struct findings *findings);

#endif
