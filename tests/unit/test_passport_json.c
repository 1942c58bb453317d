/* Passports as JSON: they come back as they went, bad text is refused with its place, and
 * nothing hostile breaks the writer or the reader. */
#include "sample.h"
#include "support.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *write_list(const struct passport_list *list, bool samples)
{
    char *text = NULL;
    size_t length = 0;

    assert_int_equal(sonde_passport_to_json(list, samples, &text, &length), 0);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length - 1], '\n');
    return text;
}

static int read_text(struct passport_list *list, const char *text, struct message *why)
{
    return sonde_passport_from_json(list, text, strlen(text), "x.json", why);
}

static void assert_same(double a, double b)
{
    assert_true((isnan(a) && isnan(b)) || a == b);
}

/* Writing what was read gives the same bytes: nothing is lost, nothing invented. */
static void assert_returns(const struct passport_list *list)
{
    struct passport_list back = {0};
    struct message why = {{0}};
    char *first = write_list(list, true), *second;

    if (read_text(&back, first, &why) != 0)
        fail_msg("%s", why.text);
    second = write_list(&back, true);
    assert_string_equal(first, second);
    free(first);
    free(second);
    sonde_passport_list_free(&back);
}

static void test_round_trip(void **state)
{
    struct passport_list list = {0};

    (void)state;
    sample_full(&list, NULL);
    assert_returns(&list);
    sample_full(&list, "efficient");
    sample_unmeasured(&list);
    assert_returns(&list);
    sonde_passport_list_free(&list);
}

static void test_values_come_back(void **state)
{
    struct passport_list list = {0}, back = {0};
    const struct passport *p;
    const struct series *series;
    const struct finding *finding;
    char *text;

    (void)state;
    sample_full(&list, "performance");
    text = write_list(&list, true);
    assert_int_equal(read_text(&back, text, NULL), 0);
    free(text);
    sonde_passport_list_free(&list); /* nothing of the copy may lean on the original */
    p = &back.rows[0];
    assert_string_equal(p->machine.model, "Example Core 9000");
    assert_same(p->machine.memory_available, 9007199254740991.0);
    assert_same(p->machine.memory_granted, NAN);
    assert_string_equal(p->vantage.kind, "performance");
    assert_null(p->environment.emulation);
    assert_int_equal(p->facts.rows[4].status, FACT_IMPLAUSIBLE);
    assert_int_equal(p->facts.rows[5].status, FACT_UNKNOWN);
    assert_null(p->facts.rows[5].witness);
    assert_string_equal(p->facts.rows[6].text, "Example Core 9000");
    series = sonde_measure_series_find(&sonde_passport_probe(p, "latency")->series,
                                       "windowed");
    assert_int_equal(series->statistic, STATISTIC_MEDIAN);
    assert_string_equal(series->axes[0].scale, "log2");
    assert_int_equal(series->points[0].n, 12);
    assert_true(series->points[0].samples[3].value == 1.3F);
    assert_true(series->points[0].samples[3].cycles == 4.7F);
    assert_true(series->points[0].samples[4].cycles == (float)(3.7 + 4 / 3.0));
    assert_int_equal(series->points[0].samples[11].round, 3);
    assert_same(series->points[1].samples[3].cycles, NAN);
    assert_true(series->points[1].flags & POINT_UNLAWFUL);
    assert_int_equal(series->points[0].apart, 0);
    assert_int_equal(series->points[1].rejected, 5);
    assert_int_equal(series->points[1].apart, 2);
    assert_null(series->points[2].samples);
    assert_same(series->points[2].median, NAN);
    finding = sonde_passport_finding(p, "llc.effective");
    assert_same(finding->value, NAN);
    assert_same(finding->high, 6291456);
    assert_int_equal(finding->verdict, VERDICT_CONTRADICTS);
    assert_string_equal(finding->unit, "bytes");
    assert_string_equal(sonde_passport_finding(p, "clock.timer")->text, "tsc");
    assert_int_equal(sonde_passport_probe(p, "mountain")->status, PROBE_PARTIAL);
    sonde_passport_list_free(&back);
}

static void test_no_samples(void **state)
{
    struct passport_list list = {0}, back = {0};
    char *text;

    (void)state;
    sample_full(&list, NULL);
    text = write_list(&list, false);
    assert_null(strstr(text, "\"samples\""));
    assert_int_equal(read_text(&back, text, NULL), 0);
    assert_int_equal(back.rows[0].probes[2].series.rows[0].points[0].n, 12);
    assert_null(back.rows[0].probes[2].series.rows[0].points[0].samples);
    free(text);
    sonde_passport_list_free(&list);
    sonde_passport_list_free(&back);
}

