/* The rules of advice: which findings a sentence stands on, when it is worth saying, and
 * how it reads. A new one is a row at the end of this file; its functions read the
 * evidence in the order of the names in that row.
 *
 * What can fool it: advice is for programs in general; one that never shares a counter
 * need not split it. So each sentence says what it costs, by this machine's figures. */
#include "report/advice.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <string.h>

/* The text of a finding's value, with its unit. */
#define SHOWN(finding) (sonde_report_value(finding).text)

static double number(const struct finding *finding)
{
    return finding ? finding->value : NAN;
}

/* --- memory ----------------------------------------------------------------------------
 */

static void pad_apart(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *cost = evidence->of[1];
    double apart = sonde_report_safe_distance(evidence->of[0], evidence->of[2]);

    sonde_base_text_print(out, "pad data that different threads write to %s",
                          sonde_report_number(apart, "bytes").text);
    if (number(cost) >= 1.1)
        sonde_base_text_print(out,
                              ": nearer, counters of two threads took up to %s times as "
                              "long",
                              sonde_base_format_number(cost->value, 2).text);
}

static bool granule_unknown(const struct advice_evidence *evidence)
{
    return !evidence->of[1];
}

static void pad_to_line(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "pad data that different threads write to %s: one miss "
                          "brings in that much",
                          SHOWN(evidence->of[0]));
}

/* The latency of the next level, whichever was found: the first from the third on. */
static const struct finding *beyond(const struct advice_evidence *evidence)
{
    for (size_t i = 2; i < ADVICE_EVIDENCE_MAX; i++)
        if (evidence->of[i])
            return evidence->of[i];
    return NULL;
}

static bool is_faster(const struct advice_evidence *evidence)
{
    return number(beyond(evidence)) > number(evidence->of[1]);
}

static void stay_in(const struct advice_evidence *evidence, const char *what,
                    struct text *out)
{
    const struct finding *next = beyond(evidence);
    bool memory = strcmp(next->name, "memory.latency") == 0;

    /* Levels between that were not measured would answer some of what is beyond. */
    sonde_base_text_print(out, "%s within %s: there a load takes %s, %s %s", what,
                          SHOWN(evidence->of[0]), SHOWN(evidence->of[1]),
                          memory ? "in memory" : "beyond it", SHOWN(next));
}

static void stay_in_first(const struct advice_evidence *evidence, struct text *out)
{
    stay_in(evidence, "keep what an inner loop reads again", out);
}

static void block_for_second(const struct advice_evidence *evidence, struct text *out)
{
    stay_in(evidence, "block larger work", out);
}

static void distrust_last_level(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *size = evidence->of[0];

    if (size->verdict == VERDICT_CONTRADICTS && isfinite(size->declared))
        sonde_base_text_print(
            out,
            "plan with %s of last level, not with the declared %s: that is what answered "
            "while this was measured",
            SHOWN(size), sonde_report_number(size->declared, "bytes").text);
    else
        sonde_base_text_print(
            out, "the last level is shared: %s of it answered while this was measured",
            SHOWN(size));
}

static void avoid_misses(const struct advice_evidence *evidence, struct text *out)
{
    double cycles = number(evidence->of[1]);

    sonde_base_text_print(out, "a load that misses every cache costs %s",
                          SHOWN(evidence->of[0]));
    if (isfinite(cycles))
        sonde_base_text_print(out, ", the time of %.0f dependent adds", round(cycles));
    sonde_base_text_print(out, ": fetch early, or keep data together");
}

/* --- translation -----------------------------------------------------------------------
 */

/* Huge pages begin at 2 MiB on every ISA this is built for, base pages end at 64 KiB. */
static bool is_small_or_huge(const struct advice_evidence *evidence)
{
    double granule = number(evidence->of[0]);

    return granule <= 64 * 1024 || granule >= 2 << 20;
}

