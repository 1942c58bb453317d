/* Ways and sets of a level from groups of lines that share a set. */
#ifndef SONDE_INFER_GROUPS_H
#define SONDE_INFER_GROUPS_H

#include "infer/finding.h"
#include "measure/series.h"

/* `groups` has axes try and group: how many lines of what was gathered belonged to the
 * set of one more. `held` has axis try: how many lines at one offset of their pages were
 * gathered. Adds <level>.ways, <level>.sets and <level>.size for `level` ("l2"), with the
 * control that the lines held make whole sets; or, unless five tries agree, the reason
 * why nothing is claimed. 0 or -ENOMEM. */
int sonde_infer_groups(const struct series *groups, const struct series *held,
                       const char *level, double line_bytes, double page_bytes,
                       struct findings *findings);

#endif
