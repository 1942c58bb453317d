/* Advice on what the core does: guessing, waiting, dividing, forwarding.
 *
 * A new sentence is a row at the end of this file; its functions read the evidence in the
 * order of the names in that row. */
#include "report/advice_topics.h"

#include <math.h>

/* Below it the core did not guess, or nothing can be said of guessing. */
static bool guesses(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= 3;
}

/* A branch that is wrong once in `penalty` costs a cycle each time on average. */
static void keep_branch(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *penalty = evidence->of[0], *arithmetic = evidence->of[1];

    sonde_base_text_print(out,
                          "a wrong guess of a branch costs %s: compute without a branch "
                          "where data decide at random",
                          SHOWN(penalty));
    if (sonde_report_advice_number(arithmetic) >= 1.1)
        sonde_base_text_print(out, " (a loop became %s as fast)", SHOWN(arithmetic));
    sonde_base_text_print(out,
                          "; one that is wrong less than once in %.0f is cheaper than a "
                          "single cycle more",
                          round(penalty->value));
}

static bool waits(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= 1.5;
}

static void overlap_sums(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "sum into several variables in turn, not into one: multiplies "
                          "that do not wait for each other ran %s as fast",
                          SHOWN(evidence->of[0]));
    if (evidence->of[1])
        sonde_base_text_print(out, ", %s at once", SHOWN(evidence->of[1]));
}

static bool divides_slowly(const struct advice_evidence *evidence)
{
    return evidence->of[0]->value >= 3 * evidence->of[1]->value;
}

static void divide_once(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "divide once and multiply often where a loop divides by one "
                          "number: a float64 divide takes %s, a multiply %s",
                          SHOWN(evidence->of[0]), SHOWN(evidence->of[1]));
}

/* A tenth is beyond what such ratios scatter by; from twice on a program notices. */
static const double scatter = 1.1, noticed = 2;

static bool bites(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= scatter;
}

static void avoid_subnormals(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *penalty = evidence->of[0], *flushed = evidence->of[1];

    if (penalty->value < noticed) {
        sonde_base_text_print(out,
                              "do not fear subnormal numbers on this core: an operation "
                              "takes %s as long at most",
                              SHOWN(penalty));
        return;
    }
    sonde_base_text_print(out,
                          "keep numbers that decay away from zero (2e-308 in double, "
                          "1e-38 in float): below, an operation takes %s as long",
                          SHOWN(penalty));
    if (sonde_report_advice_number(flushed) < scatter)
        sonde_base_text_print(out, "; flushing to zero ends that");
}

/* Some cycles beyond what a load from the first level takes anyway. */
static bool stalls(const struct advice_evidence *evidence)
{
    return evidence->of[0]->value >= evidence->of[1]->value + 5;
}

static void read_what_was_written(const struct advice_evidence *evidence,
                                  struct text *out)
{
    sonde_base_text_print(out,
                          "read back no more bytes at once than the last store wrote: a "
                          "load that needs more takes %s, where the first level takes %s",
                          SHOWN(evidence->of[0]), SHOWN(evidence->of[1]));
}

static bool aliases(const struct advice_evidence *evidence)
{
    return evidence->of[0]->value >= 3;
}

static void shift_arrays(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(
        out,
        "let arrays that a loop reads and writes side by side not lie a "
        "multiple of 4" GLUE "KiB apart: a load just after such a store "
        "takes %s more",
        SHOWN(evidence->of[0]));
}

/* --- the table -------------------------------------------------------------------------
 */

static const struct advice_rule rules[] = {
    {"branch",
     {"branch.mispredict", "?branch.arithmetic"},
     true,
     false,
     guesses,
     keep_branch},
    {"sums",
     {"chain.parallelism", "?chain.saturation"},
     true,
     false,
     waits,
     overlap_sums},
    {"divide",
     {"arith.fdiv.latency_cycles", "arith.fmul.latency_cycles"},
     false,
     false,
     divides_slowly,
     divide_once},
    {"subnormal",
     {"denormal.penalty", "?denormal.with_ftz"},
     false,
     false,
     bites,
     avoid_subnormals},
    {"read-back",
     {"forward.failure_cycles", "l1d.latency_cycles"},
     false,
     false,
     stalls,
     read_what_was_written},
    {"shift-arrays", {"forward.alias_cycles"}, false, false, aliases, shift_arrays},
};

struct advice_table sonde_report_advice_core(void)
{
    return (struct advice_table){rules, sizeof rules / sizeof rules[0]};
}
