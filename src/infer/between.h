/* What the ways between CPUs tell: near and far, groups, siblings, and whether the CPUs
 * were really at work at the same time. Pure. */
#ifndef SONDE_INFER_BETWEEN_H
#define SONDE_INFER_BETWEEN_H

#include "infer/clusters.h"
#include "infer/finding.h"
#include "measure/series.h"

/* Series over the axes cpu and other. */
struct between {
    const struct series *pairs;   /* ways: of all pairs, or of the first CPU to all */
    const struct series *sampled; /* ways of more pairs, chosen by group; NULL: none */
    /* What adds take on both of a pair at once, that fill a core and that do not; and on
     * one CPU alone. NULL: nobody tried, as in files of others. */
    const struct series *wide, *chain, *alone;
    size_t allowed;    /* CPUs; 0: not known */
    const char *cores; /* declared: "0,64; 1,65"; NULL: nothing is */
};

/* The CPUs that the series name, and the ways between them. */
struct square {
    unsigned *cpus; /* ascending; owned */
    size_t count;
    double *way_ns; /* count x count, NaN: not known; owned */
};

int sonde_infer_square(const struct between *between, struct square *square);
void sonde_infer_square_free(struct square *square);
/* Where `cpu` is in the square; its count: nowhere. */
size_t sonde_infer_square_place(const struct square *square, double cpu);

/* Adds the findings of c2c with their controls. 0; -ENODATA without pairs; -ENOMEM. */
int sonde_infer_between(const struct between *between, struct findings *findings);

/* --- siblings.c */

/* Which CPUs share a core, by contention, held against what is declared. 0 or -ENOMEM. */
int sonde_infer_siblings(const struct between *between, const struct square *square,
                         const struct clusters *clusters, struct findings *findings);
/* The same by ways alone. */
int sonde_infer_siblings_guess(const struct clusters *clusters, size_t cpus,
                               struct findings *findings);
/* Some CPUs are in near pairs; others next to as near are not told apart. */
bool sonde_infer_siblings_doubtful(const struct cluster_level *level, size_t cpus);

#endif
