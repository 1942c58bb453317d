/* The terminal's passport against golden text, and the laws every width must obey.
 *
 * To renew the golden files after a change that was meant: run this program with
 * SONDE_GOLDEN=write, and read the difference. */
#include "sample.h"
#include "support.h"

#include "base/text.h"
#include "base/utf8.h"
#include "report/canvas.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *draw_as(const struct passport_list *list, const struct report_style *style)
{
    struct text out = {0};

    assert_int_equal(sonde_report_terminal(list, style, &out, NULL), 0);
    return out.data ? out.data : sonde_base_copy("");
}

static char *draw(const struct passport_list *list, unsigned columns, bool utf8,
                  bool colour)
{
    struct report_style style = {.columns = columns, .colour = colour, .utf8 = utf8};

    return draw_as(list, &style);
}

static char *draw_all(const struct passport_list *list, unsigned columns, bool utf8)
{
    struct report_style style = {.columns = columns, .utf8 = utf8, .verbose = true};

    return draw_as(list, &style);
}

/* No line wider than allowed, no control character but the newline, ASCII where asked. */
static void check_lines(const char *text, unsigned columns, bool utf8)
{
    size_t width = 0, length;
    uint32_t code;

    for (; (length = sonde_base_utf8_decode(text, &code)) > 0; text += length) {
        if (code == '\n') {
            width = 0;
            continue;
        }
        assert_true(code != SONDE_NO_CODE_POINT);
        assert_true(sonde_base_utf8_columns(code) >= 0);
        assert_true(utf8 || code < 0x80);
        width += (size_t)sonde_base_utf8_columns(code);
        if (width > columns)
            fail_msg("a line is wider than %u columns: ...%.40s", columns, text);
    }
}

static void check_golden(const char *name, const char *text)
{
    char path[512], *golden = NULL;
    size_t length;
    const char *write = getenv("SONDE_GOLDEN");

    snprintf(path, sizeof path, SONDE_GOLDEN_DIR "/%s.txt", name);
    if (write && strcmp(write, "write") == 0)
        assert_int_equal(sonde_base_write_file(path, text, strlen(text), NULL), 0);
    assert_int_equal(sonde_base_read_file(path, 1 << 20, &golden, &length), 0);
    assert_string_equal(text, golden);
    free(golden);
}

static void check(const char *name, const struct passport_list *list)
{
    char golden[64], *text;

    for (int utf8 = 0; utf8 < 2; utf8++) {
        text = draw(list, 80, utf8, false);
        check_lines(text, 80, utf8);
        snprintf(golden, sizeof golden, "%s-%s", name, utf8 ? "utf8" : "ascii");
        check_golden(golden, text);
        free(text);
    }
    text = draw_all(list, 80, true);
    snprintf(golden, sizeof golden, "%s-all", name);
    check_golden(golden, text);
    free(text);
    for (unsigned columns = 60; columns <= 200; columns += 7) {
        text = draw(list, columns, columns % 2, false);
        check_lines(text, columns, columns % 2);
        free(text);
        text = draw_all(list, columns, columns % 2);
        check_lines(text, columns, columns % 2);
        free(text);
    }
}

static void test_full(void **state)
{
    struct passport_list list = {0};

    (void)state;
    sample_full(&list, NULL);
    check("full", &list);
    sonde_passport_list_free(&list);
}

static void test_hybrid(void **state)
{
    struct passport_list list = {0};

    (void)state;
    sample_full(&list, "performance");
    sample_full(&list, "efficient");
    check("hybrid", &list);
    sonde_passport_list_free(&list);
}

static void test_unmeasured(void **state)
{
    struct passport_list list = {0};

    (void)state;
    sample_unmeasured(&list);
    check("unmeasured", &list);
    sonde_passport_list_free(&list);
}

static void test_nothing(void **state)
{
    struct passport_list list = {0};
    char *text = draw(&list, 80, true, false);

    (void)state;
    assert_string_equal(text, "");
    free(text);
    sonde_passport_add(&list);
    text = draw(&list, 80, true, true);
    assert_string_equal(text, "machine unknown\n");
    free(text);
    sonde_passport_list_free(&list);
}

/* A passport with a mountain of `strides` strides and nothing else. */
static void plant_mountain(struct passport_list *list, unsigned strides)
{
    struct passport *passport = sonde_passport_add(list);
    struct probe_result *probe = sonde_passport_probe_add(passport, "mountain");
    struct series *series = sonde_measure_series_add(&probe->series, "mountain");
    struct finding *finding = sonde_infer_find(&probe->findings, "mountain.cliffs.8",
                                               "count", 1, 1, 1, 0.8, "");

    finding->text = sonde_base_copy("32 KiB\xe2\x80\x93"
                                    "64 KiB");
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->axes[1] = (struct axis){"stride", "bytes", "linear"};
    series->axis_count = 2;
    series->quantity = "throughput";
    series->unit = "bytes/s";
    for (double size = 16384; size <= 131072; size *= 2)
        for (unsigned k = 1; k <= strides; k++) {
            struct series_point *point = sonde_measure_point_add(series);

            point->at[0] = size;
            point->at[1] = 8 * k;
            point->best = size > 32768 ? 1e9 : 50e9;
            if (size == 32768 && k == 2)
                point->best = NAN; /* a hole */
        }
}

