/* From a matrix of ways between CPUs to groups of CPUs that are near each other. Pure. */
#ifndef SONDE_INFER_CLUSTERS_H
#define SONDE_INFER_CLUSTERS_H

#include <stddef.h>

enum { CLUSTER_LEVELS_MAX = 4 };

struct cluster_level {
    double near_ns, far_ns;   /* largest way within, smallest beyond, around the gap */
    size_t groups;            /* groups of two and more */
    size_t smallest, largest; /* members of those */
    size_t *group;            /* per CPU: index of the first CPU of its group; owned */
    double open_near_ns;      /* of the jump next to it, where that gave no closed groups;
                                 NaN: it did, or there is none */
};

struct clusters {
    struct cluster_level levels[CLUSTER_LEVELS_MAX]; /* from near to far */
    size_t count;
    /* The widest jump below which CPUs are joined that are not all near each other, as
     * when threads were not bound; NaN: every jump gave groups, or one group. */
    double open_near_ns, open_far_ns;
};

/* `way_ns` is count x count, row by row; a cell that is NaN on both sides of the diagonal
 * is unknown. 0; -EINVAL for a negative or zero way, or none; -ENOMEM. A level is a gap
 * in the ways such that CPUs joined below it are all near each other. */
int sonde_infer_clusters(const double *way_ns, size_t count, struct clusters *clusters);
void sonde_infer_clusters_free(struct clusters *clusters);

#endif
