/* Advice on memory: where data should lie, in what order to walk it, what translation and
 * misses cost.
 *
 * A new sentence is a row at the end of this file; its functions read the evidence in the
 * order of the names in that row. What can fool it: advice is for programs in general; so
 * each sentence says what it costs, by this machine's figures. */
#include "report/advice_topics.h"

#include <math.h>
#include <string.h>

static void pad_apart(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *cost = evidence->of[1];
    double apart = sonde_report_safe_distance(evidence->of[0], evidence->of[2]);

    sonde_base_text_print(out, "keep data that different threads write at least %s apart",
                          sonde_report_number(apart, "bytes").text);
    if (sonde_report_advice_number(cost) >= 1.1)
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
                          "keep data that different threads write at least %s apart: one "
                          "miss brings in that much",
                          MOST(evidence->of[0]));
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
    return sonde_report_advice_number(beyond(evidence)) >
           sonde_report_advice_number(evidence->of[1]);
}

static bool is_range(const struct finding *size)
{
    return !isfinite(sonde_report_size(size));
}

/* What fits the low end of a range fits the level. */
static void stay_in(const struct advice_evidence *evidence, const char *what,
                    struct text *out)
{
    const struct finding *size = evidence->of[0], *next = beyond(evidence);
    bool memory = strcmp(next->name, "memory.latency") == 0;

    sonde_base_text_print(out, "%s within %s", what, LEAST(size));
    if (is_range(size))
        sonde_base_text_print(out, " (the level ends somewhere in %s)", SHOWN(size));
    /* Levels between that were not measured would answer some of what is beyond. */
    sonde_base_text_print(out, ": there a load takes %s, %s %s", SHOWN(evidence->of[1]),
                          memory ? "in memory" : "beyond it", SHOWN(next));
}

static void stay_in_first(const struct advice_evidence *evidence, struct text *out)
{
    stay_in(evidence, "keep what an inner loop reads again", out);
}

static void block_for_second(const struct advice_evidence *evidence, struct text *out)
{
    stay_in(evidence, "cut larger work into pieces", out);
}

static void distrust_last_level(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *size = evidence->of[0];
    bool declared = size->verdict == VERDICT_CONTRADICTS && isfinite(size->declared);

    if (declared)
        sonde_base_text_print(
            out, "plan with %s of last level, not with the declared %s: ", LEAST(size),
            sonde_report_number(size->declared, "bytes").text);
    else if (is_range(size))
        sonde_base_text_print(out, "the last level is shared: plan with %s of it; ",
                              LEAST(size));
    else
        sonde_base_text_print(out, "the last level is shared: ");
    sonde_base_text_print(out, "%s%s answered while this was measured",
                          declared && !is_range(size) ? "that is what" : SHOWN(size),
                          declared || is_range(size) ? "" : " of it");
}

static void avoid_misses(const struct advice_evidence *evidence, struct text *out)
{
    double cycles = sonde_report_advice_number(evidence->of[1]);

    sonde_base_text_print(out, "a load that misses every cache costs %s",
                          SHOWN(evidence->of[0]));
    if (isfinite(cycles))
        sonde_base_text_print(out, ", the time of %.0f dependent adds", round(cycles));
    sonde_base_text_print(out, ": fetch early, or keep data together");
}

/* Side by side a load must cost less than half, or nothing is gained worth the trouble.
 */
static bool overlaps(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[1]) <
           0.5 * sonde_report_advice_number(evidence->of[0]);
}

static void overlap_misses(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "follow several pointers at once, or index an array: of loads "
                          "that miss every cache about %.0f can be under way together, "
                          "and each then takes %s, not %s",
                          round(evidence->of[2]->value), SHOWN(evidence->of[1]),
                          SHOWN(evidence->of[0]));
}

/* --- order -----------------------------------------------------------------------------
 */

static bool is_prefetched(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) < 0.5;
}

static void walk_in_order(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(
        out,
        "lay lists and trees out in the order in which they are walked: "
        "in address order even dependent loads from memory take %s of "
        "what they take at random",
        sonde_report_number(evidence->of[0]->value, "share").text);
}

/* Below it, either layout will do. */
static const double layout_matters = 1.2;

static bool has_layout(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= layout_matters ||
           sonde_report_advice_number(evidence->of[1]) >= layout_matters;
}

static void choose_layout(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *one = evidence->of[0], *all = evidence->of[1];

    if (sonde_report_advice_number(one) >= layout_matters)
        sonde_base_text_print(out,
                              "give a field that loops read alone an array of its own: "
                              "out of structures of 64" GLUE "B it took %s as long",
                              SHOWN(one));
    if (sonde_report_advice_number(all) >= layout_matters)
        sonde_base_text_print(out,
                              "%skeep fields in one structure that are read together at "
                              "random places: out of arrays they took %s as long",
                              out->length ? "; " : "", SHOWN(all));
}

static bool powers_cost(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= layout_matters;
}

