/* Ways of a level from counts of lines that share a set, and sets from ways and size. */
#ifndef SONDE_INFER_GROUPS_H
#define SONDE_INFER_GROUPS_H

#include "infer/finding.h"
#include "measure/series.h"

/* `groups` has axes try and count: how many lines the set of a try holds, counted twice.
 * Adds <level>.ways for `level` ("l2"); or, unless enough tries agree, the reason why
 * nothing is claimed. 0 or -ENOMEM. */
int sonde_infer_groups(const struct series *groups, const char *level,
                       struct findings *findings);

/* How many sets there are, a power of two, by vote of the tries that counted `ways`; NaN:
 * they do not tell. `partners` has axes try and what: 0, lines at random that were tried;
 * 1, how many of them are of the set. */
double sonde_infer_partner_sets(const struct series *groups,
                                const struct series *partners, double ways);

/* Adds <level>.sets: as many as were `counted`; where that is NaN, the power of two that
 * the size among `findings`, from a curve, allows with `ways` (NULL: not known) of lines
 * of `line_bytes`; or why there is none. Where they were counted, <level>.size becomes
 * ways times sets times line, its interval no wider than a way more or fewer. 0 or
 * -ENOMEM. */
int sonde_infer_sets(const char *level, const struct finding *ways, double counted,
                     double line_bytes, struct findings *findings);

#endif