static void test_surface(void **state)
{
    static const unsigned widths[] = {60, 80, 200};
    struct passport_list list = {0};
    char *text;

    (void)state;
    plant_mountain(&list, 15);
    text = draw(&list, 80, true, false);
    assert_non_null(strstr(text, "mountain: throughput"));
    assert_non_null(strstr(text, "16 KiB  \xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"));
    assert_non_null(strstr(text, "\xe2\x96\x88\xc2\xb7\xc2\xb7\xc2\xb7"));
    assert_non_null(strstr(text, "GB/s"));
    assert_non_null(strstr(text, "cliffs at stride 8 bytes: 32 KiB"));
    assert_null(strstr(text, "cliffs at stride 8  ")); /* not once more in the table */
    free(text);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        for (int utf8 = 0; utf8 < 2; utf8++) {
            text = draw(&list, widths[i], utf8, false);
            check_lines(text, widths[i], utf8);
            free(text);
        }
    sonde_passport_list_free(&list);
    plant_mountain(&list, 300); /* more than any screen is wide */
    text = draw(&list, 80, true, false);
    check_lines(text, 80, true);
    free(text);
    /* Nothing is drawn of an emulator. */
    list.rows[0].environment.emulation = sonde_base_copy("qemu");
    text = draw(&list, 80, true, false);
    assert_null(strstr(text, "mountain"));
    free(text);
    sonde_passport_list_free(&list);
}

static void plant(struct findings *findings, const char *name, const char *unit,
                  double value)
{
    assert_non_null(
        sonde_infer_find(findings, name, unit, value, NAN, NAN, 0.9, "by hand"));
}

/* One row an operation, only the registers that there are, and nothing twice. */
static void test_arithmetic(void **state)
{
    struct passport_list list = {0};
    struct passport *passport = sample_unmeasured(&list);
    struct findings *findings = &passport->probes[0].findings;
    char *text, *row;

    (void)state;
    plant(findings, "arith.fma.latency_cycles", "cycles", 4);
    plant(findings, "arith.fma.throughput", "per cycle", 2);
    plant(findings, "arith.fma.v256.throughput", "per cycle", 1.98);
    plant(findings, "arith.pow.throughput", "per cycle", 0.0228);
    text = draw(&list, 100, true, false);
    row = strstr(text, "float64 fused");
    assert_non_null(row);
    assert_non_null(strstr(row, "4.00 / 2.00  ? / 1.98\n"));
    assert_non_null(strstr(text, "? / 0.023"));
    assert_null(strstr(text, "128-bit"));
    assert_null(strstr(text, "float32"));
    assert_null(
        strstr(text, "multiply-add")); /* not once more in the table of findings */
    free(text);
    sonde_passport_list_free(&list);
}

static void test_hostile(void **state)
{
    struct passport_list list = {0};

    (void)state;
    sample_hostile(&list);
    check("hostile", &list);
    sonde_passport_list_free(&list);
}

/* Probes enough that only what matters is shown. */
static struct passport *plant_many(struct passport_list *list)
{
    struct passport *passport = sonde_passport_add(list);
    struct findings *findings;

    for (int i = 0; i < 3; i++)
        sonde_passport_probe_add(passport, (const char *[]){"one", "two", "three"}[i]);
    findings = &sonde_passport_probe_add(passport, "tlb")->findings;
    sonde_infer_judge(
        sonde_infer_find(findings, "tlb.l1.entries", "count", 64, 64, 64, 0.9, "planted"),
        64, 0.05);
    sonde_infer_find(findings, "tlb.l1.reach", "bytes", 262144, 262144, 262144, 0.9, "");
    sonde_infer_judge(sonde_infer_find(findings, "tlb.l2.reach", "bytes", 4194304,
                                       4194304, 4194304, 0.9, "planted"),
                      8388608, 0.05);
    findings = &sonde_passport_probe_add(passport, "hop")->findings;
    for (int i = 0; i < 3; i++)
        sonde_infer_find(findings,
                         (const char *[]){"hop.first", "hop.second", "hop.third"}[i],
                         "ns", 5, 5, 5, 0.9, "planted");
    findings = &sonde_passport_probe_add(passport, "loaded")->findings;
    for (int i = 0; i < 4; i++)
        sonde_infer_give_up(
            findings, (const char *[]){"loaded.a", "loaded.b", "loaded.c", "loaded.d"}[i],
            "bytes/s", "not reached: at %d.5 GB/s", 13 + i);
    sonde_infer_control(findings, false, "latency never falls", "0", "2");
    sonde_infer_control(findings, true, "latency is known", "yes", "yes");
    return passport;
}

