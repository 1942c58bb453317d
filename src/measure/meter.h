/* A meter takes one sample. There are two: the hardware and the simulated machine; the
 * harness cannot tell them apart. */
#ifndef SONDE_MEASURE_METER_H
#define SONDE_MEASURE_METER_H

#include "base/error.h"
#include "machine/counters.h"
#include "measure/plan.h"
#include "measure/scales.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory made ready for a point: filled, its ring closed and counted. */
struct placement {
    void *base; /* what the kernel gets first (a ring: its current node) */
    uint64_t bytes;
    uint64_t position; /* ring: index in visiting order of `base` */
    void *detail;      /* the meter's own */
};

struct reading {
    double ns;                  /* of the whole batch, the timer's own cost taken off */
    double hz_before, hz_after; /* core clock around it; NaN: not known */
    double share_before, share_after; /* adds per cycle of the wide chain; NaN */
    bool switched;                    /* the thread lost the CPU or moved meanwhile */
    bool elsewhere; /* it was bound to a CPU, and that is not allowed any more */
    double overlap; /* of a team: time all worked over time any did; NaN: no team */
    bool in_place;  /* of a team: all were on their CPUs, before and after */
    double fastest_ns, slowest_ns; /* of a team: its members' own times; NaN: no team */
    double together_ns; /* of a team: harmonic mean of those, for rates; NaN: no team */
    double load;        /* bytes a second that the loads moved; NaN: none */
    bool correct;       /* the kernel returned what was predicted */
    double faults;      /* page faults meanwhile */
    double sleeps;      /* times a thread gave its CPU away to wait; of a team, the mean
                           of its members; NaN: not known */
    bool counted;       /* `counts` holds figures; NaN: not of this sample */
    double counts[COUNTERS_MAX]; /* events, in the order of the list of count() */
};

struct meter_ops {
    const char *name; /* "hardware", "simulated" */
    /* Weighs the clocks; `seconds` bounds the time it may take. -ETIME: no clock here can
     * time anything. */
    int (*weigh)(void *self, double seconds, struct scales *scales);
    /* Calibrates the tick counter again and fills tick_drift_ppm. */
    int (*recheck)(void *self, struct scales *scales);
    /* Maps and touches memory for footprints up to `bytes` on pages of `pages`, once,
     * before the rounds; gives how many bytes are really to be had (fewer when not
     * granted). NULL: nothing to reserve, all is granted. */
    int (*reserve)(void *self, enum page_kind pages, uint64_t bytes, uint64_t *granted);
    /* The same for points whose layouts ask for `node`. NULL: all memory
     * is alike here. */
    int (*reserve_on)(void *self, unsigned node, uint64_t bytes, uint64_t *granted);
    /* What backs the memory reserved for `pages`. NULL: not known. */
    int (*backing)(void *self, enum page_kind pages, struct page_backing *backing);
    /* Readies memory for `point` afresh, its placement drawn from `seed`; the pages may
     * be those of an earlier placement, which this ends. -ENOMEM when not granted. */
    int (*place)(void *self, const struct point *point, uint64_t seed,
                 struct placement *placement, struct message *why);
    /* One batch of `steps`, a multiple of the kernel's unroll. */
    int (*sample)(void *self, const struct point *point, struct placement *placement,
                  uint64_t steps, struct reading *reading);
    /* Counts the events of `list` (which must live on) in every sample from now on. 0,
     * with a line in `why` for those it cannot count; a negative errno and the reason
     * when it counts none. NULL: it never does. */
    int (*count)(void *self, const struct counter_list *list, struct message *why);
    /* Gives back all memory that was reserved or placed, so that what is held is never
     * more than one plan needs. NULL: it holds none. */
    void (*release)(void *self);
    /* The most memory that was laid out for points at once so far, in bytes: their
     * footprints, without what lies beside them. NULL: they have none. */
    double (*footprint)(void *self);
    /* Seconds since the meter was made, for budgets (simulated time for the simulation).
     */
    double (*elapsed)(void *self);
    /* Of these the seconds in which the measuring thread had a CPU, from any beginning.
     * NULL or NaN: not known. */
    double (*worked)(void *self);
    void (*close)(void *self);
};

struct meter {
    const struct meter_ops *ops;
    void *self;
};

/* --- hardware.c
 * -------------------------------------------------------------------------- */

/* The real machine. The caller has bound its thread to a CPU, uses the meter from that
 * thread alone and closes it there. `memory_bytes` bounds what may be mapped. */
int sonde_measure_hardware_open(struct meter *meter, const struct machine *machine,
                                double memory_bytes, struct message *why);

/* --- simulation.c
 * ------------------------------------------------------------------------ */

/* A planted machine from MODEL.json (its grammar: docs/SIMULATE.md): fills the machine,
 * the facts it declares, and a meter that plays it. The same model and seed give the same
 * readings. On failure one line names the file and what is wrong with it; nothing is left
 * to close. The machine and facts are the caller's to free; `kind` selects the kind of
 * core on hybrid models. */
int sonde_measure_simulation_open(struct meter *meter, struct machine *machine,
                                  struct facts *facts, const char *path, unsigned kind,
                                  uint64_t seed, struct message *why);

#endif
