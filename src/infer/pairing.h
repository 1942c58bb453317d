/* Which of many pairs of CPUs to look at, from the ways of one CPU to all others. Pure.
 */
#ifndef SONDE_INFER_PAIRING_H
#define SONDE_INFER_PAIRING_H

#include <stddef.h>

/* CPUs by their position in a list. */
struct pair {
    size_t a, b; /* a < b */
};

struct pairing {
    struct pair *pairs; /* sorted, none twice; owned */
    size_t count, capacity;
};

enum { PAIRING_LEADERS_MOST = 24 };

/* `row` holds the ways from the first of `count` CPUs to each (NaN: not known). Adds the
 * pairs that show whether the groups around the first CPU repeat all over the list: each
 * CPU with the first of its group, and those (up to PAIRING_LEADERS_MOST, evenly spread)
 * with each other; and as many CPUs, evenly spread, with each other. Pairs of the first
 * CPU are left out. 0 or -ENOMEM. */
int sonde_infer_pairing_by_group(const double *row, size_t count,
                                 struct pairing *pairing);

/* Adds the pairs to be tried by contention: up to six that are as near as the nearest of
 * the first CPU, up to six of the `declared` pairs, and four that are neither. */
int sonde_infer_pairing_to_try(const double *row, size_t count,
                               const struct pairing *declared, struct pairing *pairing);

/* Adds one pair; sonde_infer_pairing_finish() sorts them. 0 or -ENOMEM. */
int sonde_infer_pairing_add(struct pairing *pairing, size_t one, size_t other);
void sonde_infer_pairing_finish(struct pairing *pairing);
void sonde_infer_pairing_free(struct pairing *pairing);

#endif
