/* What findings are called before people: one table for the terminal, the documentation
 * and every other report. */
#ifndef SONDE_INFER_NAMES_H
#define SONDE_INFER_NAMES_H

#include <stddef.h>

struct finding_name {
    const char *pattern; /* "clock.step", or "*.size" for every level */
    const char *title;   /* "clock step"; "* size", where the level stands for the star */
    const char *unit;    /* to show it in; see names.def */
    const char *meaning; /* one line */
    const char
        *brief; /* title beside its probe's name; NULL: none of the few that matter */
};

const struct finding_name *sonde_infer_names(size_t *count);
/* The first row that fits `name`; NULL: none. */
const struct finding_name *sonde_infer_name(const char *name);
/* The title of a finding, such as "L1d size", into `out`; the name itself when no row
 * fits. Returns `out`. */
char *sonde_infer_title(const char *name, char *out, size_t size);
/* A level as people write it: "L1d" for "l1d", "LLC" for "llc", "memory" as it is.
 * `length` bytes of `level` count. Returns `out`. */
char *sonde_infer_level_title(const char *level, size_t length, char *out, size_t size);

#endif
