/* Readers for the collections that `score` looks at: just enough of each to get a curve.
 */
#ifndef SONDE_TESTS_CURVES_FORMATS_H
#define SONDE_TESTS_CURVES_FORMATS_H

#include "measure/series.h"

/* Adds the walks found in `path` as series: "windowed", "wide" and "random". `cpu` picks
 * the core in files that hold several (NULL or "": the file holds one). 0, -ENODATA when
 * there is no curve in it, or a negative errno. */
int curve_read(const char *path, const char *cpu, struct series_list *list);

#endif
