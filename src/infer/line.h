/* The line, from pairs of loads; and how many lines come in together.
 *
 * A random walk meets blocks that the first level has let go, and loads two words of
 * each, a distance apart: on the same line the second one hits. */
#ifndef SONDE_INFER_LINE_H
#define SONDE_INFER_LINE_H

#include "infer/finding.h"
#include "measure/series.h"

/* Each series has one axis, distance (bytes), and the cost of a pair. `shifted` is `near`
 * with every block moved by `shift_bytes`, less than a line: its step must lie that much
 * earlier, or nothing is claimed. `far` (may be NULL) lies beyond the private levels.
 * Adds line.size and line.granule (bytes), and the control. 0 or -ENOMEM. */
int sonde_infer_line(const struct series *near, const struct series *shifted,
                     const struct series *far, double shift_bytes,
                     struct findings *findings);

#endif
