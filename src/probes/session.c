/* From probes to a passport: weigh the scales, then each probe's plan, harness, inference
 * and verdicts, one after the other; after each the passport is complete as far as it
 * goes.
 *
 * What can fool it: the first probes run on a core that was just woken (the scales come
 * first, and take long enough), and a probe that takes longer than it was given takes it
 * from others (pace.c says from whom). */
#include "probes/probe.h"

#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "probes/describe.h"
#include "probes/pace.h"
#include "probes/verdicts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weighing takes this part of the budget, at least and at most so many seconds. */
static const double weigh_share = 0.03, weigh_least_s = 0.3, weigh_most_s = 2;
/* A change of the tick rate above this is no drift of a crystal. */
static const double drift_limit_ppm = 50;
/* Of its probe's time, for a stage that asks for none and finds none left. */
static const double stage_least = 0.1;

struct course {
    struct session *session;
    struct passport *passport;
    struct scales scales;
    double seconds_per_second;           /* what the budget makes of a probe's own wish */
    double start_s;                      /* by the meter, after the scales */
    const struct counter_list *counters; /* that are counted; NULL: none */
    const struct probe *probe;           /* the one that runs */
    double left_s;                       /* of its time, for stages to come */
    double whole_share;                  /* the best share of the core in any plan */
};

static bool stop_wanted(const struct session *session)
{
    return session->interrupted && *session->interrupted;
}

/* What the probes from `first` on wish for together. */
static double wish_from(const struct session *session, size_t first)
{
    double total = 0;

    for (size_t i = first; i < session->probe_count; i++) {
        const struct probe *probe = session->probes[i];

        total += probe->wish ? probe->wish(session->machine) : probe->seconds;
    }
    return total;
}

static double pace(const struct course *course, size_t next)
{
    const struct session *session = course->session;
    double now = session->meter.ops->elapsed(session->meter.self);

    return sonde_probe_pace(&(struct pace){.budget_s = session->budget_s,
                                           .wish_s = wish_from(session, 0),
                                           .passed_s = now - course->start_s,
                                           .wish_left_s = wish_from(session, next)});
}

/* A stage has the time it asks for, or all that its probe has left. */
static double stage_budget(const struct course *course, const struct plan *plan)
{
    double left = course->left_s;

    if (plan->budget_s > 0)
        return plan->budget_s * course->seconds_per_second;
    return fmax(left, stage_least * course->probe->seconds * course->seconds_per_second);
}

static void forward_progress(void *self, double done, double left_s)
{
    struct course *course = self;

    if (course->session->progress)
        course->session->progress(course->session->self, course->probe->name, done,
                                  left_s);
}

/* --- one probe -------------------------------------------------------------------------
 */

static void set_reason(struct probe_result *result, enum probe_status status,
                       const char *reason)
{
    result->status = status;
    free(result->reason);
    result->reason = sonde_base_copy(reason);
}

static double share_on_huge_pages(struct course *course)
{
    const struct meter *meter = &course->session->meter;
    struct page_backing backing;

    if (!meter->ops->backing || meter->ops->backing(meter->self, PAGES_HUGE, &backing))
        return NAN;
    return backing.resident_bytes > 0 ? backing.huge_bytes / backing.resident_bytes : NAN;
}

static int run_stage(struct course *course, const struct probe_context *context,
                     unsigned stage, struct series_list *series, bool *more,
                     struct message *why)
{
    struct session *session = course->session;
    struct plan plan = {0};
    struct run_control control = {
        .seed = session->seed ^ sonde_base_hash(course->probe->name) ^ stage,
        .effort = session->effort,
        .keep_samples = session->keep_samples,
        .whole_share = &course->whole_share,
        .interrupted = session->interrupted,
        .counters = course->counters,
        .progress = forward_progress,
        .progress_self = course,
    };
    int error = course->probe->plan(context, stage, series, &plan, why);

