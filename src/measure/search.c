/* The lines of one set of a cache, where no address tells them.
 *
 *   climb    lines at one offset of random pages, more than their sets hold; groups of
 *            them are left out by turns, and the one whose absence leaves the others
 *            slowest goes: what stays are the lines of one set
 *                1600 ################   ...   28 ####   9 #
 *   step     of what was left last, so many as still fit, and one more: the set overflows
 *                ns of a cycle   . . . . . . . . : :
 *   count    of those all, one by one: without a line of the set it no longer overflows
 *   partners lines at random places go along, some at a time, with as many of the set as
 *            it holds: how often it overflows then tells how many sets there are
 *
 * Lines share the index bits below a page; which pages share a set is what the climb
 * finds, hashed or not. Whole rings are timed, never an access, and held against what a
 * ring of few lines costs, which the level holds. A few lines of the same offset go
 * around with them: sets of the first level are so full that all come from the level that
 * is looked at, and where one of them is of the set by chance the count says so.
 *
 * What can fool it: a neighbour on the same core or in the level beyond, beside which the
 * climb loses its way (it then ends at lines of many sets, and no step is found), or that
 * uses the same set (it holds fewer, now and then: counts disagree). */
#include "measure/search.h"

#include "base/random.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLUSH = 12, /* with the lines of a set, more than a first level has ways */
    /* All from the level that is looked at: too many for a set of the first level, too
     * few to overflow those of the second, where they fall by chance. */
    LINES_FEW = 24,
    LINES_FEWER = 14, /* still more than a set of the first level holds */
    DRAWS_FEWER = 8,
    LINES_FIRST = 50, /* to begin with; twice as many until most miss */
    LINES_MOST = 3200,
    PARTS = 12,       /* left out by turns, */
    SINGLES = 36,     /* or line by line from here on */
    SET_MOST = 28,    /* lines that one set may hold; its step is looked for among them */
    CLIMB_ORDERS = 3, /* tried of a ring; the cheapest counts */
    SINGLE_ORDERS = 6,
    STEP_ORDERS = 20,
    ROUNDS_LEAST = 2,  /* times around in a sample, */
    LOADS_LEAST = 500, /* beside which the reading of the clock counts for little */
    COUNTS = 2,        /* of a step, that must agree */
    GROUP = 24,        /* lines at one random offset that go along: more than a set of the
                          first level holds */
    GROUPS_MOST = 3000,
    PARTNERS_ENOUGH = 50, /* of a try */
    REFERENCES = 8,       /* groups that say what a ring costs with one and with none */
    GROUP_ORDERS = 4,     /* in all of which the set overflows, */
    CONFIRMATIONS = 3,    /* and so often it stops and begins again */
};

/* Both below are in loads of a ring of few lines, all of one set of the first level: on
 * Zen 3 they take 14.8 cycles, where loads of many sets take 12.
 *
 * One line too many makes a whole set miss, or some of it where what it gives up is left
 * to chance: at the least as many times two loads as this. (A third level costs three
 * times a second one or more.) */
static const double misses_least = 1.6;
/* Too many lines for their sets: on average they cost this much of the level, and this
 * where most miss. (Misses of the first translation level cost half of a second-level
 * load.) Far more lines would overflow sets of the next level, too. */
static const double overflow_least = 1.15, overflow_plain = 2;

struct search_run {
    const struct search *search;
    struct meter *meter;
    const struct run_control *control;
    struct message *why;
    struct random_source random;
    double start_s;
    struct point point;
    uint64_t *pages;  /* numbers of all, shuffled for each try */
    uint64_t *places; /* the flush, then the lines; those left out last stand first */
    uint64_t *ring;   /* the same without some, for a comparison */
    uint64_t lines;
    uint64_t drawn;                     /* pages that lines of this try lie on */
    uint64_t members[FLUSH + SET_MOST]; /* places of the set, one more than it holds */
    double level_ns; /* of a load that the level answers: the cheapest that was seen */
    struct series *groups, *partners;
};

static bool out_of_time(const struct search_run *run)
{
    double now = run->meter->ops->elapsed(run->meter->self) - run->start_s;

    return now > run->control->budget_s ||
           (run->control->interrupted && *run->control->interrupted);
}

