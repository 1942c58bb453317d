/* The documentation inside the program: it is whole, every probe and every named finding
 * has its section, and drawing it loses no word and exceeds no line. */
#include "support.h"

#include "infer/names.h"
#include "probes/probe.h"
#include "report/method.h"

#include <stdio.h>
#include <string.h>

static void test_whole(void **state)
{
    struct method_section section = {0};
    const char *text = (const char *)sonde_report_method_text;
    size_t sections = 0;

    (void)state;
    assert_int_equal(strlen(text), sonde_report_method_length);
    while (sonde_report_method_next(&section)) {
        sections++;
        assert_true(section.title_length > 0);
        assert_true(section.body_length > 100);
    }
    assert_true(sections > 20);
    assert_ptr_equal(section.body + section.body_length,
                     text + sonde_report_method_length);
}

static bool names_what_fools(const struct method_section *section)
{
    struct report_style style = {.columns = 200, .utf8 = true};
    struct text out = {0};
    struct canvas canvas = sonde_report_canvas(&style, &out);
    bool found;

    sonde_report_method_draw(&canvas, section);
    found = strstr(out.data, "\n  What fools it: ") != NULL;
    sonde_base_text_free(&out);
    return found;
}

static void test_probes(void **state)
{
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);
    struct method_section section;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        if (!sonde_report_method_find(probes[i]->name, &section))
            fail_msg("no section tells of the probe %s", probes[i]->name);
        if (!names_what_fools(&section))
            fail_msg("nothing says what fools %s", probes[i]->name);
    }
    assert_false(sonde_report_method_find("nosuch", &section));
    assert_false(sonde_report_method_find("", &section));
    assert_true(sonde_report_method_find("bench", &section)); /* `sonde bench` */
    assert_true(sonde_report_method_find("files of other tools", &section));
}

/* A row of the table of names without a section could not be explained. */
static void test_findings(void **state)
{
    size_t count;
    const struct finding_name *names = sonde_infer_names(&count);
    struct method_origin origin;
    struct method_section section;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        if (!sonde_report_method_of(names[i].pattern, &origin))
            fail_msg("no section knows the finding %s", names[i].pattern);
        assert_true(sonde_report_method_find(origin.section, &section));
        if (origin.also)
            assert_true(sonde_report_method_find(origin.also, &section));
    }
}

static void expect(const char *finding, const char *from, const char *also)
{
    struct method_origin origin;

    assert_true(sonde_report_method_of(finding, &origin));
    assert_string_equal(origin.section, from);
    if (also)
        assert_string_equal(origin.also, also);
    else
        assert_null(origin.also);
}

static void test_origins(void **state)
{
    struct method_origin origin;

    (void)state;
    expect("l2.size", "latency", "ways");
    expect("l1d.ways", "ways", NULL);
    expect("memory.latency", "latency", NULL);
    expect("page.granule", "tlb", "latency");
    expect("line.size", "line", NULL);
    expect("atomics.swap.alone", "atomics", NULL);
    expect("mountain.cliffs.64", "mountain", NULL);
    assert_false(sonde_report_method_of("nosuch.size", &origin));
    assert_false(sonde_report_method_of("latency", &origin));
    assert_false(sonde_report_method_of("", &origin));
    assert_false(sonde_report_method_of(".", &origin));
    assert_false(
        sonde_report_method_of("a.name.whose.first.part.is.short.and.odd", &origin));
    assert_false(
        sonde_report_method_of("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b", &origin));
}

/* --- drawing ---------------------------------------------------------------------------
 */

static char *draw(const char *body, unsigned columns, struct text *out)
{
    struct report_style style = {.columns = columns, .utf8 = true};
    struct canvas canvas = sonde_report_canvas(&style, out);
    struct method_section section = {.body = body, .body_length = strlen(body)};

    sonde_report_method_draw(&canvas, &section);
    assert_false(out->failed);
    return out->data;
}

static void check(const char *body, const char *drawn)
{
    struct text out = {0};

    assert_string_equal(draw(body, 60, &out), drawn);
    sonde_base_text_free(&out);
}

static void test_drawing(void **state)
{
    (void)state;
    check("\n\nOne\nparagraph.\n\nAnother.\n", "  One paragraph.\n\n  Another.\n");
    check("\n* an item\n  of two lines\n* `code`, *word*, **name**\n",
          "  - an item of two lines\n  - code, word, name\n");
    check("\nText 2 * 3 * 4, a*b and *open.\n", "  Text 2 * 3 * 4, a*b and *open.\n");
    check("\nBefore:\n\n    1  2\n    3  4\n\nAfter. *Control:* it\nholds. *What fools "
          "it:* "
          "x.\n",
          "  Before:\n\n    1  2\n    3  4\n\n  After.\n  Control: it holds.\n"
          "  What fools it: x.\n");
    check("\n* item *Control:* it\n  holds\n", "  - item\n    Control: it holds\n");
    check("\n| a | b |\n|---|---|\n| `c` | d e |\n", "  - a b\n  - c d e\n");
}

/* Every section at several widths: no line is too wide, no mark of Markdown is left. */
static void test_widths(void **state)
{
    struct method_section section = {0};

    (void)state;
    while (sonde_report_method_next(&section))
        for (unsigned columns = 60; columns <= 130; columns += 35) {
            struct report_style style = {.columns = columns, .utf8 = true};
            struct text out = {0};
            struct canvas canvas = sonde_report_canvas(&style, &out);

            sonde_report_method_draw(&canvas, &section);
            for (char *line = strtok(out.data, "\n"); line; line = strtok(NULL, "\n")) {
                assert_true(sonde_report_width(line) <= columns);
                assert_null(strstr(line, "**"));
            }
            sonde_base_text_free(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),    cmocka_unit_test(test_probes),
        cmocka_unit_test(test_findings), cmocka_unit_test(test_origins),
        cmocka_unit_test(test_drawing),  cmocka_unit_test(test_widths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