static void mind_translation(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *granule = evidence->of[0];

    if (granule->value <= 64 * 1024)
        sonde_base_text_print(out,
                              "addresses are translated by pages of %s, whatever was "
                              "granted: data spread over many pages pays for that even "
                              "where it fits a cache",
                              SHOWN(granule));
    else
        sonde_base_text_print(out,
                              "huge pages work here (translated by %s): ask for them "
                              "where large data is read at random",
                              SHOWN(granule));
}

/* A cycle is what no loop over a table would notice. */
static bool translation_costs(const struct advice_evidence *evidence)
{
    return number(evidence->of[1]) >= 1;
}

static void pay_translation(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *reach = evidence->of[2], *walk = evidence->of[3];

    sonde_base_text_print(out,
                          "a table read at random pays translation beyond %s: %s more a "
                          "load",
                          SHOWN(evidence->of[0]), SHOWN(evidence->of[1]));
    if (reach && walk)
        sonde_base_text_print(out, ", and beyond %s a page walk of %s", SHOWN(reach),
                              SHOWN(walk));
}

/* --- the core --------------------------------------------------------------------------
 */

/* Below it the core did not guess, or nothing can be said of guessing. */
static bool guesses(const struct advice_evidence *evidence)
{
    return number(evidence->of[0]) >= 3;
}

/* Going without a branch for c cycles pays where more than c in `penalty` are wrong. */
static void keep_branch(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *penalty = evidence->of[0], *arithmetic = evidence->of[1];

    sonde_base_text_print(out,
                          "keep a branch that goes the same way nearly always: a wrong "
                          "guess costs %s, so each cycle spent on going without it pays "
                          "only above 1 wrong in %.0f",
                          SHOWN(penalty), round(penalty->value));
    if (number(arithmetic) >= 1.1)
        sonde_base_text_print(out, "; on random data that made a loop %s as fast",
                              SHOWN(arithmetic));
}

/* A tenth is beyond what such ratios scatter by. */
static bool bites(const struct advice_evidence *evidence)
{
    return number(evidence->of[0]) >= 1.1;
}

static void avoid_subnormals(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *flushed = evidence->of[1];

    sonde_base_text_print(out,
                          "keep numbers that decay away from zero (2e-308 in double, "
                          "1e-38 in float): below, an operation takes %s as long",
                          SHOWN(evidence->of[0]));
    if (number(flushed) < 1.1)
        sonde_base_text_print(out, "; flushing to zero ends that");
}

/* --- threads ---------------------------------------------------------------------------
 */

/* Two threads that take turns pay twice; above that the word itself travels. The low end
 * of what contention costs counts, and the high end of what one thread pays. */
static bool is_contended(const struct advice_evidence *evidence)
{
    const struct finding *alone = evidence->of[0], *contended = evidence->of[1];
    double least = isfinite(contended->low) ? contended->low : contended->value;
    double most = isfinite(alone->high) ? alone->high : alone->value;

    return least > 2 * most;
}

static void split_counter(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "split a counter that threads add to more often than it is "
                          "read, one part a thread: an atomic add takes %s alone, and %s "
                          "when all add to one word",
                          SHOWN(evidence->of[0]), SHOWN(evidence->of[1]));
}

/* --- timing ----------------------------------------------------------------------------
 */

static double clock_error(const struct advice_evidence *evidence)
{
    return fmax(number(evidence->of[0]), number(evidence->of[1]));
}

static bool has_clock_error(const struct advice_evidence *evidence)
{
    return clock_error(evidence) > 0;
}

/* A thousandth of a sample may be the clock's. */
static void time_long_enough(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "time at least %s at once: the clock's step and its cost are "
                          "then below a thousandth",
                          sonde_report_number(1000 * clock_error(evidence), "ns").text);
}

static bool is_disturbed(const struct advice_evidence *evidence)
{
    return number(evidence->of[0]) >= 0.01;
}

static void expect_others(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "repeat every timing and take its low quartile: %s of the time "
                          "went to others",
                          SHOWN(evidence->of[0]));
}

static bool is_twice(const struct advice_evidence *evidence)
{
    return number(evidence->of[0]) >= 2;
}

static void use_results(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "use what a timed loop computes: with its sum thrown away a "
                          "loop looked %s faster than it is",
                          SHOWN(evidence->of[0]));
}

