/* Why a point of a series has no figures, in words. Pure. */
#ifndef SONDE_INFER_FIGURES_H
#define SONDE_INFER_FIGURES_H

#include "measure/series.h"

/* One clause; NULL is a point that is not there. Of a point with figures: that there was
 * no time for it. */
const char *sonde_infer_why_no_figures(const struct series_point *point);
/* Why a figure is none of a core that was had alone, which a throughput must be; NULL: it
 * is one. */
const char *sonde_infer_why_shared(const struct series_point *point);
/* As of the first point of the series that says more than that there was no time. */
const char *sonde_infer_why_no_series(const struct series *series);

#endif