static void avoid_powers(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(
        out,
        "let no row of a matrix that is walked by columns be a power of "
        "two long: at 2048" GLUE "B an access took %s as long as at "
        "lengths beside it, which use more sets of the caches",
        SHOWN(evidence->of[0]));
}

/* What is sure of the gain: the low end of one against the high end of the other. */
static bool streams(const struct finding *past, const struct finding *through)
{
    return past && through && past->low > layout_matters * through->high;
}

static bool can_stream(const struct advice_evidence *evidence)
{
    return streams(evidence->of[0], evidence->of[1]) ||
           streams(evidence->of[2], evidence->of[3]);
}

static void write_past(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *const *of = evidence->of;
    bool writes = streams(of[0], of[1]), copies = streams(of[2], of[3]);

    sonde_base_text_print(out, "write results that no cache can hold past the caches "
                               "(non-temporal stores): ");
    if (writes)
        sonde_base_text_print(out, "%s instead of %s", SHOWN(of[0]), SHOWN(of[1]));
    if (copies)
        sonde_base_text_print(out, "%scopying, %s instead of %s", writes ? "; " : "",
                              SHOWN(of[2]), SHOWN(of[3]));
}

/* --- translation -----------------------------------------------------------------------
 */

/* Huge pages begin at 2 MiB on every ISA this is built for, base pages end at 64 KiB. */
static bool is_small_or_huge(const struct advice_evidence *evidence)
{
    double granule = sonde_report_advice_number(evidence->of[0]);

    return granule <= 64 * 1024 || granule >= 2 << 20;
}

static void mind_translation(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *granule = evidence->of[0], *saving = evidence->of[1];

    if (granule->value > 64 * 1024) {
        sonde_base_text_print(out,
                              "huge pages work here (translated by %s): ask for them "
                              "where large data is read at random",
                              SHOWN(granule));
        return;
    }
    sonde_base_text_print(out,
                          "keep what is used together on few pages: addresses are "
                          "translated by %s, whatever was granted",
                          SHOWN(granule));
    if (sonde_report_advice_number(saving) >= 1.5)
        sonde_base_text_print(out,
                              "; huge pages save first touches here (%s), not "
                              "translation",
                              SHOWN(saving));
}

/* A cycle is what no loop over a table would notice. */
static bool translation_costs(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[1]) >= 1;
}

static void pay_translation(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *reach = evidence->of[2], *walk = evidence->of[3];

    sonde_base_text_print(out,
                          "a table read at random pays translation beyond %s, even where "
                          "it fits a cache: %s more a load",
                          LEAST(evidence->of[0]), SHOWN(evidence->of[1]));
    if (reach && walk)
        sonde_base_text_print(out, ", and beyond %s a page walk of %s", LEAST(reach),
                              SHOWN(walk));
}

/* --- the table -------------------------------------------------------------------------
 */

static const struct advice_rule rules[] = {
    {"pad",
     {"sharing.granule", "?sharing.cost", "?line.size"},
     true,
     false,
     NULL,
     pad_apart},
    {"pad-line",
     {"line.size", "?sharing.granule"},
     true,
     false,
     granule_unknown,
     pad_to_line},
    {"block-first",
     {"l1d.size", "l1d.latency", "?l2.latency", "?l3.latency", "?l4.latency",
      "?llc.latency", "?memory.latency"},
     true,
     false,
     is_faster,
     stay_in_first},
    {"block-second",
     {"l2.size", "l2.latency", "?l3.latency", "?l4.latency", "?llc.latency",
      "?memory.latency"},
     true,
     false,
     is_faster,
     block_for_second},
    {"last-level", {"llc.effective"}, true, false, NULL, distrust_last_level},
    {"misses",
     {"memory.latency", "?memory.latency_cycles"},
     true,
     false,
     NULL,
     avoid_misses},
    {"in-flight",
     {"memory.latency", "mlp.memory.access", "mlp.memory"},
     true,
     false,
     overlaps,
     overlap_misses},
    {"pages",
     {"page.granule", "?fault.huge_saving"},
     true,
     false,
     is_small_or_huge,
     mind_translation},
    {"tables",
     {"tlb.l1.reach", "tlb.l1.miss_cycles", "?tlb.l2.reach", "?tlb.walk_cycles"},
     true,
     false,
     translation_costs,
     pay_translation},
    {"order", {"prefetch.ascending"}, false, false, is_prefetched, walk_in_order},
    {"layout",
     {"?layout.one_field", "?layout.all_scattered"},
     false,
     false,
     has_layout,
     choose_layout},
    {"power-of-two", {"stride.power_of_two"}, false, false, powers_cost, avoid_powers},
    {"stream",
     {"?bandwidth.memory.nt_write", "?bandwidth.memory.write",
      "?bandwidth.memory.nt_copy", "?bandwidth.memory.copy"},
     false,
     false,
     can_stream,
     write_past},
};

struct advice_table sonde_report_advice_memory(void)
{
    return (struct advice_table){rules, sizeof rules / sizeof rules[0]};
}
