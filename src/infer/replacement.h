/* A hint at how the first level chooses what to give up, from lines that conflict. */
#ifndef SONDE_INFER_REPLACEMENT_H
#define SONDE_INFER_REPLACEMENT_H

#include "infer/finding.h"
#include "measure/series.h"

/* `conflicts` as for sonde_infer_conflicts(), whose l1d.ways and l1d.span are read from
 * `findings`. Adds ways.replacement, a text, or the reason why there is none, and the
 * control that strides agree. 0 or -ENOMEM. */
int sonde_infer_replacement(const struct series *conflicts, struct findings *findings);

/* Share of misses of a cycle of `lines` lines in a set of `ways` that gives up a random
 * one: the fixed point of m = 1 - (1 - 1/ways)^(lines m). */
double sonde_infer_random_misses(double ways, double lines);

#endif
