/* The known truth beside a captured tree: an indented listing of objects, one a line,
 *
 *     L2Cache L#0 (P#0 size=1280KiB linesize=64 ways=10)
 *       ...
 *           PU L#0 (P#0)
 *
 * read into one row per CPU. A CPU's caches are the ones it is indented under. */
#ifndef SONDE_TESTS_CONSOLE_H
#define SONDE_TESTS_CONSOLE_H

#include <stddef.h>

enum { TRUTH_CACHES = 5, TRUTH_CPUS = 256 };

/* "l1i", "l1d", "l2", "l3", "l4": the names of the columns. */
extern const char *const truth_names[TRUTH_CACHES];

struct truth_cache {
    double size, line, ways; /* 0: not said */
};

struct truth_cpu {
    unsigned number;
    struct truth_cache caches[TRUTH_CACHES]; /* size 0: this CPU has none */
};

struct truth {
    struct truth_cpu cpus[TRUTH_CPUS];
    size_t count;
};

/* 0 or a negative errno. */
int truth_read(struct truth *truth, const char *path);

#endif
