/* Small formulas in a kernel's parameters, such as "n*stride" or "8*n+64": how a
 * declaration says what a call works on. */
#ifndef SONDE_BENCH_FORMULA_H
#define SONDE_BENCH_FORMULA_H

#include "base/error.h"

#include <stddef.h>

struct formula_name {
    const char *name;
    double value;
};

/* Whole numbers, names, + - * / and brackets. An empty formula is 0. 0 or -EINVAL with
 * what is wrong; division by 0 is wrong. */
int sonde_bench_formula(const char *text, const struct formula_name *names, size_t count,
                        double *value, struct message *why);

#endif