static bool is_half_more(const struct advice_evidence *evidence)
{
    return number(evidence->of[0]) >= 1.5;
}

static void touch_first(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "touch memory before timing it: the first round took %s as "
                          "long as the second",
                          SHOWN(evidence->of[0]));
}

static void report_medians(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "report medians: of 201 equal rounds the slowest took %s as "
                          "long as the median",
                          SHOWN(evidence->of[0]));
}

static bool is_any(const struct advice_evidence *evidence)
{
    return number(evidence->of[0]) >= 1;
}

static void take_fewer_calls(const struct advice_evidence *evidence, struct text *out)
{
    const char *reason = evidence->of[0]->reason;

    sonde_base_text_print(out,
                          "ask the system seldom, and for much at once: %s of its calls "
                          "are%s%s",
                          SHOWN(evidence->of[0]), reason ? " " : " out of the ordinary",
                          reason ? reason : "");
}

/* --- the table -------------------------------------------------------------------------
 */

static const struct advice_rule rules[] = {
    {"pad", {"sharing.granule", "?sharing.cost", "?line.size"}, false, NULL, pad_apart},
    {"pad-line", {"line.size", "?sharing.granule"}, false, granule_unknown, pad_to_line},
    {"block-first",
     {"l1d.size", "l1d.latency", "?l2.latency", "?l3.latency", "?l4.latency",
      "?llc.latency", "?memory.latency"},
     false,
     is_faster,
     stay_in_first},
    {"block-second",
     {"l2.size", "l2.latency", "?l3.latency", "?l4.latency", "?llc.latency",
      "?memory.latency"},
     false,
     is_faster,
     block_for_second},
    {"last-level", {"llc.effective"}, false, NULL, distrust_last_level},
    {"misses", {"memory.latency", "?memory.latency_cycles"}, false, NULL, avoid_misses},
    {"pages", {"page.granule"}, false, is_small_or_huge, mind_translation},
    {"tables",
     {"tlb.l1.reach", "tlb.l1.miss_cycles", "?tlb.l2.reach", "?tlb.walk"},
     false,
     translation_costs,
     pay_translation},
    {"branch", {"branch.mispredict", "?branch.arithmetic"}, false, guesses, keep_branch},
    {"subnormal",
     {"denormal.penalty", "?denormal.with_ftz"},
     false,
     bites,
     avoid_subnormals},
    {"counter",
     {"atomics.relaxed.alone", "atomics.relaxed.contended"},
     false,
     is_contended,
     split_counter},
    {"grown",
     {"?l1d.size", "?l2.size", "?l3.size", "?llc.effective", "?tlb.l1.reach",
      "?tlb.l2.reach"},
     false,
     NULL,
     sonde_report_suspect_size},
    {"threads",
     {"?atomics.relaxed.alone", "?atomics.relaxed.contended", "?sharing.granule",
      "?sharing.cost", "?locks.mutex.alone", "?locks.mutex.contended",
      "?bandwidth.memory.saturation", "?c2c.sibling_pairs", "?line.size"},
     false,
     NULL,
     sonde_report_suspect_threads},
    {"moments",
     {"?clock.long_gaps", "?clock.lost_share", "?fault.first", "?fault.first_q90",
      "?os.switch.other", "?locks.mutex.fairness"},
     true,
     NULL,
     sonde_report_suspect_moments},
    {"few-calls", {"os.unusual"}, true, is_any, take_fewer_calls},
    {"time-long",
     {"?clock.step", "?clock.read_cost"},
     true,
     has_clock_error,
     time_long_enough},
    {"repeat", {"clock.lost_share"}, true, is_disturbed, expect_others},
    {"use-results", {"traps.deleted_work"}, true, is_twice, use_results},
    {"touch-first", {"traps.first_round"}, true, is_half_more, touch_first},
    {"medians", {"traps.interruption"}, true, is_half_more, report_medians},
};

const struct advice_rule *sonde_report_advice_rules(size_t *count)
{
    *count = sizeof rules / sizeof rules[0];
    return rules;
}