    control.budget_s = stage_budget(course, &plan);
    course->left_s -= control.budget_s;
    *more = !error && (plan.count > 0 || plan.search.pages > 0);
    if (*more)
        error = sonde_measure_run(&plan, &session->meter, &course->scales, &control,
                                  series, why);
    sonde_measure_plan_free(&plan);
    return error;
}

static int measure(struct course *course, const struct probe_context *context,
                   struct series_list *series, struct message *why)
{
    bool more = course->probe->plan != NULL;
    int error = 0;

    if (course->probe->tabulate)
        error = course->probe->tabulate(context, series);
    for (unsigned stage = 0; more && !error; stage++)
        error = run_stage(course, context, stage, series, &more, why);
    return error;
}

/* Points without figures, and why, in one line. */
static void note_gaps(struct probe_result *result)
{
    size_t total = 0, empty = 0, wrong = 0, unreached = 0;
    char reason[160];

    for (size_t s = 0; s < result->series.count; s++) {
        const struct series *series = &result->series.rows[s];

        for (size_t i = 0; i < series->count; i++) {
            const struct series_point *point = &series->points[i];

            total++;
            empty += point->n == 0 && isnan(point->best) && !point->label;
            wrong += (point->flags & POINT_WRONG) != 0;
            unreached += (point->flags & POINT_UNREACHED) != 0;
        }
    }
    if (!empty)
        return;
    snprintf(
        reason, sizeof reason,
        "%zu of %zu points have no figures (%zu wrong values, %zu not granted memory, "
        "%zu out of time)",
        empty, total, wrong, unreached, empty - wrong - unreached);
    set_reason(result, wrong ? PROBE_FAILED : PROBE_PARTIAL, reason);
}

static void conclude(struct course *course, struct probe_context *context,
                     struct probe_result *result)
{
    int error;

    context->huge_share = share_on_huge_pages(course);
    error = course->probe->infer(context, &result->series, &result->findings);
    if (error)
        set_reason(result, PROBE_FAILED, strerror(-error));
    sonde_probe_judge(course->passport, &result->findings);
    note_gaps(result);
}

static void drop_samples(struct series_list *list)
{
    for (size_t s = 0; s < list->count; s++)
        for (size_t i = 0; i < list->rows[s].count; i++) {
            free(list->rows[s].points[i].samples);
            list->rows[s].points[i].samples = NULL;
        }
}

static int run_probe(struct course *course, const struct probe *probe)
{
    struct session *session = course->session;
    struct probe_result *result = sonde_passport_probe_add(course->passport, probe->name);
    struct probe_context context = {
        .machine = session->machine,
        .facts = &course->passport->facts,
        .scales = &course->scales,
        .passport = course->passport,
        .effort = session->effort,
        .memory_bytes = session->memory_bytes,
        .huge_share = NAN,
        .real_time = 1,
        .seed = session->seed,
        .simulated = session->simulated,
    };
    const struct meter *meter = &session->meter;
    double start_s = meter->ops->elapsed(meter->self);
    struct message why = {{0}};
    int error;

    if (!result)
        return -ENOMEM;
    course->probe = probe;
    course->left_s = probe->seconds * course->seconds_per_second;
    if (probe->real_time && !session->simulated)
        context.real_time = sonde_machine_priority_raise();
    error = measure(course, &context, &result->series, &why);
    if (context.real_time == 0)
        sonde_machine_priority_drop();
    if (!error || error == -EINTR)
        conclude(course, &context, result);
    else
        set_reason(result, error == -ENOTSUP ? PROBE_UNAVAILABLE : PROBE_FAILED,
                   why.text[0] ? why.text : strerror(-error));
    if (error == -EINTR)
        set_reason(result, PROBE_PARTIAL, "interrupted");
    if (!session->keep_samples)
        drop_samples(&result->series);
    result->seconds = meter->ops->elapsed(meter->self) - start_s;
    return error == -EINTR ? error : 0;
}

/* --- the whole
 * --------------------------------------------------------------------------- */

