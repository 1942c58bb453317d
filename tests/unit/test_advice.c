/* Advice: each rule speaks when its evidence holds, says this machine's figures, and is
 * silent when any of it is missing, doubtful, not seen, or an emulator's. */
#include "support.h"

#include "report/advice.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES = 8 };

struct figure {
    const char *name, *unit;
    double value;
};

/* Evidence that makes a rule speak, words its sentence must hold, and the same evidence
 * with one value changed (`spoiled` of it) that makes it silent; NAN: nothing does. */
struct example {
    const char *rule;
    struct figure figures[FIGURES];
    const char *says[3];
    size_t spoiled;
    double spoil;
};

static const struct example examples[] = {
    {"pad",
     {{"sharing.granule", "bytes", 128}, {"sharing.cost", "ratio", 3.1}},
     {"128", "3.1 times"},
     0,
     NAN},
    {"pad-line", {{"line.size", "bytes", 64}}, {"64", "one miss"}, 0, NAN},
    {"block-first",
     {{"l1d.size", "bytes", 32768},
      {"l1d.latency", "ns", 1.25},
      {"memory.latency", "ns", 90}},
     {"32", "1.25", "in memory 90.0"},
     2,
     1},
    {"block-second",
     {{"l2.size", "bytes", 524288},
      {"l2.latency", "ns", 4},
      {"llc.latency", "ns", 15},
      {"memory.latency", "ns", 90}},
     {"512", "4.00", "beyond it 15.0"},
     2,
     3},
    {"few-calls", {{"os.unusual", "count", 2}}, {"2 of its calls", "ordinary"}, 0, 0},
    {"last-level", {{"llc.effective", "bytes", 4194304}}, {"4", "shared"}, 0, NAN},
    {"misses",
     {{"memory.latency", "ns", 90}, {"memory.latency_cycles", "cycles", 271}},
     {"90.0", "271 dependent"},
     0,
     NAN},
    {"pages",
     {{"page.granule", "bytes", 4096}},
     {"4", "whatever was granted"},
     0,
     1 << 20},
    {"pages", {{"page.granule", "bytes", 2 << 20}}, {"huge pages work"}, 0, 1 << 20},
    {"tables",
     {{"tlb.l1.reach", "bytes", 262144},
      {"tlb.l1.miss_cycles", "cycles", 7},
      {"tlb.l2.reach", "bytes", 8388608},
      {"tlb.walk_cycles", "cycles", 71}},
     {"256", "7.00", "page walk of 71.0"},
     1,
     0.2},
    {"in-flight",
     {{"memory.latency", "ns", 90},
      {"mlp.memory.access", "ns", 9},
      {"mlp.memory", "count", 10.3}},
     {"about 10 can", "9.00", "not 90.0"},
     1,
     50},
    {"pages",
     {{"page.granule", "bytes", 4096}, {"fault.huge_saving", "times", 6.4}},
     {"few pages", "first touches here (6.4×)"},
     0,
     1 << 20},
    {"order", {{"prefetch.ascending", "ratio", 0.056}}, {"5.6"}, 0, 0.9},
    {"layout",
     {{"layout.one_field", "ratio", 12}, {"layout.all_scattered", "ratio", 1}},
     {"an array of its own", "12×"},
     0,
     1},
    {"layout", {{"layout.all_scattered", "ratio", 1.7}}, {"keep fields", "1.7"}, 0, 1},
    {"power-of-two", {{"stride.power_of_two", "ratio", 1.5}}, {"1.5"}, 0, 1.1},
    {"stream",
     {{"bandwidth.memory.nt_write", "bytes/s", 20e9},
      {"bandwidth.memory.write", "bytes/s", 10e9}},
     {"non-temporal", "20.0", "instead of 10.0"},
     0,
     11e9},
    {"stream",
     {{"bandwidth.memory.nt_copy", "bytes/s", 20e9},
      {"bandwidth.memory.copy", "bytes/s", 10e9}},
     {"copying, 20.0"},
     1,
     19e9},
    {"sums",
     {{"chain.parallelism", "ratio", 5.9}, {"chain.saturation", "count", 8}},
     {"5.9×", "8 at once"},
     0,
     1.1},
    {"divide",
     {{"arith.fdiv.latency_cycles", "cycles", 13},
      {"arith.fmul.latency_cycles", "cycles", 3}},
     {"13.0", "3.00"},
     0,
     5},
    {"read-back",
     {{"forward.failure_cycles", "cycles", 18}, {"l1d.latency_cycles", "cycles", 4}},
     {"18.0", "4.00"},
     0,
     6},
    {"shift-arrays", {{"forward.alias_cycles", "cycles", 7}}, {"7.00"}, 0, 1},
    {"hand-over",
     {{"os.switch.other", "ns", 8800}, {"os.thread", "ns", 24000}},
     {"88.0", "8.80", "24.0"},
     0,
     NAN},
    {"calls", {{"os.syscall", "ns", 209}}, {"209"}, 0, 20},
    {"subnormal", {{"denormal.penalty", "times", 1.5}}, {"do not fear", "1.5"}, 0, 1.05},
    {"branch",
     {{"branch.mispredict", "cycles", 19.6}, {"branch.arithmetic", "times", 4}},
     {"19.6", "once in 20", "4×"},
     0,
     2},
    {"subnormal",
     {{"denormal.penalty", "times", 30}, {"denormal.with_ftz", "times", 1}},
     {"30×", "flushing to zero ends"},
     0,
     1.02},
    {"counter",
     {{"atomics.relaxed.alone", "ns", 5}, {"atomics.relaxed.contended", "ns", 45}},
     {"5.00", "45.0"},
     1,
     8},
    {"grown",
     {{"l2.size", "bytes", 524288}, {"tlb.l2.reach", "bytes", 8388608}},
     {"the second level at 512", "second level of translation at 8"},
     0,
     NAN},
    {"threads",
     {{"atomics.relaxed.alone", "ns", 5}, {"atomics.relaxed.contended", "ns", 45}},
     {"words that all write", "9 times"},
     1,
     6},
    {"threads",
     {{"sharing.granule", "bytes", 64}, {"sharing.cost", "ratio", 5}},
     {"neighbours nearer than 64", "5 times"},
     1,
     1},
    {"threads",
     {{"locks.mutex.alone", "ns", 20}, {"locks.mutex.contended", "ns", 200}},
     {"a lock that all want", "10 times"},
     1,
     30},
    {"threads",
     {{"bandwidth.memory.saturation", "count", 2}},
     {"memory, which 2 threads saturate"},
     0,
     4},
    {"threads", {{"c2c.sibling_pairs", "count", 1}}, {"share a core (1 pair)"}, 0, 0},
    {"moments",
     {{"clock.long_gaps", "per second", 132}},
     {"others on the CPU", "132"},
     0,
     0},
    {"moments",
     {{"fault.first", "ns", 3000}, {"fault.first_q90", "ns", 4000}},
     {"first touches", "3.00", "one in ten above 4.00"},
     0,
     100},
    {"moments", {{"os.switch.other", "ns", 5000}}, {"threads that sleep"}, 0, 500},
    {"moments", {{"locks.mutex.fairness", "ratio", 0.1}}, {"unfair"}, 0, 0.9},
    {"time-long", {{"clock.read_cost", "ns", 30}}, {"30.0"}, 0, 0},
    {"repeat", {{"clock.lost_share", "share", 0.5}}, {"50", "low quartile"}, 0, 0.001},
    {"use-results", {{"traps.deleted_work", "times", 9}}, {"9×"}, 0, 1},
    {"touch-first", {{"traps.first_round", "times", 9}}, {"9×"}, 0, 1},
    {"medians", {{"traps.interruption", "times", 9}}, {"9×"}, 0, 1},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static struct passport *plant(struct passport_list *list, const struct example *example)
{
    struct passport *passport = sonde_passport_add(list);
    struct findings *findings = &sonde_passport_probe_add(passport, "planted")->findings;

    passport->machine.cpus_allowed = 4;
    for (size_t i = 0; i < FIGURES && example->figures[i].name; i++) {
        const struct figure *figure = &example->figures[i];

        sonde_infer_find(findings, figure->name, figure->unit, figure->value,
                         figure->value, figure->value, 1, "planted");
    }
    return passport;
}

static struct findings *planted(struct passport *passport)
{
    return &passport->probes[0].findings;
}

static bool speaks(const struct example *example, const struct passport *passport,
                   struct text *out)
{
    const struct advice_rule *rule = sonde_report_advice_rule(example->rule);

    assert_non_null(rule);
    return sonde_report_advice_apply(rule, passport, out);
}

static void assert_silent(const struct example *example, const struct passport *passport)
{
    struct text out = {0};

    if (speaks(example, passport, &out))
        fail_msg("%s speaks without evidence: %s", example->rule, out.data);
    assert_int_equal(out.length, 0);
}

static void test_speaks(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        struct passport_list list = {0};
        struct passport *passport = plant(&list, &examples[e]);
        struct text out = {0};

        if (!speaks(&examples[e], passport, &out))
            fail_msg("example %zu: %s is silent", e, examples[e].rule);
        for (size_t i = 0; i < 3 && examples[e].says[i]; i++)
            if (!strstr(out.data, examples[e].says[i]))
                fail_msg("example %zu: no '%s' in: %s", e, examples[e].says[i], out.data);
        sonde_base_text_free(&out);
        sonde_passport_list_free(&list);
    }
}

