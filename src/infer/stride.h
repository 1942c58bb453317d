/* What an access costs by its distance from the last one. Pure. */
#ifndef SONDE_INFER_STRIDE_H
#define SONDE_INFER_STRIDE_H

#include "infer/finding.h"
#include "measure/series.h"

/* Lines that one access of a long row touches anew, and bytes of them that nobody asked
 * for, at a stride; NaN where the line is not known. */
double sonde_infer_stride_lines(double stride, double line_bytes);
double sonde_infer_stride_vain(double stride, double line_bytes);

/* `by_count` and `by_span` have axes stride (bytes), accesses and bytes, and costs of an
 * access. `line_bytes` NaN: not known. Adds stride.dense, stride.line, stride.page (ns),
 * stride.power_of_two (ratio), stride.vain (bytes), and the controls. 0 or -ENOMEM. */
int sonde_infer_stride(const struct series *by_count, const struct series *by_span,
                       double line_bytes, struct findings *findings);

#endif
