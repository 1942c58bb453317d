/* Advice on timing itself: how long, how often, and what to report of it. None of it is
 * about hardware, so it holds under an emulator too.
 *
 * A new sentence is a row at the end of this file; its functions read the evidence in the
 * order of the names in that row. */
#include "report/advice_topics.h"

#include <math.h>

static double clock_error(const struct advice_evidence *evidence)
{
    return fmax(sonde_report_advice_number(evidence->of[0]),
                sonde_report_advice_number(evidence->of[1]));
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
    return sonde_report_advice_number(evidence->of[0]) >= 0.01;
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
    return sonde_report_advice_number(evidence->of[0]) >= 2;
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
    return sonde_report_advice_number(evidence->of[0]) >= 1.5;
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
                          "report the median or the low quartile of many rounds, not one "
                          "of them: of 201 equal ones the slowest took %s as long as the "
                          "median",
                          SHOWN(evidence->of[0]));
}

/* --- the table -------------------------------------------------------------------------
 */

static const struct advice_rule rules[] = {
    {"time-long",
     {"?clock.step", "?clock.read_cost"},
     false,
     true,
     has_clock_error,
     time_long_enough},
    {"repeat", {"clock.lost_share"}, false, true, is_disturbed, expect_others},
    {"use-results", {"traps.deleted_work"}, false, true, is_twice, use_results},
    {"touch-first", {"traps.first_round"}, false, true, is_half_more, touch_first},
    {"medians", {"traps.interruption"}, false, true, is_half_more, report_medians},
};

struct advice_table sonde_report_advice_timing(void)
{
    return (struct advice_table){rules, sizeof rules / sizeof rules[0]};
}
