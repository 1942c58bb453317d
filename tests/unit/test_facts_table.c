/* The table of facts: marks, wrapping, and texts that a terminal must not see as they
 * are. */
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct facts sample(void)
{
    struct facts facts = {0};
    sonde_machine_fact_number(&facts, "l3.size", "sysfs", "cpuid", "bytes", 32 << 20);
    sonde_machine_fact_number(&facts, "l3.size", "hwloc", "cpuid", "bytes", 16 << 20);
    sonde_machine_fact_number(&facts, "l3.size", "sysconf", "cpuid", "bytes", 256 << 20);
    sonde_machine_fact_doubt(
        &facts.rows[2], "8 times the 32 MiB that sysfs gives for CPU 0, which makes it "
                        "a total and not what one CPU sees");
    sonde_machine_fact_unknown(&facts, "l4.size", "sysconf", "cpuid", "bytes",
                               "declared as 0");
    sonde_machine_fact_text(&facts, "cpu.model", "cpuinfo", "kernel",
                            "Evil\033[2J\r\xc2\x9b"
                            "31m\xff B\xc3\xb6se");
    return facts;
}

static size_t longest_line(const char *text)
{
    size_t longest = 0, width = 0;
    for (; *text; text++) {
        width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xc0) != 0x80);
        longest = width > longest ? width : longest;
    }
    return longest;
}

static void marks_and_notes(void **state)
{
    (void)state;
    struct facts facts = sample();
    struct text out = {0};
    struct report_style style = {.columns = 80, .utf8 = true};
    assert_int_equal(sonde_report_facts(&facts, &style, &out), 0);
    assert_non_null(strstr(out.data, "✗ 256 MiB · 8 times"));
    assert_non_null(strstr(out.data, "≠ 16 MiB"));
    assert_non_null(strstr(out.data, "? unknown · declared as 0"));
    assert_non_null(strstr(out.data, "✗ implausible: 1"));
    assert_true(longest_line(out.data) <= 80);
    assert_null(strchr(out.data, '\033'));
    assert_null(strchr(out.data, '\r'));
    assert_null(strstr(out.data, "\xc2\x9b"));
    assert_null(strchr(out.data, '\xff'));
    assert_non_null(strstr(out.data, "Böse"));
    sonde_base_text_free(&out);
    sonde_machine_facts_free(&facts);
}

static void plain_terminal(void **state)
{
    (void)state;
    struct facts facts = sample();
    struct text out = {0};
    struct report_style style = {.columns = 60};
    assert_int_equal(sonde_report_facts(&facts, &style, &out), 0);
    for (const char *c = out.data; *c; c++)
        assert_true(*c == '\n' || (*c >= 0x20 && *c < 0x7f));
    assert_true(longest_line(out.data) <= 60);
    assert_non_null(strstr(out.data, "x 256 MiB; 8 times"));
    assert_non_null(strstr(out.data, "! 16 MiB"));
    sonde_base_text_free(&out);
    sonde_machine_facts_free(&facts);
}

static void colours_are_closed(void **state)
{
    (void)state;
    struct facts facts = sample();
    struct text out = {0};
    struct report_style style = {
        .columns = 20, .colour = true, .utf8 = true}; /* too narrow: still no
                                                   crash */
    size_t on = 0, off = 0;
    assert_int_equal(sonde_report_facts(&facts, &style, &out), 0);
    for (const char *c = out.data; (c = strchr(c, '\033')); c++) {
        if (strncmp(c, "\033[0m", 4) == 0)
            off++;
        else
            on++;
    }
    assert_true(on > 0);
    assert_int_equal(on, off);
    sonde_base_text_free(&out);
    sonde_machine_facts_free(&facts);
}

static void nothing_known(void **state)
{
    (void)state;
    struct facts facts = {0};
    struct text out = {0};
    struct report_style style = {.columns = 80};
    assert_int_equal(sonde_report_facts(&facts, &style, &out), 0);
    assert_string_equal(out.data, "no facts are known\n");
    sonde_base_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_and_notes),
        cmocka_unit_test(plain_terminal),
        cmocka_unit_test(colours_are_closed),
        cmocka_unit_test(nothing_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
