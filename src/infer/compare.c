/* Which differences are real.
 *
 * Of each finding: the ratio of the medians over runs; an interval of it by bootstrap
 * (runs are drawn anew, then each drawn run's value moves as its own interval allows),
 * widened for small samples by Student's t over the normal quantile (Hesterberg 2015,
 * "What teachers should know about the bootstrap"); Hodges and Lehmann's shift; a p by
 * Welch's test on the shift of logarithms; and, as the machine's own repeatability, how
 * far halves of one side lie apart. Findings are then judged together by Holm's
 * correction (1979).
 *
 * The spread of a side is never taken for less than its runs say of themselves, nor than
 * 0.2 %: a few runs may agree by chance or by rounding.
 *
 * A run that stands alone has no repeatability. Where one side has several runs its
 * spread stands for the other's; where neither has, only what no disturbance seen so far
 * could have made counts, with both runs sure: a factor of 2 in what is timed (a
 * neighbour on the same core alone makes 1.6), a quarter in what a machine is built of.
 *
 * What can fool it: sides measured one after the other while the machine changed between
 * them. That is a real difference, of the hour and not of what was meant. */
#include "infer/compare.h"

#include "base/random.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 2000, SPLITS = 400 };
static const double least_effect = 0.0198; /* log 1.02 */
static const double least_spread = 0.002;
static const double family_error = 0.01;     /* 20 comparisons, at most one false alarm */
static const double alone_timed = 0.6931;    /* log 2 */
static const double alone_structure = 0.223; /* log 1.25 */
static const double alone_sure = 0.9;
/* An interval is taken for one of 99 %: so many standard deviations. */
static const double interval_widths = 2 * 2.576;

const char *sonde_infer_compare_name(enum compare_outcome outcome)
{
    static const char *const names[] = {
        [COMPARE_SAME] = "same",       [COMPARE_REAL] = "real",
        [COMPARE_ONLY_A] = "only A",   [COMPARE_ONLY_B] = "only B",
        [COMPARE_NEITHER] = "neither", [COMPARE_INCONCLUSIVE] = "inconclusive",
    };

    return names[outcome];
}

/* --- one side, in logarithms ----------------------------------------------------------
 */

struct logs {
    size_t count;
    double *value;  /* of each run, in its order */
    double *within; /* standard deviation by the run's own interval */
    double *sorted;
    double spread; /* between runs; NaN for a single one */
};

static void logs_free(struct logs *logs)
{
    free(logs->value);
}

static double within_run(const struct compare_run *run)
{
    if (!(run->low > 0) || !(run->high > run->low))
        return 0;
    return log(run->high / run->low) / interval_widths;
}

