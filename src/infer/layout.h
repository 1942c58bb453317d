/* Structures against arrays. Pure. */
#ifndef SONDE_INFER_LAYOUT_H
#define SONDE_INFER_LAYOUT_H

#include "infer/finding.h"
#include "measure/series.h"

/* Places on the second axis of both series. */
enum layout_form { FORM_STRUCTURES, FORM_ARRAYS };
/* Places on the third axis of `all`. */
enum layout_visit { VISIT_IN_ORDER, VISIT_SCATTERED };

/* `one` (a field of each element) has axes elements and form, `all` (all fields)
 * elements, form and visit; costs per element. The largest number of elements is what is
 * concluded from, the smallest one, which fits the first level, is the control. Adds
 * layout.one_field, layout.all_scattered and layout.all_in_order (ratios of structures to
 * arrays, of arrays to structures, twice) and layout.bytes_used. 0; -ENODATA when both
 * are empty; -ENOMEM. */
int sonde_infer_layout(const struct series *one, const struct series *all,
                       double structure_bytes, double field_bytes, double line_bytes,
                       struct findings *findings);

#endif