static int weigh(struct course *course)
{
    struct session *session = course->session;
    double seconds = session->budget_s * weigh_share;

    seconds = fmin(fmax(seconds, weigh_least_s), weigh_most_s);
    return session->meter.ops->weigh(session->meter.self, seconds, &course->scales);
}

static void note_pages(struct course *course)
{
    double share = share_on_huge_pages(course);
    char text[96];

    if (isnan(share))
        return;
    snprintf(text, sizeof text, "%.0f %% of the measured memory on huge pages by smaps",
             100 * share);
    free(course->passport->environment.pages);
    course->passport->environment.pages = sonde_base_copy(text);
}

/* What this probe had is given back before the next one, and before results are written:
 * the program never holds more than one plan's memory beside its samples. */
static void note_memory(struct course *course)
{
    struct session *session = course->session;
    const struct meter *meter = &session->meter;
    struct passport_environment *environment = &course->passport->environment;

    if (meter->ops->release)
        meter->ops->release(meter->self);
    if (!meter->ops->footprint || session->simulated)
        return;
    environment->footprint_bytes = meter->ops->footprint(meter->self);
    environment->peak_bytes = sonde_machine_memory_peak(session->machine);
}

/* A CPU may be taken away in the middle of a run. */
static int note_place(struct course *course)
{
    const struct session *session = course->session;
    int here = session->simulated ? -1 : sonde_machine_current_cpu();

    if (here < 0 || (unsigned)here == session->cpu)
        return 0;
    return sonde_passport_warn(course->passport, "unpinned",
                               "allow the CPU, or read the spread with care",
                               "after %s the thread ran on CPU %d, not on CPU %u",
                               course->probe->name, here, session->cpu);
}

static void finish_scales(struct course *course)
{
    struct session *session = course->session;

    session->meter.ops->recheck(session->meter.self, &course->scales);
    for (size_t i = 0; i < course->passport->probe_count; i++) {
        struct probe_result *result = &course->passport->probes[i];

        if (strcmp(result->name, "clock") == 0 && !isnan(course->scales.tick_drift_ppm))
            sonde_infer_control(
                &result->findings, course->scales.tick_drift_ppm < drift_limit_ppm,
                "the tick counter keeps its rate to the end of the run", "within 50 ppm",
                "%.1f ppm", course->scales.tick_drift_ppm);
    }
}

/* One note says which counters there are not, and why; nothing else changes. */
static int open_counters(struct course *course)
{
    const struct session *session = course->session;
    struct message why = {{0}};
    int error = -ENOTSUP;

    if (!session->counters)
        return 0;
    if (session->meter.ops->count)
        error = session->meter.ops->count(session->meter.self, session->counters, &why);
    if (error == -ENOMEM)
        return error;
    if (!error)
        course->counters = session->counters;
    return sonde_probe_warn_counters(session->machine, error, why.text, course->passport);
}

int sonde_probe_session(struct session *session, struct passport *passport,
                        struct message *why)
{
    struct course course = {.session = session, .passport = passport, .whole_share = NAN};
    int error = sonde_probe_describe(session, passport);

    passport->facts = session->facts;
    session->facts = (struct facts){0};
    if (!error)
        error = sonde_probe_warn(session, passport);
    if (!error)
        error = open_counters(&course);
    if (!error)
        error = weigh(&course);
    if (error)
        return sonde_base_fail(why, error, "the clocks could not be weighed: %s",
                               error == -ETIME ? "no clock here moves"
                                               : strerror(-error));
    error = sonde_probe_describe_scales(&course.scales, passport);
    course.start_s = session->meter.ops->elapsed(session->meter.self);
    for (size_t i = 0; !error && i < session->probe_count; i++) {
        course.seconds_per_second = pace(&course, i);
        error = run_probe(&course, session->probes[i]);
        note_pages(&course);
        note_memory(&course);
        if (!error)
            error = note_place(&course);
        if (session->finished && !error)
            session->finished(session->self, passport);
        if (!error && stop_wanted(session))
            error = -EINTR;
    }
    finish_scales(&course);
    return error;
}