static double deviation(const double *values, size_t count)
{
    double mean = sonde_measure_mean(values, count), sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

static int logs_open(struct logs *logs, const struct compare_side *side)
{
    size_t n = side->count;

    *logs = (struct logs){.count = n, .value = calloc(3 * n, sizeof(double))};
    if (!logs->value)
        return -ENOMEM;
    logs->within = logs->value + n;
    logs->sorted = logs->within + n;
    for (size_t i = 0; i < n; i++) {
        logs->value[i] = logs->sorted[i] = log(side->runs[i].value);
        logs->within[i] = within_run(&side->runs[i]);
    }
    sonde_measure_sort(logs->sorted, n);
    logs->spread = deviation(logs->value, n);
    return 0;
}

static double centre(const struct logs *logs)
{
    return sonde_measure_median(logs->sorted, logs->count);
}

/* The spread between runs that the test may count on. */
static double safe_spread(const struct logs *logs)
{
    double own = fmax(sonde_measure_mean(logs->within, logs->count), least_spread);

    return isnan(logs->spread) ? NAN : fmax(logs->spread, own);
}

/* --- the parts of a comparison --------------------------------------------------------
 */

/* Median of all pairwise differences of logarithms. 0 or -ENOMEM. */
static int hodges_lehmann(const struct logs *a, const struct logs *b, double *shift)
{
    size_t count = a->count * b->count;
    double *differences = malloc(count * sizeof *differences);

    if (!differences)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        differences[i] = b->value[i % b->count] - a->value[i / b->count];
    sonde_measure_sort(differences, count);
    *shift = sonde_measure_median(differences, count);
    free(differences);
    return 0;
}

static double draw_median(const struct logs *logs, double *buffer,
                          struct random_source *random)
{
    for (size_t i = 0; i < logs->count; i++) {
        size_t run = (size_t)sonde_base_random_below(random, logs->count);

        buffer[i] =
            logs->value[run] + logs->within[run] * sonde_base_random_normal(random);
    }
    sonde_measure_sort(buffer, logs->count);
    return sonde_measure_median(buffer, logs->count);
}

/* How much wider than the bootstrap's an interval must be for so few runs. */
static double widening(size_t count)
{
    double n = (double)count;

    if (count < 2)
        return 1;
    return sonde_infer_student_t(0.05, n - 1) / 1.96 * sqrt(n / (n - 1));
}

static int bootstrap(const struct logs *a, const struct logs *b, uint64_t seed,
                     struct comparison *out)
{
    size_t most = a->count > b->count ? a->count : b->count;
    size_t least = a->count < b->count ? a->count : b->count;
    double *draws = malloc((DRAWS + most) * sizeof *draws), middle = log(out->ratio);
    double factor = widening(least > 1 ? least : most);
    struct random_source random;

    if (!draws)
        return -ENOMEM;
    sonde_base_random_seed(&random, seed);
    for (size_t i = 0; i < DRAWS; i++) {
        double first = draw_median(a, draws + DRAWS, &random);

        draws[i] = draw_median(b, draws + DRAWS, &random) - first;
    }
    sonde_measure_sort(draws, DRAWS);
    out->low =
        exp(middle + factor * (sonde_measure_quantile(draws, DRAWS, 0.025) - middle));
    out->high =
        exp(middle + factor * (sonde_measure_quantile(draws, DRAWS, 0.975) - middle));
    free(draws);
    return 0;
}

/* What random halves of a side differ by, at most 19 times of 20; NaN for a single run.
 * 0 or -ENOMEM. */
static int halves(const struct logs *logs, uint64_t seed, double *noise)
{
    size_t n = logs->count, half = n / 2;
    double *buffer = malloc((SPLITS + n) * sizeof *buffer), *mixed = buffer + SPLITS;
    struct random_source random;

    *noise = NAN;
    if (!buffer)
        return -ENOMEM;
    sonde_base_random_seed(&random, seed);
    for (size_t split = 0; half && split < SPLITS; split++) {
        for (size_t i = 0; i < n; i++) { /* Fisher and Yates, inside out */
            size_t at = (size_t)sonde_base_random_below(&random, i + 1);

            mixed[i] = mixed[at];
            mixed[at] = logs->value[i];
        }
        sonde_measure_sort(mixed, half);
        sonde_measure_sort(mixed + half, n - half);
        buffer[split] = fabs(sonde_measure_median(mixed, half) -
                             sonde_measure_median(mixed + half, n - half));
    }
    if (half) {
        sonde_measure_sort(buffer, SPLITS);
        *noise = sonde_measure_quantile(buffer, SPLITS, 0.95);
    }
    free(buffer);
    return 0;
}

/* Welch's test on the shift; a single run borrows the other side's spread. */
static void welch(const struct logs *a, const struct logs *b, double shift,
                  struct comparison *out)
{
    double n = (double)a->count, m = (double)b->count;
    double sa = safe_spread(a), sb = safe_spread(b);
    double left, right;

    if (isnan(sa) && isnan(sb))
        return;
    if (isnan(sa) || isnan(sb)) {
        out->freedom = (isnan(sa) ? m : n) - 1;
        sa = sb = isnan(sa) ? sb : sa;
        left = sa * sa / n;
        right = sb * sb / m;
    } else {
        left = sa * sa / n;
        right = sb * sb / m;
        out->freedom = (left + right) * (left + right) /
                       (left * left / (n - 1) + right * right / (m - 1));
    }
    out->error = sqrt(left + right);
    out->p = sonde_infer_student_p(shift / out->error, out->freedom);
}

/* Of both tests the surer one, at twice its p: Welch's needs few runs, Mann and Whitney's
 * is not moved by a run that was disturbed. */
static int test(const struct logs *a, const struct logs *b, double shift,
                struct comparison *out)
{
    double ranks = NAN;
    int error;

    welch(a, b, shift, out);
    if (isnan(out->p))
        return 0;
    error = sonde_infer_mann_whitney(a->sorted, a->count, b->sorted, b->count, &ranks);
    out->p = fmin(1, 2 * fmin(out->p, ranks));
    return error;
}

/* --- runs that stand alone ------------------------------------------------------------
 */

static struct compare_run with_interval(const struct compare_run *run)
{
    struct compare_run out = *run;

    /* A figure without an interval is trusted to a tenth, and so is one that met no
     * spread. */
    if (!(out.low > 0) || !(out.high > out.low)) {
        out.low = out.value / 1.1;
        out.high = out.value * 1.1;
    }
    return out;
}

static void judge_alone(const struct compare_side *left, const struct compare_side *right,
                        bool structure, struct comparison *out)
{
    struct compare_run a = with_interval(left->runs), b = with_interval(right->runs);
    double effect = fabs(log(out->ratio));
    bool apart = a.high < b.low || b.high < a.low;
    bool sure = a.confidence >= alone_sure && b.confidence >= alone_sure;

    out->why = "one run a side: repeatability unknown, see sonde run --repeat";
    if (!apart || effect <= least_effect)
        out->outcome = COMPARE_SAME;
    else if (sure && effect >= (structure ? alone_structure : alone_timed))
        out->outcome = COMPARE_REAL;
    else
        out->outcome = COMPARE_INCONCLUSIVE;
}

/* --- all together ---------------------------------------------------------------------
 */

static double median_of(const struct compare_side *side)
{
    double *values = malloc((side->count + 1) * sizeof *values), median = NAN;

    for (size_t i = 0; values && i < side->count; i++)
        values[i] = side->runs[i].value;
    if (values) {
        sonde_measure_sort(values, side->count);
        median = sonde_measure_median(values, side->count);
    }
    free(values);
    return median;
}

static bool all_positive(const struct compare_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        if (!(side->runs[i].value > 0))
            return false;
    return true;
}

static int compare_logs(const struct compare_side *left, const struct compare_side *right,
                        bool structure, uint64_t seed, struct comparison *out)
{
    struct logs a = {0}, b = {0};
    double shift = NAN, noise_a = NAN, noise_b = NAN;
    int error = logs_open(&a, left);

    if (!error)
        error = logs_open(&b, right);
    if (error)
        goto out;
    out->ratio = exp(centre(&b) - centre(&a));
    error = hodges_lehmann(&a, &b, &shift);
    if (!error)
        error = bootstrap(&a, &b, seed, out);
    if (!error)
        error = halves(&a, seed + 1, &noise_a);
    if (!error)
        error = halves(&b, seed + 2, &noise_b);
    out->shift = exp(shift);
    out->noise = fmax(noise_a, noise_b); /* of a NaN and a number, the number */
    if (!error)
        error = test(&a, &b, shift, out);
    if (!error && isnan(out->p))
        judge_alone(left, right, structure, out);
out:
    logs_free(&a);
    logs_free(&b);
    return error;
}

int sonde_infer_compare(const struct compare_side *a, const struct compare_side *b,
                        bool structure, uint64_t seed, struct comparison *out)
{
    *out = (struct comparison){
        .runs_a = a->count,
        .runs_b = b->count,
        .a = median_of(a),
        .b = median_of(b),
        .ratio = NAN,
        .low = NAN,
        .high = NAN,
        .shift = NAN,
        .noise = NAN,
        .error = NAN,
        .freedom = NAN,
        .p = NAN,
        .detectable = NAN,
        .outcome = a->count && b->count ? COMPARE_SAME
                   : a->count           ? COMPARE_ONLY_A
                   : b->count           ? COMPARE_ONLY_B
                                        : COMPARE_NEITHER,
    };
    if (!a->count || !b->count)
        return 0;
    if (all_positive(a) && all_positive(b))
        return compare_logs(a, b, structure, seed, out);
    out->why = "values of zero or below have no ratio";
    out->outcome = out->a == out->b ? COMPARE_SAME : COMPARE_INCONCLUSIVE;
    return 0;
}

/* --- the judgement --------------------------------------------------------------------
 */

static void judge(struct comparison *row, bool significant, double level)
{
    double effect = fabs(log(row->ratio));
    bool excludes = row->low > 1 || row->high < 1;
    double least = fmax(least_effect, isnan(row->noise) ? 0 : row->noise);

    /* Four times of five: 0.84 standard deviations above the limit. */
    row->detectable = exp(
        fmax(least, (sonde_infer_student_t(level, row->freedom) + 0.84) * row->error));
    if (significant && excludes && effect > least) {
        row->outcome = COMPARE_REAL;
    } else if (effect > least_effect && (significant || excludes)) {
        row->outcome = COMPARE_INCONCLUSIVE;
        row->why = effect <= least ? "within what halves of one side differ by"
                   : !excludes     ? "the interval holds 1"
                                   : "it may be chance among so many findings";
    } else {
        row->outcome = COMPARE_SAME;
    }
}

static size_t rank_of(const struct comparison *rows, size_t count, size_t row)
{
    size_t below = 0;

    for (size_t k = 0; k < count; k++)
        below += rows[k].p < rows[row].p || (rows[k].p == rows[row].p && k < row);
    return below;
}

/* Holm: the smallest p is held against level/m, the next against level/(m-1), and so on;
 * the first that fails fails all after it. Its rank is the answer. */
static size_t first_failure(const struct comparison *rows, size_t count, size_t tested)
{
    size_t first = tested;

    for (size_t i = 0; i < count; i++) {
        size_t rank = isnan(rows[i].p) ? tested : rank_of(rows, count, i);

        if (rank < first && !(rows[i].p < family_error / (double)(tested - rank)))
            first = rank;
    }
    return first;
}

void sonde_infer_compare_settle(struct comparison *rows, size_t count)
{
    size_t tested = 0, first;

    for (size_t i = 0; i < count; i++)
        tested += !isnan(rows[i].p);
    first = first_failure(rows, count, tested);
    for (size_t i = 0; i < count; i++)
        if (!isnan(rows[i].p))
            judge(&rows[i], rank_of(rows, count, i) < first,
                  family_error / (double)tested);
}
