/* The run of a plan, shared by harness.c (visits), warming.c (what comes before samples)
 * and rounds.c (which visits, and when it is enough). Nobody else includes this. */
#ifndef SONDE_MEASURE_ROUNDS_H
#define SONDE_MEASURE_ROUNDS_H

#include "base/random.h"
#include "measure/counting.h"
#include "measure/harness.h"
#include "measure/quiet.h"
#include "measure/schedule.h"

enum {
    ROUNDS_MIN = 7,
    SAMPLES_LEAST = 21, /* the first checkpoint of the stopping rule */
};

struct task {
    const struct point *point;
    struct sample *samples;
    size_t count, capacity, rejected, apart, unlawful, visits;
    struct tally tally;
    size_t checked; /* of the checkpoints, those that were passed */
    uint64_t steps; /* per sample; 0: not sized yet */
    double spent_s,
        cost_s;           /* on all visits: as it passed; as turns are told, see price */
    double first_cost_s;  /* of the first visit alone */
    unsigned flags, rank; /* rank: among equals of a round, by chance */
    bool done;
};

struct run {
    const struct plan *plan;
    struct meter *meter;
    const struct scales *scales;
    const struct run_control *control;
    struct task *tasks;
    struct turn *turns; /* one per task */
    uint32_t *order;
    struct quiet *quiet;
    struct random_source random;
    double start_s, ahead_s; /* ahead: least time that is still needed */
    uint64_t granted[PAGES_HUGE + 1];
    uint32_t round;
    bool going;           /* this round: see time_to_go */
    uint64_t going_place; /* where */
    double going_s;       /* spent on that */
    bool stopped;
};

bool sonde_measure_interrupted(const struct run *run);
/* Seconds since the run began. */
double sonde_measure_elapsed(const struct run *run);
/* One visit of task `index`: places it, warms up, takes a few samples. 0 or a negative
 * errno; what this machine cannot grant is a flag of the task and no error. */
int sonde_measure_visit(struct run *run, size_t index, struct message *why);

/* Whether the time is up by so much that a visit ends early. */
bool sonde_measure_overrun(const struct run *run);

/* --- warming.c */

/* Sizes the batch at the first visit; warms up at each, longer where the last one was not
 * in the same `place` (any name of it). Without a size, none was found in time. 0 or a
 * negative errno. */
int sonde_measure_warm(struct run *run, struct task *task, uint64_t place,
                       struct placement *placement);

/* --- rounds.c */

/* Rounds until all tasks are done, the time is up or the run is interrupted. */
int sonde_measure_all_rounds(struct run *run, struct message *why);
/* Sets samples aside that were taken with a neighbour on the core. 0 or -ENOMEM. */
int sonde_measure_set_aside(struct run *run);

#endif