/* Nanoseconds of a cycle of the first `count` places, in one random order. */
static int one_order(struct search_run *run, const uint64_t *places, uint64_t count,
                     double *ns)
{
    const struct meter_ops *ops = run->meter->ops;
    uint64_t unroll = run->point.kernel->unroll;
    uint64_t most =
        count * ROUNDS_LEAST > LOADS_LEAST ? count * ROUNDS_LEAST : LOADS_LEAST;
    uint64_t steps = (most + unroll - 1) / unroll * unroll;
    struct placement placement;
    struct reading reading = {0};
    int error;

    run->point.layout.nodes = count;
    run->point.layout.places = places;
    error = ops->place(run->meter->self, &run->point,
                       sonde_base_random_next(&run->random), &placement, run->why);
    if (!error)
        error = ops->sample(run->meter->self, &run->point, &placement, steps, &reading);
    if (!error && !reading.correct)
        error = sonde_base_fail(run->why, -EIO, "a ring of %llu lines went wrong",
                                (unsigned long long)count);
    *ns = reading.ns > 0 ? reading.ns / (double)steps * (double)count : INFINITY;
    return error;
}

/* The cheapest of some orders, since disturbance only adds. */
static int cycle_ns(struct search_run *run, const uint64_t *places, uint64_t count,
                    unsigned orders, double *ns)
{
    int error = 0;

    *ns = INFINITY;
    for (unsigned i = 0; i < orders && !error; i++) {
        double once;

        error = one_order(run, places, count, &once);
        *ns = fmin(*ns, once);
    }
    return error;
}

/* The ring without the lines [from, to), in one order. */
static int without_ns(struct search_run *run, uint64_t from, uint64_t to, double *ns)
{
    uint64_t all = FLUSH + run->lines;

    memcpy(run->ring, run->places, (FLUSH + from) * sizeof *run->ring);
    memcpy(run->ring + FLUSH + from, run->places + FLUSH + to,
           (run->lines - to) * sizeof *run->ring);
    return one_order(run, run->ring, all - (to - from), ns);
}

static void swap(uint64_t *left, uint64_t *right)
{
    uint64_t kept = *left;

    *left = *right;
    *right = kept;
}

static void shuffle(struct search_run *run, uint64_t *values, uint64_t count)
{
    for (uint64_t i = count; i > 1; i--)
        swap(&values[i - 1], &values[sonde_base_random_below(&run->random, i)]);
}

/* --- climb -----------------------------------------------------------------------------
 */

/* What a load costs that the level answers, as far as this try tells. Where a page spans
 * half of the sets, few lines are too many; fewer of them fall now and then so that none
 * of the two overflows. */
static int weigh_level(struct search_run *run)
{
    double few, fewer = INFINITY;
    int error = cycle_ns(run, run->places, LINES_FEW, STEP_ORDERS, &few);

    for (unsigned i = 0; i < DRAWS_FEWER && !error; i++) {
        double ns;

        error =
            cycle_ns(run, run->places + i * LINES_FEWER, LINES_FEWER, CLIMB_ORDERS, &ns);
        fewer = fmin(fewer, ns / LINES_FEWER);
    }
    few /= LINES_FEW;
    run->level_ns = fmin(run->level_ns, few > overflow_plain * fewer ? fewer : few);
    return error;
}

/* Pages and offset are drawn anew: lines until most miss, or as many as there may be. */
static int begin(struct search_run *run, bool *begun)
{
    const struct search *search = run->search;
    uint64_t offset =
        sonde_base_random_below(&run->random, search->page_bytes / search->line_bytes) *
        search->line_bytes;
    uint64_t most =
        search->pages - FLUSH < LINES_MOST ? search->pages - FLUSH : LINES_MOST;
    double each = 0;
    int error;

    run->drawn = FLUSH + most;
    shuffle(run, run->pages, search->pages);
    for (uint64_t i = 0; i < FLUSH + most; i++)
        run->places[i] = run->pages[i] * search->page_bytes + offset;
    error = weigh_level(run);
    for (uint64_t lines = LINES_FIRST; !error && lines <= most; lines *= 2) {
        double ns;

        run->lines = lines;
        error = cycle_ns(run, run->places, FLUSH + lines, CLIMB_ORDERS, &ns);
        each = ns / (double)(FLUSH + lines);
        if (each > overflow_plain * run->level_ns)
            break;
    }
    *begun = each > overflow_least * run->level_ns;
    return error;
}

