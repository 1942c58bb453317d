/* Which CPUs share which cache, and what a line takes between them, as far as passports
 * of one machine know: what export_hwloc.c writes down. */
#ifndef SONDE_REPORT_HWLOC_TREE_H
#define SONDE_REPORT_HWLOC_TREE_H

#include "base/cpulist.h"
#include "passport/passport.h"

#include <stddef.h>

enum { HWLOC_DEPTH_MACHINE = 5 };

struct hwloc_level {
    unsigned depth;    /* 1 to 4; 0: a core */
    char declared[8];  /* "l3", as facts name it */
    char measured[8];  /* "llc.", as findings begin */
    double size;       /* bytes, known */
    double ways, line; /* NaN: unknown */
    char source[112];  /* where the size comes from */
};

struct hwloc_group {
    struct hwloc_level level;
    struct cpulist cpus;
    size_t passport; /* of the list */
};

struct hwloc_tree {
    struct cpulist cpus; /* all of them */
    struct cpulist kind; /* those of the first passport's kind */
    struct hwloc_group *groups;
    size_t count, capacity;
};

/* 0; -ENODATA when no passport says which CPUs there are; -ENOMEM. Free in any case. */
int sonde_report_hwloc_tree(const struct passport_list *list, struct hwloc_tree *tree);
void sonde_report_hwloc_tree_free(struct hwloc_tree *tree);
/* The outermost group below `depth` that holds `cpu`; NULL: none. */
const struct hwloc_group *sonde_report_hwloc_outermost(const struct hwloc_tree *tree,
                                                       unsigned cpu, unsigned depth);

struct hwloc_matrix {
    size_t count;
    double *cpus;   /* count */
    double *values; /* count x count, picoseconds, 0 on the diagonal */
};
/* The first complete matrix of pairs in the list; count 0 when there is none. 0, -ENOMEM.
 */
int sonde_report_hwloc_matrix(const struct passport_list *list,
                              struct hwloc_matrix *matrix);
void sonde_report_hwloc_matrix_free(struct hwloc_matrix *matrix);

#endif
