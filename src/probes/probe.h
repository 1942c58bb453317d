/* A probe: one file, one row of probes.def.
 *
 * It plans points and infers findings from the series that come back. It never reads a
 * clock, never loops over samples, and knows nothing of JSON or terminals. */
#ifndef SONDE_PROBES_PROBE_H
#define SONDE_PROBES_PROBE_H

#include "infer/finding.h"
#include "machine/machine.h"
#include "measure/harness.h"
#include "measure/plan.h"
#include "measure/scales.h"
#include "passport/passport.h"

#include <stddef.h>

struct probe_context {
    const struct machine *machine;
    const struct facts *facts;
    const struct scales *scales;
    const struct passport *passport; /* what earlier probes found */
    struct effort effort;
    double memory_bytes; /* the largest footprint allowed */
    /* Of a probe that asks for real-time priority: 0 it has it, a negative errno why not;
     * 1 nobody asked. */
    int real_time;
    double huge_share; /* of the measured memory on huge pages, by smaps; NaN unknown */
    uint64_t seed;
    bool simulated; /* a planted machine: ask nothing of this one */
};

struct probe {
    const char *name;    /* "latency" */
    const char *summary; /* one line, for list and help */
    const char *asks;    /* the question it answers, as a person would put it */
    double seconds;      /* wall clock it may take by default, all its stages together */
    /* What it will make of that on this machine; NULL: all of it. */
    double (*wish)(const struct machine *machine);
    bool real_time; /* interruptions would spoil it: ask for priority */
    /* Adds series of what the context holds already (the scales); NULL: none. */
    int (*tabulate)(const struct probe_context *context, struct series_list *series);
    /* Adds the points of `stage` (0, 1, ...) to `plan`; a stage without points ends it.
     * NULL: nothing to measure beyond the scales. Later stages see in `so_far` what the
     * earlier ones measured. 0 or a negative errno with the reason: -ENOTSUP means this
     * machine cannot. */
    int (*plan)(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why);
    /* Draws findings and controls from the measured series. */
    int (*infer)(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings);
};

/* The table in the order of probes.def, which is the order of a run. */
const struct probe *const *sonde_probes(size_t *count);
const struct probe *sonde_probe_find(const char *name);

/* Four times the largest plausible declared cache, capped by effort and by the memory
 * that is allowed: what sizes ladders, never an inference. Bytes. */
double sonde_probe_largest_footprint(const struct probe_context *context);

/* The huge page of this machine: the declared one, or what a last table but one of its
 * page size maps. Bytes. */
double sonde_probe_huge_bytes(const struct probe_context *context);
/* The line as the probe `line` found it, else as declared; NaN: neither. Bytes. */
double sonde_probe_line_bytes(const struct probe_context *context);

/* --- session.c: from probes to a passport ----------------------------------------------
 */

struct session {
    const struct machine *machine;
    struct facts facts; /* moved into the passport */
    struct meter meter;
    unsigned cpu;
    const char *kind;
    struct cpulist kind_cpus;
    uint64_t seed;
    struct effort effort;
    double budget_s; /* for all probes together */
    double memory_bytes;
    bool keep_samples, simulated;
    const struct probe *const *probes;
    size_t probe_count;
    const struct counter_list *counters; /* wanted; NULL: none */
    const volatile sig_atomic_t *interrupted;
    /* Hooks, each may be NULL. */
    void (*progress)(void *self, const char *probe, double done, double left_s);
    void (*finished)(void *self, const struct passport *passport); /* after each probe */
    void *self;
};

/* Runs the probes and fills `passport`. 0, -EINTR (what is done is there), or a negative
 * errno with one line when nothing could be measured at all. */
int sonde_probe_session(struct session *session, struct passport *passport,
                        struct message *why);

#endif
