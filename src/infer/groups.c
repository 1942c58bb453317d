/* Ways by vote.
 *
 *   try   groups   held
 *    0    8   8    128     8 ways, 16 sets of this offset
 *    1    8   8    128     8
 *    2    8  11    131     groups differ: no vote
 *    3    7   7    128     7: outvoted
 *
 * A try votes only if both of its groups are equal and it held clearly more than one of
 * them. The number that most tries say counts if five say so, twice as many as say
 * anything else, and if what they held divides into a power of two of such sets. Anything
 * less is no answer: a wrong number of ways would be worse than none.
 *
 * What can fool it: a neighbour that holds the same part of every set all the time; the
 * lines held then divide as well, and the level looks smaller than it is. */
#include "infer/groups.h"

#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAYS_MOST = 64 };

static const double votes_least = 5;
/* Lines may be missing from sets that were never met: as many as one in eight. */
static const double whole_least = 0.87, whole_most = 1.03;

struct count {
    double tries, voting, votes, ways, held;
};

static double value_at(const struct series *series, double try, double group)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && series->points[i].at[0] == try &&
            (series->axis_count < 2 || series->points[i].at[1] == group))
            return series->points[i].best;
    return NAN;
}

/* What a try says; NaN: nothing. */
static double vote_of(const struct series *groups, double try, double held)
{
    double first = value_at(groups, try, 0), second = value_at(groups, try, 1);

    return first == second && first >= 2 && first <= WAYS_MOST && held >= 1.5 * first
               ? first
               : NAN;
}

static void count_votes(const struct series *groups, const struct series *held,
                        struct count *count)
{
    double votes[WAYS_MOST + 1] = {0};

    *count = (struct count){.ways = NAN, .held = NAN};
    for (size_t i = 0; i < held->count; i++) {
        double vote = vote_of(groups, held->points[i].at[0], held->points[i].best);

        count->tries++;
        if (isnan(vote))
            continue;
        count->voting++;
        votes[(size_t)vote]++;
    }
    for (size_t ways = 2; ways <= WAYS_MOST; ways++)
        if (votes[ways] > count->votes) {
            count->votes = votes[ways];
            count->ways = (double)ways;
        }
}

/* Median of what the agreeing tries held; NaN: out of memory. */
static double held_by(const struct series *groups, const struct series *held, double ways)
{
    double *values = malloc((held->count + 1) * sizeof *values), median;
    size_t count = 0;

    if (!values)
        return NAN;
    for (size_t i = 0; i < held->count; i++)
        if (vote_of(groups, held->points[i].at[0], held->points[i].best) == ways)
            values[count++] = held->points[i].best;
    sonde_measure_sort(values, count);
    median = sonde_measure_median(values, count);
    free(values);
    return median;
}

static int give_up(struct findings *findings, const char *level, const char *reason)
{
    static const char *const what[][2] = {
        {"ways", "count"}, {"sets", "count"}, {"size", "bytes"}};
    char name[48];

    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        snprintf(name, sizeof name, "%s.%s", level, what[i][0]);
        if (!sonde_infer_give_up(findings, name, what[i][1], "%s", reason))
            return -ENOMEM;
    }
    return 0;
}

static bool find(struct findings *findings, const char *level, const char *what,
                 const char *unit, double value, double confidence)
{
    char name[48];

    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_infer_find(findings, name, unit, value, value, value, confidence,
                            "groups of lines that share a set, by vote") != NULL;
}

static int report(const struct count *count, const char *level, double line_bytes,
                  double page_bytes, struct findings *findings)
{
    double sets = exp2(round(log2(count->held / count->ways)));
    double whole = count->held / (count->ways * sets);
    double confidence = fmin(0.97, count->votes / fmax(count->voting, votes_least));
    bool ok = whole >= whole_least && whole <= whole_most;

    if (!sonde_infer_control(findings, ok, "the lines held at one offset of their pages",
                             "a power of two of whole sets", "%.0f lines, sets of %.0f",
                             count->held, count->ways))
        return -ENOMEM;
    if (!ok)
        return give_up(findings, level,
                       "the lines that were held do not make whole sets of this size");
    sets *= page_bytes / line_bytes;
    return find(findings, level, "ways", "count", count->ways, confidence) &&
                   find(findings, level, "sets", "count", sets, confidence) &&
                   find(findings, level, "size", "bytes", count->ways * sets * line_bytes,
                        confidence)
               ? 0
               : -ENOMEM;
}

int sonde_infer_groups(const struct series *groups, const struct series *held,
                       const char *level, double line_bytes, double page_bytes,
                       struct findings *findings)
{
    struct count count;
    char reason[160];

    count_votes(groups, held, &count);
    if (count.tries < 1)
        return give_up(
            findings, level,
            "no search could fill the level: too much disturbs it, or its sets "
            "are not of one page offset");
    if (count.votes < votes_least || count.votes < 2 * (count.voting - count.votes)) {
        snprintf(reason, sizeof reason,
                 "tries disagree: %.0f of %.0f found the same number of lines in a set, "
                 "and five must",
                 count.votes, count.tries);
        return give_up(findings, level, reason);
    }
    count.held = held_by(groups, held, count.ways);
    return isnan(count.held) ? -ENOMEM
                             : report(&count, level, line_bytes, page_bytes, findings);
}