static void expect(const char *text, const char *line, bool there)
{
    if (!strstr(text, line) == there)
        fail_msg("'%s' is %s in:\n%s", line, there ? "not" : "still", text);
}

/* Of many probes the KEY findings are shown, and what is contradicted; all of it when
 * asked for. */
static void test_blocks(void **state)
{
    struct passport_list list = {0};
    char *text;

    (void)state;
    plant_many(&list);
    text = draw(&list, 80, true, false);
    expect(text, "findings (4 of 6; all: --verbose)", true);
    expect(text, "tlb        first level, pages           64 \xe2\x9c\x93", true);
    expect(text, "first translation level reaches", false);
    expect(text, "second translation level\xe2\x80\xa6", true); /* cut to its cell */
    expect(text, "\xe2\x9c\x97 second translation level reaches: measured 4", true);
    expect(text, "hop        hop.first", true); /* nobody chose: the first ones */
    expect(text, "hop.third", false);
    expect(text, "1 of 2 controls held; not: latency never falls (loaded)", true);
    expect(text, "? loaded.a, loaded.b and 2 more: not reached: at 13.5", true);
    expect(text, "14.5", false);
    free(text);
    text = draw_all(&list, 80, true);
    expect(text, "--verbose", false);
    expect(text, "first translation level reaches", true);
    expect(text, "hop.third", true);
    expect(text, "latency never falls (loaded): expected: 0; observed: 2", true);
    expect(text, "at 14.5", true);
    free(text);
    text = draw(&list, 60, false, false); /* one cell a line */
    check_lines(text, 60, false);
    expect(text, "hop        hop.first", true);
    free(text);
    sonde_passport_list_free(&list);
}

/* Who measured few probes sees all of them. */
static void test_few(void **state)
{
    struct passport_list list = {0};
    struct passport *passport = plant_many(&list);
    char *brief, *all;

    (void)state;
    for (size_t i = 3; i < passport->probe_count; i++) { /* the empty ones go */
        struct probe_result empty = passport->probes[i - 3];

        passport->probes[i - 3] = passport->probes[i];
        passport->probes[i] = empty;
    }
    passport->probe_count = 3;
    brief = draw(&list, 80, true, false);
    all = draw_all(&list, 80, true);
    assert_string_equal(brief, all);
    expect(all, "hop.third", true);
    free(brief);
    free(all);
    passport->probe_count = 6;
    sonde_passport_list_free(&list);
}

/* Different machines are not one with two kinds of core. */
static void test_two_machines(void **state)
{
    struct passport_list list = {0};
    char *text, *second;

    (void)state;
    sample_full(&list, "performance");
    sample_full(&list, "efficient");
    list.rows[1].machine.host[0] = 'X';
    text = draw(&list, 80, true, false);
    second = strstr(text + 1, "\n\nsonde 0.1.0");
    assert_non_null(second);
    assert_null(strstr(text, "performance"));
    free(text);
    sonde_passport_list_free(&list);
}

/* Cuts the escape sequences out of `text`, in place. */
static void strip(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (*from == '\x1b')
            from += strcspn(from, "m");
        else
            *to++ = *from;
    }
    *to = '\0';
}

static void test_colour(void **state)
{
    struct passport_list list = {0};
    char *plain, *coloured;

    (void)state;
    sample_full(&list, NULL);
    plain = draw(&list, 80, true, false);
    coloured = draw(&list, 80, true, true);
    assert_non_null(strstr(coloured, "\x1b[31m"));
    assert_null(strchr(plain, '\x1b'));
    strip(coloured);
    assert_string_equal(coloured, plain);
    free(plain);
    free(coloured);
    sonde_passport_list_free(&list);
}

/* A sentence stands only on a finding: without findings there is none. */
static void test_no_advice_without_evidence(void **state)
{
    struct passport_list list = {0};
    char *text;

    (void)state;
    sample_unmeasured(&list);
    text = draw(&list, 80, true, false);
    assert_null(strstr(text, "what this means"));
    free(text);
    sonde_passport_list_free(&list);
}

static void test_width(void **state)
{
    (void)state;
    assert_int_equal(sonde_report_width(""), 0);
    assert_int_equal(sonde_report_width("L1d × µ"), 7);
    assert_int_equal(sonde_report_width(INK_BAD "x" INK_PLAIN), 1);
    assert_int_equal(sonde_report_width("\xe6\xbc\xa2\xe5\xad\x97"), 4); /* wide */
    assert_int_equal(sonde_report_width("e\xcc\x81"), 1);                /* combining */
    assert_int_equal(sonde_report_width("\xff"), 1);
}

static void test_reports(void **state)
{
    size_t count;
    const struct report *reports = sonde_reports(&count);

    (void)state;
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(sonde_report_find(reports[i].name), &reports[i]);
    assert_null(sonde_report_find("nosuch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_hybrid),
        cmocka_unit_test(test_unmeasured),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_surface),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_two_machines),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_no_advice_without_evidence),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_reports),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
