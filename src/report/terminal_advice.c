/* What the findings mean for a program: a table of sentences, each with the findings it
 * stands on. A sentence whose finding is missing, or not worth acting upon, is not said.
 */
#include "report/sentences.h"

#include <math.h>
#include <string.h>

struct advice {
    struct text *out;
    const struct passport *passport;
};

/* The sentence, when there is one. */
typedef void speak(struct advice *advice);

static const struct finding *known(const struct advice *advice, const char *name)
{
    const struct finding *finding = sonde_passport_finding(advice->passport, name);

    return sonde_report_known(finding) ? finding : NULL;
}

static double number(const struct advice *advice, const char *name)
{
    const struct finding *finding = known(advice, name);

    return finding ? finding->value : NAN;
}

static struct value_text shown(const struct finding *finding)
{
    return sonde_report_value(finding);
}

/* The latency of the level after `level`, whichever was found. */
static const struct finding *next_latency(const struct advice *advice, const char *level)
{
    static const char *const order[] = {"l1d", "l2", "l3", "l4", "llc", "memory"};
    bool after = false;
    char name[32];

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        snprintf(name, sizeof name, "%s.latency", order[i]);
        if (after && known(advice, name))
            return known(advice, name);
        after = after || strcmp(order[i], level) == 0;
    }
    return NULL;
}

static void pad_to_line(struct advice *advice)
{
    const struct finding *line = known(advice, "line.size");

    if (line)
        sonde_base_text_print(advice->out,
                              "pad data that different threads write to %s: one miss "
                              "brings in that much",
                              shown(line).text);
}

static void stay_in(struct advice *advice, const char *level, const char *what)
{
    char name[32];
    const struct finding *size, *here, *beyond;

    snprintf(name, sizeof name, "%s.size", level);
    size = known(advice, name);
    snprintf(name, sizeof name, "%s.latency", level);
    here = known(advice, name);
    beyond = next_latency(advice, level);
    if (size && here && beyond)
        sonde_base_text_print(advice->out,
                              "%s within %s: there a load takes %s, beyond it %s", what,
                              shown(size).text, shown(here).text, shown(beyond).text);
}

static void stay_in_first(struct advice *advice)
{
    stay_in(advice, "l1d", "keep what an inner loop reads again");
}

static void block_for_second(struct advice *advice)
{
    stay_in(advice, "l2", "block larger work");
}

static void distrust_last_level(struct advice *advice)
{
    const struct finding *size = known(advice, "llc.effective");

    if (!size)
        return;
    if (size->verdict == VERDICT_CONTRADICTS && isfinite(size->declared))
        sonde_base_text_print(
            advice->out,
            "plan with %s of last level, not with the declared %s: that is what answered "
            "while this was measured",
            shown(size).text, sonde_report_number(size->declared, "bytes").text);
    else
        sonde_base_text_print(
            advice->out,
            "the last level is shared: %s of it answered while this was measured",
            shown(size).text);
}

static void avoid_misses(struct advice *advice)
{
    const struct finding *latency = known(advice, "memory.latency");
    double cycles = number(advice, "memory.latency_cycles");

    if (latency && isfinite(cycles))
        sonde_base_text_print(advice->out,
                              "a load that misses every cache costs %s, the time of %.0f "
                              "dependent adds: fetch early, or keep data together",
                              shown(latency).text, round(cycles));
    else if (latency)
        sonde_base_text_print(advice->out,
                              "a load that misses every cache costs %s: fetch early, or "
                              "keep data together",
                              shown(latency).text);
}

/* Huge pages begin at 2 MiB on every ISA this is built for, base pages end at 64 KiB. */
static void mind_translation(struct advice *advice)
{
    const struct finding *granule = known(advice, "page.granule");

    if (granule && granule->value <= 64 * 1024)
        sonde_base_text_print(advice->out,
                              "addresses are translated by pages of %s, whatever was "
                              "granted: data spread over "
                              "many pages pays for that even where it fits a cache",
                              shown(granule).text);
    else if (granule && granule->value >= 2 << 20)
        sonde_base_text_print(
            advice->out,
            "huge pages work here (translated by %s): ask for them where "
            "large data is read at random",
            shown(granule).text);
}

/* A thousandth of a sample may be the clock's. */
static void time_long_enough(struct advice *advice)
{
    double step = number(advice, "clock.step"), cost = number(advice, "clock.read_cost");
    double error = fmax(step, cost);

    if (error > 0)
        sonde_base_text_print(
            advice->out,
            "time at least %s at once: the clock's step and its cost are "
            "then below a thousandth",
            sonde_report_number(1000 * error, "ns").text);
}

static void expect_others(struct advice *advice)
{
    const struct finding *lost = known(advice, "clock.lost_share");

    if (lost && lost->value >= 0.01)
        sonde_base_text_print(
            advice->out,
            "repeat every timing and take its low quartile: %s of the time "
            "went to others",
            shown(lost).text);
}

static void use_results(struct advice *advice)
{
    const struct finding *deleted = known(advice, "traps.deleted_work");

    if (deleted && deleted->value >= 2)
        sonde_base_text_print(
            advice->out,
            "use what a timed loop computes: with its sum thrown away a loop looked %s "
            "faster than it is",
            shown(deleted).text);
}

static void touch_first(struct advice *advice)
{
    const struct finding *first = known(advice, "traps.first_round");

    if (first && first->value >= 1.5)
        sonde_base_text_print(advice->out,
                              "touch memory before timing it: the first round took %s as "
                              "long as the second",
                              shown(first).text);
}

static void report_medians(struct advice *advice)
{
    const struct finding *slowest = known(advice, "traps.interruption");

    if (slowest && slowest->value >= 1.5)
        sonde_base_text_print(
            advice->out,
            "report medians: of 201 equal rounds the slowest took %s as "
            "long as the median",
            shown(slowest).text);
}

static speak *const sentences[] = {
    pad_to_line,  stay_in_first,    block_for_second, distrust_last_level,
    avoid_misses, mind_translation, time_long_enough, expect_others,
    use_results,  touch_first,      report_medians,
};

void sonde_report_advice_each(const struct passport *passport,
                              void (*take)(void *self, const char *sentence), void *self)
{
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        struct text text = {0};
        struct advice advice = {&text, passport};

        sentences[i](&advice);
        if (text.length && !text.failed)
            take(self, text.data);
        sonde_base_text_free(&text);
    }
}

struct saying {
    struct sentences said;
    size_t vantage;
};

static void say(void *self, const char *sentence)
{
    struct saying *saying = self;

    sonde_report_sentence(&saying->said, saying->vantage, "· ", "%s", sentence);
}

void sonde_report_advice(struct canvas *canvas, const struct vantages *vantages)
{
    struct saying saying = {{0}, 0};

    for (; saying.vantage < vantages->count; saying.vantage++)
        sonde_report_advice_each(&vantages->rows[saying.vantage], say, &saying);
    sonde_report_sentences_draw(&saying.said, vantages, "what this means for your code",
                                canvas);
}