static void test_silent_when_innocent(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        struct passport_list list = {0};
        struct passport *passport = plant(&list, &examples[e]);
        struct finding *finding = &planted(passport)->rows[examples[e].spoiled];

        if (!isnan(examples[e].spoil)) {
            finding->value = finding->low = finding->high = examples[e].spoil;
            assert_silent(&examples[e], passport);
        }
        sonde_passport_list_free(&list);
    }
}

/* The three ways in which all of the evidence can be worthless. */
static void doubt(struct finding *finding)
{
    finding->confidence = 0.3;
}

static void unsee(struct finding *finding)
{
    finding->verdict = VERDICT_NOT_SEEN;
}

static void unmeasure(struct finding *finding)
{
    finding->verdict = VERDICT_NOT_MEASURABLE;
    finding->value = finding->low = finding->high = NAN;
}

static void test_silent_without_evidence(void **state)
{
    static void (*const spoilers[])(struct finding *) = {doubt, unsee, unmeasure};

    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++)
        for (size_t s = 0; s < 3; s++) {
            struct passport_list list = {0};
            struct passport *passport = plant(&list, &examples[e]);

            for (size_t i = 0; i < planted(passport)->count; i++)
                spoilers[s](&planted(passport)->rows[i]);
            assert_silent(&examples[e], passport);
            sonde_passport_list_free(&list);
        }
}

