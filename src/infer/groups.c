/* Ways by vote.
 *
 *   try   counts
 *    0    8   8     8 ways
 *    1    8   8     8
 *    2    8  11     counts differ: no vote
 *    3    7   7     7: outvoted
 *    4    0         no set was found to overflow: no vote
 *
 * A try votes only if both of its counts are equal. The number that most tries say counts
 * if three say so and none says anything else, or five, twice as many as say anything
 * else, and hardly any says more: what disturbs a set holds a part of it and makes it
 * look smaller, never larger. Anything less is no answer: a wrong number of ways would be
 * worse than none.
 *
 * What can fool it: a neighbour that holds the same part of every set all the time. */
#include "infer/groups.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* And sets, as a power of two. */
enum { WAYS_MOST = 64, SETS_MOST = 24 };

static const double votes_least = 5;
/* Votes for more, as a share of those for the number that most say. */
static const double more_most = 0.2;

struct count {
    double tries, voting, votes, more, ways;
};

static double value_at(const struct series *series, double try, double count)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].n && series->points[i].at[0] == try &&
            series->points[i].at[1] == count)
            return series->points[i].best;
    return NAN;
}

/* What a try says; NaN: nothing. */
static double vote_of(const struct series *groups, double try)
{
    double first = value_at(groups, try, 0), second = value_at(groups, try, 1);

    return first == second && first >= 2 && first <= WAYS_MOST ? first : NAN;
}

static void count_votes(const struct series *groups, struct count *count)
{
    double votes[WAYS_MOST + 1] = {0};

    *count = (struct count){.ways = NAN};
    for (size_t i = 0; i < groups->count; i++) {
        double vote = vote_of(groups, groups->points[i].at[0]);

        if (groups->points[i].at[1] != 0)
            continue;
        count->tries++;
        if (isnan(vote))
            continue;
        count->voting++;
        votes[(size_t)vote]++;
    }
    for (size_t ways = 2; ways <= WAYS_MOST; ways++) {
        count->more += votes[ways];
        if (votes[ways] > count->votes) {
            count->votes = votes[ways];
            count->ways = (double)ways;
            count->more = 0;
        }
    }
}

static bool agree(const struct count *count)
{
    return count->votes >= votes_least &&
           count->votes >= 2 * (count->voting - count->votes) &&
           count->more <= more_most * count->votes;
}

int sonde_infer_groups(const struct series *groups, const char *level,
                       struct findings *findings)
{
    struct count count;
    char name[48];
    bool done;

    count_votes(groups, &count);
    snprintf(name, sizeof name, "%s.ways", level);
    if (count.voting < 1)
        done =
            sonde_infer_give_up(findings, name, "count",
                                "no search found a set that overflows: too much "
                                "disturbs it, or there are none at an offset of pages");
    else if (count.votes >= votes_least && !agree(&count))
        done = sonde_infer_give_up(
            findings, name, "count",
            "tries disagree: %.0f found %.0f lines in a set, %.0f another number",
            count.votes, count.ways, count.voting - count.votes);
    else if (!agree(&count))
        done = sonde_infer_give_up(
            findings, name, "count",
            "too few tries agree: %.0f of %.0f found the same number of "
            "lines in a set, and five must",
            count.votes, count.tries);
    else
        done = sonde_infer_find(findings, name, "count", count.ways, count.ways,
                                count.ways, fmin(0.97, count.votes / count.voting),
                                "groups of lines that share a set, by vote");
    return done ? 0 : -ENOMEM;
}

/* --- sets by partners ------------------------------------------------------------------
 */

/* Fewer say too little: fifty tell the sets to a seventh, and a vote is within half an
 * octave of its power of two. */
static const double partners_least = 10;
static const double sets_votes_least = 3;