static void test_layout(void **state)
{
    struct passport_list list = {0};
    char *text;

    (void)state;
    sample_full(&list, NULL);
    text = write_list(&list, true);
    assert_int_equal(strncmp(text, "{\n  \"schema\": 1,\n  \"tool\": {\n", 29), 0);
    assert_non_null(strstr(text, "\"load1\": 0.1,")); /* not 0.10000000000000001 */
    assert_non_null(strstr(text, "\"memory_available\": 9007199254740991,"));
    assert_non_null(strstr(text, "\"memory_granted\": null,"));
    assert_non_null(
        strstr(text, "\n              \"samples\": [1, 1.10000002, 1.20000005, "));
    assert_non_null(strstr(text, "\n              \"sample_rounds\": [0, 0, 0, 1, "));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf,"));
    free(text);
    sonde_passport_list_free(&list);
}

static void test_comma_locale(void **state)
{
    struct passport_list list = {0};

    (void)state;
    if (!set_comma_locale())
        skip();
    sample_full(&list, NULL);
    assert_returns(&list);
    sonde_passport_list_free(&list);
    setlocale(LC_ALL, "C");
}

static void test_hostile_strings(void **state)
{
    struct passport_list list = {0}, back = {0};
    struct message why = {{0}};
    char *text;

    (void)state;
    sample_hostile(&list);
    text = write_list(&list, true);
    for (const char *c = text; *c; c++)
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
    assert_null(strchr(text, 0x7f));
    if (read_text(&back, text, &why) != 0)
        fail_msg("%s", why.text);
    assert_non_null(strstr(back.rows[0].machine.model, "\x1b[31mred"));
    /* A broken byte is U+FFFD from then on. */
    assert_non_null(strstr(back.rows[0].machine.model, "\xef\xbf\xbd"));
    assert_non_null(sonde_passport_finding(&back.rows[0], "twice"));
    assert_non_null(sonde_passport_finding(&back.rows[0], "twice#2"));
    assert_same(sonde_passport_finding(&back.rows[0], "twice#2")->value, 5e-324);
    assert_same(sonde_passport_finding(&back.rows[0], "twice")->high, NAN);
    free(text);
    sonde_passport_list_free(&list);
    sonde_passport_list_free(&back);
}

static void test_empty_list(void **state)
{
    struct passport_list list = {0};
    struct message why = {{0}};
    char *text = write_list(&list, true);

    (void)state;
    assert_string_equal(text, "[]\n");
    assert_int_equal(read_text(&list, text, &why), -EINVAL);
    assert_string_equal(why.text, "x.json: holds no passport");
    free(text);
}

struct bad {
    const char *text, *says;
};

static void refuse(const struct bad *bad)
{
    struct passport_list list = {0};
    struct message why = {{0}};

    assert_int_equal(read_text(&list, bad->text, &why), -EINVAL);
    if (!strstr(why.text, bad->says) || strchr(why.text, '\n'))
        fail_msg("'%s' does not say '%s'", why.text, bad->says);
    assert_int_equal(list.count, 0);
    sonde_passport_list_free(&list);
}

