/* From probes to a passport: weigh the scales, then each probe's plan, harness, inference
 * and verdicts, one after the other; after each the passport is complete as far as it
 * goes.
 *
 * What can fool it: the first probes run on a core that was just woken (the scales come
 * first, and take long enough), and a budget shared by name lets a slow probe starve none
 * other, since each has its own. */
#include "probes/probe.h"

#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "probes/describe.h"
#include "probes/verdicts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weighing takes this part of the budget, at least and at most so many seconds. */
static const double weigh_share = 0.03, weigh_least_s = 0.3, weigh_most_s = 2;
/* A change of the tick rate above this is no drift of a crystal. */
static const double drift_limit_ppm = 50;

struct course {
    struct session *session;
    struct passport *passport;
    struct scales scales;
    double seconds_per_second;           /* what the budget makes of a probe's own wish */
    double start_s;                      /* by the meter, after the scales */
    const struct counter_list *counters; /* that are counted; NULL: none */
    const struct probe *probe;           /* the one that runs */
};

static bool stop_wanted(const struct session *session)
{
    return session->interrupted && *session->interrupted;
}

/* What the probes from `first` on wish for together. */
static double wish_from(const struct session *session, size_t first)
{
    double total = 0;

    for (size_t i = first; i < session->probe_count; i++)
        total += session->probes[i]->seconds;
    return total > 0 ? total : 1;
}

/* Who took longer than its part takes it from all that follow, so that the whole stays
 * within the budget; nobody gets less than half of its part, or more than it. */
static double pace(const struct course *course, size_t next)
{
    const struct session *session = course->session;
    double passed_s = session->meter.ops->elapsed(session->meter.self) - course->start_s;
    double planned = session->budget_s / wish_from(session, 0);
    double left = (session->budget_s - passed_s) / wish_from(session, next);

    return fmin(fmax(left, planned / 2), planned);
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
        .budget_s = course->probe->seconds * course->seconds_per_second,
        .keep_samples = session->keep_samples,
        .interrupted = session->interrupted,
        .counters = course->counters,
        .progress = forward_progress,
        .progress_self = course,
    };
    int error = course->probe->plan(context, stage, series, &plan, why);

    if (plan.budget_s > 0)
        control.budget_s = plan.budget_s * course->seconds_per_second;
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
    struct course course = {.session = session, .passport = passport};
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
                               strerror(-error));
    error = sonde_probe_describe_scales(&course.scales, passport);
    course.start_s = session->meter.ops->elapsed(session->meter.self);
    for (size_t i = 0; !error && i < session->probe_count; i++) {
        course.seconds_per_second = pace(&course, i);
        error = run_probe(&course, session->probes[i]);
        note_pages(&course);
        if (session->finished && !error)
            session->finished(session->self, passport);
        if (!error && stop_wanted(session))
            error = -EINTR;
    }
    finish_scales(&course);
    return error;
}
