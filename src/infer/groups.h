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

/* Adds <level>.sets: the power of two that the size among `findings` allows with `ways`
 * (NULL: not known) of lines of `line_bytes`, or why there is none. Where there is one,
 * the size becomes ways times sets times line, its interval no wider than a way more or
 * fewer. 0 or -ENOMEM. */
int sonde_infer_sets(const char *level, const struct finding *ways, double line_bytes,
                     struct findings *findings);

#endif