static void test_refused(void **state)
{
    static const struct bad rows[] = {
        {"", "x.json:1: not valid JSON"},
        {"{\n\n \"schema\": 1,\n oops", "x.json:4: not valid JSON"},
        {"3", "not valid JSON"},
        {"[3]", "[0] is no passport"},
        {"{}", "schema is not there"},
        {"{\"schema\": 2}", "newer"},
        {"{\"schema\": \"1\"}", "schema is not there"},
        {"{\"schema\": 1, \"schema\": 1}", "duplicate"},
        {"{\"schema\": 1, \"tool\": []}", "tool is no object"},
        {"{\"schema\": 1, \"tool\": {\"isa\": 3}}", "tool.isa is neither a string"},
        {"{\"schema\": 1, \"machine\": {\"page_bytes\": \"4096\"}}",
         "machine.page_bytes is neither a number"},
        {"{\"schema\": 1, \"machine\": {\"page_bytes\": 1e999}}", "not valid JSON"},
        {"{\"schema\": 1, \"machine\": {\"page_bytes\": NaN}}", "not valid JSON"},
        {"{\"schema\": 1, \"machine\": {\"page_bytes\": 99999999999999999999}}",
         "not valid JSON"},
        {"{\"schema\": 1, \"facts\": {}}", "facts is no array"},
        {"{\"schema\": 1, \"facts\": [1]}", "facts[0] is no object"},
        {"{\"schema\": 1, \"facts\": [{\"value\": []}]}", "facts[0].value is neither"},
        {"{\"schema\": 1, \"facts\": [{\"status\": \"x\"}]}", "facts[0].status is no"},
        {"{\"schema\": 1, \"probes\": {\"a\": 1}}", "probes.a is no object"},
        {"{\"schema\": 1, \"probes\": {\"a\": {}}}", "probes.a.status is no status"},
        {"{\"schema\": 1, \"probes\": {\"a\": {\"status\": \"measured\", \"findings\": "
         "{\"f\": {\"verdict\": \"sure\"}}}}}",
         "probes.a.findings.f.verdict is no verdict"},
        {"{\"schema\": 1, \"probes\": {\"a\": {\"status\": \"measured\", \"controls\": "
         "[{\"ok\": 1}]}}}",
         "probes.a.controls[0].ok is neither true nor false"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        refuse(&rows[i]);
}

/* Places on axes keep their names, and every place has its own. */
static struct series *windowed(struct passport_list *list)
{
    for (size_t i = 0; i < list->rows[0].probe_count; i++)
        if (strcmp(list->rows[0].probes[i].name, "latency") == 0)
            return &list->rows[0].probes[i].series.rows[0];
    fail_msg("the sample has no latencies");
    return NULL;
}

static void test_place_names(void **state)
{
    static const char *const wanted[] = {"read", "write", "copy"};
    struct passport_list list = {0}, back = {0};
    struct message why = {{0}};
    const char *name;
    struct series *series;
    char *text;

    (void)state;
    sample_full(&list, NULL);
    series = windowed(&list);
    series->place_names[0] = "read|write|copy";
    assert_returns(&list);
    text = write_list(&list, true);
    assert_int_equal(0, read_text(&back, text, &why));
    series = windowed(&back);
    for (size_t i = 0; i < 3; i++) {
        struct series_point point = {.at = {(double)i}};
        size_t length = sonde_measure_place_name(series, &point, 0, &name);

        assert_int_equal(length, strlen(wanted[i]));
        assert_memory_equal(name, wanted[i], length);
    }
    for (double at = -1; at <= 3; at += 0.5) {
        struct series_point point = {.at = {at}};

        assert_int_equal(sonde_measure_place_name(series, &point, 0, &name) > 0,
                         at == 0 || at == 1 || at == 2);
        assert_int_equal(sonde_measure_place_name(series, &point, 1, &name), 0);
    }
    free(text);
    sonde_passport_list_free(&list);
    sonde_passport_list_free(&back);
}

/* A series within an otherwise good passport. */
static void refuse_series(const char *series, const char *says)
{
    struct text text = {0};

    sonde_base_text_print(
        &text,
        "{\"schema\": 1, \"probes\": {\"p\": {\"status\": \"measured\", "
        "\"series\": {\"s\": {%s}}}}}",
        series);
    refuse(&(struct bad){text.data, says});
    sonde_base_text_free(&text);
}

static void test_refused_series(void **state)
{
    static const char *const axis = "\"axes\": [{\"name\": \"size\"}], \"points\": ";
    static const struct bad points[] = {
        {"[{}]", "points[0].at has not one number"},
        {"[{\"at\": [1, 2]}]", "points[0].at has not one number"},
        {"[{\"at\": [null]}]", "points[0].at holds something"},
        {"[{\"at\": [1], \"n\": -1}]", "points[0].n is no whole number"},
        {"[{\"at\": [1], \"n\": 1.5}]", "points[0].n is no whole number"},
        {"[{\"at\": [1], \"n\": 2, \"samples\": [1]}]", "samples does not hold n values"},
        {"[{\"at\": [1], \"n\": 1, \"sample_rounds\": [1]}]", "sample_rounds does not"},
        {"[{\"at\": [1], \"n\": 1, \"samples\": [null]}]", "samples holds something"},
        {"[{\"at\": [1], \"n\": 1, \"samples\": [1], \"sample_rounds\": [-1]}]",
         "sample_rounds holds something"},
        {"[{\"at\": [1], \"flags\": [7]}]", "flags holds something"},
        {"[{\"at\": [1], \"median\": \"1\"}]", "points[0].median is neither a number"},
        {"[{\"at\": [1], \"n\": 9223372036854775807, \"samples\": []}]",
         "does not hold n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        struct text text = {0};

        sonde_base_text_print(&text, "%s%s", axis, points[i].text);
        refuse_series(text.data, points[i].says);
        sonde_base_text_free(&text);
    }
    refuse_series("\"axes\": [{}, {}, {}, {}]", "axes[3] is one axis too many");
    refuse_series("\"axes\": [{\"names\": [\"a\", 1]}]", "names has what is no name");
    refuse_series("\"axes\": [{\"names\": [\"a|b\"]}]", "names has what is no name");
    refuse_series("\"axes\": [{\"names\": 1}]", "names is neither a list");
    refuse_series("\"statistic\": \"mean\"", "statistic is none of");
}

static void test_deep_nesting(void **state)
{
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH + 1);
    struct passport_list list = {0};
    struct message why = {{0}};

    (void)state;
    memset(text, '[', DEPTH);
    text[DEPTH] = '\0';
    assert_int_equal(read_text(&list, text, &why), -EINVAL);
    assert_non_null(strstr(why.text, "depth"));
    free(text);
}

/* Units are pooled; a file that invents thousands must not make reading quadratic. */
static void test_many_words(void **state)
{
    struct text text = {0};

    (void)state;
    sonde_base_text_print(&text, "{\"schema\": 1, \"facts\": [{}");
    for (unsigned i = 0; i < 1000; i++)
        sonde_base_text_print(&text, ", {\"unit\": \"u%u\"}", i);
    sonde_base_text_print(&text, "]}");
    refuse(&(struct bad){text.data, "one of too many such words"});
    sonde_base_text_free(&text);
}

/* All or nothing: a bad passport behind a good one leaves the list as it was. */
static void test_list_untouched(void **state)
{
    struct passport_list list = {0};

    (void)state;
    sample_full(&list, NULL);
    assert_int_equal(read_text(&list, "[{\"schema\": 1}, {\"schema\": 9}]", NULL),
                     -EINVAL);
    assert_int_equal(list.count, 1);
    assert_int_equal(read_text(&list, "[{\"schema\": 1}, {\"schema\": 1}]", NULL), 0);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.rows[0].machine.host, "sample");
    assert_same(list.rows[2].environment.core_hz, NAN);
    sonde_passport_list_free(&list);
}

static void test_finding_choice(void **state)
{
    struct passport_list list = {0};
    struct passport *passport = sonde_passport_add(&list);
    struct findings *findings = &sonde_passport_probe_add(passport, "a")->findings;

    (void)state;
    assert_null(sonde_passport_finding(passport, "x"));
    sonde_infer_give_up(findings, "x", "ns", "no");
    assert_same(sonde_passport_finding(passport, "x")->value, NAN);
    sonde_infer_find(findings, "x", "ns", 1, NAN, NAN, NAN, "");
    findings = &sonde_passport_probe_add(passport, "b")->findings;
    sonde_infer_find(findings, "x", "ns", 2, NAN, NAN, 0.5, "");
    sonde_infer_find(findings, "x", "ns", 3, NAN, NAN, 0.4, "");
    assert_same(sonde_passport_finding(passport, "x")->value, 2);
    sonde_passport_list_free(&list);
}

static void test_warned_once(void **state)
{
    struct passport_list list = {0};
    struct passport *passport = sonde_passport_add(&list);

    (void)state;
    assert_int_equal(sonde_passport_warn(passport, "c", NULL, "%d", 1), 0);
    assert_int_equal(sonde_passport_warn(passport, "c", NULL, "%d", 2), 0);
    assert_int_equal(passport->warning_count, 1);
    assert_string_equal(passport->warnings[0].message, "1");
    sonde_passport_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place_names),      cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_values_come_back), cmocka_unit_test(test_no_samples),
        cmocka_unit_test(test_layout),           cmocka_unit_test(test_comma_locale),
        cmocka_unit_test(test_hostile_strings),  cmocka_unit_test(test_empty_list),
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_refused_series),
        cmocka_unit_test(test_deep_nesting),     cmocka_unit_test(test_many_words),
        cmocka_unit_test(test_list_untouched),   cmocka_unit_test(test_finding_choice),
        cmocka_unit_test(test_warned_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