/* What the ring costs without each part, a load: the cheapest of some orders. The parts
 * take turns, so that a spell of disturbance meets them all. */
static int weigh_parts(struct search_run *run, uint64_t parts, double *each)
{
    unsigned orders = run->lines > SINGLES ? CLIMB_ORDERS : SINGLE_ORDERS;
    int error = 0;

    for (unsigned i = 0; i < orders && !error; i++)
        for (uint64_t k = 0; k < parts && !error; k++) {
            uint64_t first = run->lines * k / parts, end = run->lines * (k + 1) / parts;
            double ns;

            error = without_ns(run, first, end, &ns);
            ns /= (double)(FLUSH + run->lines - (end - first));
            each[k] = i ? fmin(each[k], ns) : ns;
        }
    return error;
}

/* Leaves out the part that the others miss least: they are the slower for it. */
static int drop_part(struct search_run *run, double *most)
{
    uint64_t parts = run->lines > SINGLES ? PARTS : run->lines, slowest = 0;
    double each[SINGLES];
    uint64_t from, to;
    int error;

    shuffle(run, run->places + FLUSH, run->lines);
    error = weigh_parts(run, parts, each);
    if (error)
        return error;
    for (uint64_t k = 1; k < parts; k++)
        slowest = each[k] > each[slowest] ? k : slowest;
    *most = each[slowest];
    from = run->lines * slowest / parts;
    to = run->lines * (slowest + 1) / parts;
    /* To the end, where the next lines left out come to stand before it. */
    for (uint64_t i = from; i < to; i++)
        swap(&run->places[FLUSH + i], &run->places[FLUSH + --run->lines]);
    return 0;
}

/* Lost when few lines are left and hardly any of them miss. */
static int climb(struct search_run *run, bool *lost)
{
    double most = INFINITY;
    int error = 0;

    *lost = false;
    while (!error && run->lines > 2 && !*lost && !out_of_time(run)) {
        bool few = run->lines <= SINGLES && run->lines > SET_MOST;

        error = drop_part(run, &most);
        *lost = few && most < overflow_least * run->level_ns;
    }
    return error;
}

/* --- step and count --------------------------------------------------------------------
 */

/* Of the lines left out last, in that order: the number with which a set overflows, and
 * what it costs. 0: none does. Where a set gives up what chance says, the first line too
 * many costs less than the next ones: the first large step counts. */
static int find_step(struct search_run *run, uint64_t *at, double *step)
{
    double steps[SET_MOST + 1] = {0}, before = NAN, each = NAN, largest = 0, least;
    int error = 0;

    for (uint64_t lines = 1; lines <= SET_MOST && !error; lines++) {
        double ns;

        error = cycle_ns(run, run->places, FLUSH + lines, STEP_ORDERS, &ns);
        if (lines == 1)
            each = ns / (double)(FLUSH + lines);
        else
            steps[lines] = ns - before - each;
        largest = fmax(largest, steps[lines]);
        before = ns;
    }
    least = fmax(misses_least * 2 * run->level_ns, largest / 2);
    *at = 1;
    while (*at <= SET_MOST && !(steps[*at] >= least))
        ++*at;
    *at = *at <= SET_MOST ? *at : 0;
    *step = steps[*at];
    return error;
}

/* The lines of the ring, flush and all, without which it costs less by half a step. */
static int count_members(struct search_run *run, uint64_t at, double step, double *count)
{
    uint64_t all = FLUSH + at;
    double whole;
    int error = cycle_ns(run, run->places, all, STEP_ORDERS, &whole);

    *count = 0;
    for (uint64_t out = 0; out < all && !error; out++) {
        double ns;
        bool member;

        memcpy(run->ring, run->places, all * sizeof *run->ring);
        run->ring[out] = run->ring[all - 1];
        error = cycle_ns(run, run->ring, all - 1, STEP_ORDERS, &ns);
        member = whole - ns > step / 2;
        if (member)
            run->members[(size_t)*count] = run->places[out];
        *count += member;
    }
    return error;
}