static void test_emulated(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        struct passport_list list = {0};
        struct passport *passport = plant(&list, &examples[e]);
        struct text out = {0};

        passport->environment.emulation = strdup("qemu");
        if (sonde_report_advice_rule(examples[e].rule)->emulated)
            assert_true(speaks(&examples[e], passport, &out));
        else
            assert_silent(&examples[e], passport);
        sonde_base_text_free(&out);
        sonde_passport_list_free(&list);
    }
}

/* Where a size is a range, each sentence names the end of it that is safe, and shows the
 * range where that is short. */
static void test_safe_end_of_ranges(void **state)
{
    static const struct {
        struct example example;
        const char *never; /* what must not be advised */
    } ranges[] = {
        {{"block-second",
          {{"l2.size", "bytes", 600 << 10},
           {"l2.latency", "ns", 4},
           {"memory.latency", "ns", 90}},
          {"within 300", "somewhere in 300–900"},
          0,
          NAN},
         "within 300–"},
        {{"block-first",
          {{"l1d.size", "bytes", 600 << 10},
           {"l1d.latency", "ns", 1},
           {"memory.latency", "ns", 90}},
          {"within 300"},
          0,
          NAN},
         "within 300–"},
        {{"last-level",
          {{"llc.effective", "bytes", 600 << 10}},
          {"plan with 300", "300–900"},
          0,
          NAN},
         "plan with 300–"},
        {{"pad-line", {{"line.size", "bytes", 600 << 10}}, {"at least 900"}, 0, NAN},
         "300"},
        {{"pad", {{"sharing.granule", "bytes", 600 << 10}}, {"at least 900"}, 0, NAN},
         "300"},
        {{"tables",
          {{"tlb.l1.reach", "bytes", 600 << 10}, {"tlb.l1.miss_cycles", "cycles", 7}},
          {"beyond 300"},
          0,
          NAN},
         "900"},
    };

    (void)state;
    for (size_t e = 0; e < sizeof ranges / sizeof ranges[0]; e++) {
        const struct example *example = &ranges[e].example;
        struct passport_list list = {0};
        struct passport *passport = plant(&list, example);
        struct finding *size = &planted(passport)->rows[0];
        struct text out = {0};

        size->low = 300 << 10;
        size->high = 900 << 10;
        size->confidence = 0.6;
        assert_true(speaks(example, passport, &out));
        for (size_t i = 0; i < 3 && example->says[i]; i++)
            if (!strstr(out.data, example->says[i]))
                fail_msg("%s: no '%s' in: %s", example->rule, example->says[i], out.data);
        if (strstr(out.data, ranges[e].never))
            fail_msg("%s: '%s' in: %s", example->rule, ranges[e].never, out.data);
        sonde_base_text_free(&out);
        sonde_passport_list_free(&list);
    }
}

