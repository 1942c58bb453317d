/* A measured (or read) quantity over up to three axes: the one thing that flows from the
 * harness, or from another tool's file, into inference and into the report. */
#ifndef SONDE_MEASURE_SERIES_H
#define SONDE_MEASURE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SERIES_AXES_MAX = 3 };

struct axis {
    const char *name;  /* "size", "stride", "threads" */
    const char *unit;  /* "bytes", "count", ... */
    const char *scale; /* "log2", "linear", "category" */
};

enum point_flag {
    POINT_NOISY = 1 << 0,      /* more than 20 % severe outliers */
    POINT_UNSTABLE = 1 << 1,   /* the interval never became narrow enough */
    POINT_BIMODAL = 1 << 2,    /* two modes: see mode_low, mode_high */
    POINT_FEW = 1 << 3,        /* fewer samples than the discipline asks for */
    POINT_WRONG = 1 << 4,      /* the kernel returned a wrong value: no figures */
    POINT_CUT = 1 << 5,        /* ended by the time budget or an interrupt */
    POINT_CORRELATED = 1 << 6, /* lag-1 autocorrelation above 0.3 */
    POINT_UNREACHED = 1 << 7,  /* not enough memory was granted for it */
    POINT_UNLAWFUL = 1 << 8,   /* breaks a law (see DESIGN, discipline 9) */
    POINT_APART = 1 << 9,   /* a team's members were elsewhere, or did not work at once */
    POINT_SHARED = 1 << 10, /* of this core, and a neighbour was on it all the time */
    POINT_FAULTED = 1 << 11,   /* page faults where none belong */
    POINT_SWITCHED = 1 << 12,  /* more samples lost to a switch of the CPU than kept */
    POINT_ELSEWHERE = 1 << 13, /* some of it on another CPU, the own one was taken away */
};
/* "noisy" for POINT_NOISY; NULL past the last (index is the bit number). */
const char *sonde_measure_flag_name(unsigned bit);

struct sample {
    float value;    /* in the quantity of the series: ns per operation, or operations per
                       second. No clock tells more than these seven digits. */
    float cycles;   /* the same by core cycles: cycles per operation, or operations per
                       cycle; NaN where the core clock was not known */
    double overlap; /* of a team, see struct reading; NaN: no team */
    double
        fairness; /* of a team: fastest member's time over the slowest's; NaN: no team */
    double share; /* of the core this thread had: adds per cycle of the wide chain; NaN */
    double load;  /* bytes a second that a team's other members moved; NaN: none */
    uint32_t round; /* which round it was taken in */
};

/* Events per operation; page faults too, which need no counter. */
struct counter_value {
    char *name; /* "l1-misses"; owned */
    double value;
};

struct series_point {
    double at[SERIES_AXES_MAX];
    /* Of the value; NaN throughout when n is 0. */
    size_t n;
    double min, q25, median, q75, q90, p99, max, mean, iqr;
    double low, high; /* 99 % order-statistic interval of the point's statistic */
    double best;      /* the point's statistic itself (q25, median or q75) */
    double cycles;    /* the same statistic of the samples' cycles; NaN unknown */
    size_t outliers_mild, outliers_severe; /* beyond 1.5 and 3 IQR */
    size_t rejected; /* samples set aside: the clock moved, or a switch happened */
    size_t
        apart; /* of these, of a team: its members were not at once where they belong */
    double autocorrelation; /* lag 1, of clipped samples; NaN below 8 samples */
    double mode_low,
        mode_high;          /* medians of the two modes when POINT_BIMODAL, else NaN */
    unsigned flags;         /* enum point_flag */
    struct sample *samples; /* n of them, in the order taken; owned; NULL: not kept */
    char *label;            /* for category axes and remarks; owned, may be NULL */
    struct counter_value *counters; /* owned; NULL: none */
    size_t counter_count;
};

enum statistic {
    STATISTIC_Q25,    /* what belongs to this core */
    STATISTIC_MEDIAN, /* what is shared with others */
    STATISTIC_Q75,    /* rates of what belongs to this core */
    STATISTIC_Q90,    /* rates that neighbours lower most of the time */
};
/* "q25", "median", "q75", "q90". */
const char *sonde_measure_statistic_name(enum statistic statistic);
/* -EINVAL for an unknown name. */
int sonde_measure_statistic_parse(const char *name, enum statistic *statistic);
/* The quantile that a statistic is: 0.25, 0.5 or 0.75. */
double sonde_measure_statistic_quantile(enum statistic statistic);

struct series {
    char *name; /* "windowed", "random"; owned */
    struct axis axes[SERIES_AXES_MAX];
    unsigned axis_count;
    /* Of an axis: what its places 0, 1, 2, ... are called, "read|write|copy"; NULL:
     * numbers say it all, or the labels of points do. */
    const char *place_names[SERIES_AXES_MAX];
    const char *quantity; /* "latency", "throughput", "cost" */
    const char *unit;     /* "ns", "bytes/s" */
    enum statistic statistic;
    struct series_point *points;
    size_t count, capacity;
};

struct series_list {
    struct series *rows;
    size_t count, capacity;
};

/* Appends an empty series; NULL: out of memory. `name` is copied. The pointer is good
 * until the next append. */
struct series *sonde_measure_series_add(struct series_list *list, const char *name);
/* Appends a point with every figure unknown (NaN) and n = 0. */
struct series_point *sonde_measure_point_add(struct series *series);
/* What a point's place on an axis is called; its length, 0: it has no name. The name is
 * not terminated; it lives as long as the series. */
size_t sonde_measure_place_name(const struct series *series,
                                const struct series_point *point, unsigned axis,
                                const char **name);
/* Adds a counter's value to a point; the name is copied. NULL: out of memory. */
struct counter_value *sonde_measure_counter_add(struct series_point *point,
                                                const char *name, double value);
/* NaN: not counted there. */
double sonde_measure_counter(const struct series_point *point, const char *name);
const struct series *sonde_measure_series_find(const struct series_list *list,
                                               const char *name);
void sonde_measure_series_list_free(struct series_list *list);

#endif