static int tell(struct series *series, double first, double second, double value)
{
    struct series_point *point = sonde_measure_point_add(series);

    if (!point)
        return -ENOMEM;
    point->at[0] = first;
    point->at[1] = second;
    point->samples = calloc(1, sizeof *point->samples);
    if (!point->samples)
        return -ENOMEM;
    *point->samples = (struct sample){
        .value = value, .cycles = NAN, .share = NAN, .overlap = NAN, .fairness = NAN};
    point->n = 1;
    sonde_measure_summarise(point, series->statistic);
    return 0;
}

/* --- partners --------------------------------------------------------------------------
 */

/* What goes around: other places, a group, and as many of the set as it holds. */
struct company {
    uint64_t *group;
    uint64_t count; /* of places, in all */
    uint64_t ways;  /* of those the last are of the set */
    double each_ns;
    double border_ns; /* above it, the set overflows; INFINITY: not told */
};

static bool is_member(const struct search_run *run, uint64_t place, uint64_t ways)
{
    for (uint64_t i = 0; i <= ways; i++)
        if (run->members[i] == place)
            return true;
    return false;
}

static struct company gather(struct search_run *run, uint64_t all, uint64_t ways)
{
    struct company company = {.ways = ways, .border_ns = INFINITY};
    uint64_t others = 0;

    for (uint64_t i = 0; i < all; i++)
        if (!is_member(run, run->places[i], ways))
            run->ring[others++] = run->places[i];
    company.group = run->ring + others;
    company.count = others + GROUP + ways;
    memcpy(company.group + GROUP, run->members, ways * sizeof *run->ring);
    return company;
}

/* Other pages than the set's, in a random order already. */
static void draw_group(struct search_run *run, uint64_t *group)
{
    const struct search *search = run->search;
    uint64_t first =
        run->drawn +
        sonde_base_random_below(&run->random, search->pages - run->drawn - GROUP + 1);
    uint64_t line =
        sonde_base_random_below(&run->random, search->page_bytes / search->line_bytes);

    for (uint64_t i = 0; i < GROUP; i++)
        group[i] = run->pages[first + i] * search->page_bytes + line * search->line_bytes;
}

/* Whether the set overflows without so many of its lines: in all of some orders. */
static int overflows(struct search_run *run, const struct company *company,
                     uint64_t without, unsigned orders, bool *more)
{
    double border = company->border_ns - (double)without * company->each_ns;
    int error = 0;

    *more = true;
    for (unsigned i = 0; i < orders && *more && !error; i++) {
        double ns;

        error = one_order(run, run->ring, company->count - without, &ns);
        *more = ns > border;
    }
    return error;
}

/* How many of the group are of the set: as many of its own lines must go until it no
 * longer overflows. And with them it does so again: what disturbs comes and goes, but
 * seldom in step with that. 0 where it overflows without any, for other reasons. */
static int count_partners(struct search_run *run, const struct company *company,
                          double *partners)
{
    uint64_t without = 0;
    bool more, sure;
    int error = overflows(run, company, 0, GROUP_ORDERS, &more);

    while (more && !error && without < company->ways)
        error = overflows(run, company, ++without, STEP_ORDERS, &more);
    sure = !more && without > 0;
    for (unsigned i = 0; i < CONFIRMATIONS && sure && !error; i++) {
        error = overflows(run, company, without - 1, STEP_ORDERS, &sure);
        if (sure && !error) {
            error = overflows(run, company, without, STEP_ORDERS, &more);
            sure = !more;
        }
    }
    *partners = sure ? (double)without : 0;
    return error;
}

/* What a ring costs with a group at least, and with a group and the line that overflows
 * the set; the middle tells them apart. */
static int find_border(struct search_run *run, struct company *company)
{
    double without = INFINITY, with = INFINITY, ns;
    int error = 0;

    for (unsigned i = 0; i < REFERENCES && !error; i++) {
        draw_group(run, company->group);
        error = cycle_ns(run, run->ring, company->count, GROUP_ORDERS, &ns);
        without = fmin(without, ns);
        company->group[0] = run->members[company->ways];
        if (!error)
            error = cycle_ns(run, run->ring, company->count, GROUP_ORDERS, &ns);
        with = fmin(with, ns);
    }
    company->each_ns = without / (double)company->count;
    if (with - without >= misses_least * 2 * run->level_ns)
        company->border_ns = (with + without) / 2;
    return error;
}