double sonde_infer_partner_sets(const struct series *groups,
                                const struct series *partners, double ways)
{
    double votes[SETS_MOST + 1] = {0}, all = 0;
    size_t most = 0;

    for (size_t i = 0; i < partners->count; i++) {
        double number = partners->points[i].at[0], found = value_at(partners, number, 1),
               power = round(log2(value_at(partners, number, 0) / found));

        if (partners->points[i].at[1] != 0 || vote_of(groups, number) != ways ||
            !(found >= partners_least) || !(power >= 0) || !(power <= SETS_MOST))
            continue;
        all++;
        if (++votes[(size_t)power] > votes[most])
            most = (size_t)power;
    }
    return votes[most] >= sets_votes_least && votes[most] >= 2 * (all - votes[most])
               ? exp2((double)most)
               : NAN;
}

/* --- sets, and the size again ----------------------------------------------------------
 */

/* A capacity read off a curve can be a tenth too large where replacement is cleverer than
 * least recently used. */
static const double beside = 1.1;

/* The power of two that goes with the size; NaN: none, or more than one. */
static double sets_allowed(const struct finding *size, double way_bytes)
{
    double last = floor(log2(size->high / way_bytes)), low = log2(size->low / way_bytes);

    return last >= low && last - 1 < low ? exp2(last) : NAN;
}

/* The ways may have been miscounted by one. */
static bool refine_size(struct finding *size, const struct finding *ways, double exact)
{
    size->low = fmin(exact, fmax(size->low, exact * (1 - 1 / ways->value)));
    size->high = fmax(exact, fmin(size->high, exact * (1 + 1 / ways->value)));
    size->value = exact;
    size->confidence = ways->confidence;
    return sonde_infer_found_by(size, "ways times sets, by conflicts");
}

/* The ladder may see less of a level than there is, beside a neighbour, and never more.
 */
static int join_sets(const struct finding *ways, double sets, double line_bytes,
                     struct finding *size, struct findings *findings, bool *agrees)
{
    double exact = ways->value * sets * line_bytes;

    *agrees = size->low <= beside * exact;
    if (!sonde_infer_control(findings, *agrees,
                             "ways times sets against the ladder's second boundary",
                             "the ladder sees no more than that",
                             "%.0f KiB by conflicts, %.0f to %.0f KiB by the ladder",
                             exact / 1024, size->low / 1024, size->high / 1024))
        return -ENOMEM;
    return !*agrees || refine_size(size, ways, exact) ? 0 : -ENOMEM;
}

static bool tell_sets(struct findings *findings, const char *name, double sets,
                      double confidence, const char *method)
{
    return sonde_infer_find(findings, name, "count", sets, sets, sets, confidence,
                            method);
}

static struct finding *find_size(struct findings *findings, const char *level)
{
    char name[48];

    snprintf(name, sizeof name, "%s.size", level);
    for (size_t i = 0; i < findings->count; i++)
        if (!strcmp(findings->rows[i].name, name))
            return &findings->rows[i];
    return NULL;
}

int sonde_infer_sets(const char *level, const struct finding *ways, double counted,
                     double line_bytes, struct findings *findings)
{
    struct finding *size = find_size(findings, level);
    bool done, agrees = false;
    char name[48];
    double sets;

    snprintf(name, sizeof name, "%s.sets", level);
    if (!size || !ways || !(ways->value > 0) || !(size->low > 0))
        return sonde_infer_give_up(findings, name, "count",
                                   "its size or its ways are not known")
                   ? 0
                   : -ENOMEM;
    sets = sets_allowed(size, ways->value * line_bytes);
    if (counted > 0 && join_sets(ways, counted, line_bytes, size, findings, &agrees))
        return -ENOMEM;
    if (agrees)
        done = tell_sets(findings, name, counted, ways->confidence,
                         "how rarely a line at random shares a set, by vote");
    else if (counted > 0)
        done = sonde_infer_give_up(findings, name, "count",
                                   "conflicts and the ladder disagree");
    else if (isnan(sets))
        done = sonde_infer_give_up(findings, name, "count",
                                   "no power of two, or more than one, goes with %.0f "
                                   "ways and %.0f to %.0f bytes",
                                   ways->value, size->low, size->high);
    else
        done = tell_sets(findings, name, sets, fmin(ways->confidence, size->confidence),
                         "the power of two that size and ways allow");
    return done ? 0 : -ENOMEM;
}