/* A range says how unsure it is by itself. */
static void test_ranges_stand(void **state)
{
    struct finding size = {.name = (char[]){"l2.size"},
                           .unit = "bytes",
                           .value = 400e3,
                           .low = 200e3,
                           .high = 500e3,
                           .confidence = 0.3,
                           .declared = NAN};

    (void)state;
    assert_true(sonde_report_advice_stands(&size));
    size.low = size.high = size.value;
    assert_false(sonde_report_advice_stands(&size));
    assert_false(sonde_report_advice_stands(NULL));
}

/* Contention counts by what is sure of it. */
static void test_intervals(void **state)
{
    struct passport_list list = {0};
    struct passport *passport = NULL;
    const struct example *example = NULL;

    (void)state;
    for (size_t e = 0; e < EXAMPLES && !example; e++)
        if (strcmp(examples[e].rule, "counter") == 0)
            example = &examples[e];
    passport = plant(&list, example);
    planted(passport)->rows[1].low = 9;
    assert_silent(example, passport);
    sonde_passport_list_free(&list);
}

/* Who pads must be on the safe side of a range, and of the line. */
static void test_safe_padding(void **state)
{
    struct passport_list list = {0};
    struct passport *passport = plant(&list, &examples[0]);
    struct finding *granule = &planted(passport)->rows[0];
    struct text out = {0};

    (void)state;
    granule->value = NAN;
    granule->low = 32;
    granule->high = 64;
    assert_true(speaks(&examples[0], passport, &out));
    assert_non_null(strstr(out.data, "least 64\xc2\xa0"
                                     "B apart:"));
    sonde_base_text_free(&out);
    sonde_infer_find(planted(passport), "line.size", "bytes", 128, 128, 128, 1,
                     "planted");
    assert_true(speaks(&examples[0], passport, &out));
    assert_non_null(strstr(out.data, "least 128\xc2\xa0"
                                     "B apart:"));
    sonde_base_text_free(&out);
    sonde_passport_list_free(&list);
}

/* The known granule of sharing comes before the line. */
static void test_one_padding(void **state)
{
    static const struct example both = {
        "pad-line",
        {{"line.size", "bytes", 64}, {"sharing.granule", "bytes", 128}},
        {NULL},
        0,
        NAN};
    struct passport_list list = {0};

    (void)state;
    assert_silent(&both, plant(&list, &both));
    sonde_passport_list_free(&list);
}

static void count_sentence(void *self, const struct advice_rule *rule,
                           const char *sentence)
{
    size_t *count = self;

    assert_non_null(rule);
    assert_true(strlen(sentence) > 20);
    (*count)++;
}

/* Every rule has an example, and each_ says those that hold, once. */
static void test_table(void **state)
{
    size_t said = 0;
    const struct advice_rule *rule;
    struct passport_list list = {0};

    (void)state;
    for (size_t i = 0; (rule = sonde_report_advice_at(i)); i++) {
        bool shown = false;

        for (size_t e = 0; e < EXAMPLES; e++)
            shown = shown || strcmp(examples[e].rule, rule->name) == 0;
        if (!shown)
            fail_msg("rule %s has no example", rule->name);
        assert_ptr_equal(sonde_report_advice_rule(rule->name), rule);
    }
    assert_null(sonde_report_advice_rule("no such rule"));
    sonde_report_advice_each(plant(&list, &examples[0]), count_sentence, &said);
    assert_int_equal(said, 2); /* pad, and the symptom of threads */
    sonde_passport_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speaks),
        cmocka_unit_test(test_silent_when_innocent),
        cmocka_unit_test(test_silent_without_evidence),
        cmocka_unit_test(test_emulated),
        cmocka_unit_test(test_safe_end_of_ranges),
        cmocka_unit_test(test_ranges_stand),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_safe_padding),
        cmocka_unit_test(test_one_padding),
        cmocka_unit_test(test_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