static int find_partners(struct search_run *run, unsigned number, uint64_t at,
                         uint64_t ways)
{
    struct company company = gather(run, FLUSH + at, ways);
    double tried = 0, found = 0;
    int error;

    if (run->drawn + GROUP > run->search->pages)
        return 0;
    error = find_border(run, &company);
    if (error || isinf(company.border_ns))
        return error;
    while (tried < GROUPS_MOST && found < PARTNERS_ENOUGH && !error &&
           !out_of_time(run)) {
        double partners = 0;

        draw_group(run, company.group);
        error = count_partners(run, &company, &partners);
        found += partners;
        tried++;
    }
    if (!error)
        error = tell(run->partners, number, 0, tried * GROUP);
    return error ? error : tell(run->partners, number, 1, found);
}

/* --- tries -----------------------------------------------------------------------------
 */

/* One line more than fits was counted. A try that lost its way or met no step says 0. */
static int tell_counts(struct search_run *run, unsigned number, bool lost, double *agreed)
{
    double count[COUNTS], step = 0;
    uint64_t at = 0;
    int error = lost ? 0 : find_step(run, &at, &step);

    *agreed = NAN;
    if (!error && !at)
        return tell(run->groups, number, 0, 0);
    for (unsigned i = 0; i < COUNTS && !error; i++) {
        error = count_members(run, at, step, &count[i]);
        if (!error && count[i] > 1)
            error = tell(run->groups, number, i, count[i] - 1);
    }
    if (error || count[0] != count[1] || count[0] < 2)
        return error;
    *agreed = count[0] - 1;
    return find_partners(run, number, at, (uint64_t)*agreed);
}

static int all_tries(struct search_run *run)
{
    const struct search *search = run->search;
    unsigned agreeing[FLUSH + SET_MOST + 1] = {0};
    int error = 0;

    for (unsigned number = 0; number < search->tries && !error; number++) {
        bool begun, lost = false;
        double agreed = NAN;

        error = begin(run, &begun);
        if (!error && begun)
            error = climb(run, &lost);
        if (out_of_time(run))
            break;
        if (!error && begun)
            error = tell_counts(run, number, lost, &agreed);
        if (run->control->progress)
            run->control->progress(run->control->progress_self,
                                   (number + 1.0) / search->tries, NAN);
        if (agreed > 0 && ++agreeing[(size_t)agreed] >= search->agreeing)
            break;
    }
    return error;
}

static int open_run(struct search_run *run)
{
    const struct search *search = run->search;
    size_t room = FLUSH + LINES_MOST;

    run->pages = malloc((size_t)search->pages * sizeof *run->pages);
    run->places = malloc(room * sizeof *run->places);
    run->ring = malloc(room * sizeof *run->ring);
    if (!run->pages || !run->places || !run->ring)
        return -ENOMEM;
    for (uint64_t i = 0; i < search->pages; i++)
        run->pages[i] = i;
    run->point = (struct point){
        .kernel = sonde_kernel_find("chase"),
        .layout = {.kind = LAYOUT_RING,
                   .order = ORDER_RANDOM,
                   .pages = PAGES_HUGE,
                   .bytes = search->pages * search->page_bytes,
                   .pitch = search->page_bytes,
                   .fixed = true},
        .operations = 1,
        .options = POINT_BARE,
    };
    return 0;
}

int sonde_measure_search(const struct plan *plan, struct meter *meter,
                         const struct scales *scales, const struct run_control *control,
                         double start_s, struct series *series, struct message *why)
{
    struct search_run run = {.search = &plan->search,
                             .meter = meter,
                             .control = control,
                             .why = why,
                             .start_s = start_s,
                             .level_ns = INFINITY,
                             .groups = &series[plan->search.groups],
                             .partners = &series[plan->search.partners]};
    int error = 0;

    (void)scales;
    /* Each line needs a page of its own. */
    if (plan->search.pages < FLUSH + LINES_FIRST)
        return 0;
    error = open_run(&run);
    sonde_base_random_seed(&run.random, control->seed);
    if (!error)
        error = all_tries(&run);
    free(run.pages);
    free(run.places);
    free(run.ring);
    return error;
}
