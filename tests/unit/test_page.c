/* The parts of the page that are made in C: nothing that a passport holds becomes markup,
 * no text ends the block it stands in, and without a template no page is made up. */
#include "report/page_parts.h"

#include "support.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char evil[] = "</script><script>alert(1)</noscript>&\"'";

static void give(struct passport *passport)
{
    struct probe_result *probe = sonde_passport_probe_add(passport, evil);
    struct finding *finding;

    assert_non_null(probe);
    passport->machine.host = strdup(evil);
    passport->machine.model = strdup(evil);
    assert_int_equal(sonde_passport_warn(passport, "code", evil, "%s", evil), 0);
    finding =
        sonde_infer_find(&probe->findings, evil, "bytes", 32768, 30000, 36000, 0.9, evil);
    assert_non_null(finding);
    sonde_infer_explain(finding, "%s", evil);
    sonde_infer_judge(finding, 32768, 0.05);
}

static void escape_marks_up_nothing(void **state)
{
    struct text out = {0};

    (void)state;
    sonde_report_page_escape(&out, "a<b>&\"c'\x01é");
    assert_string_equal(out.data, "a&#60;b&#62;&#38;&#34;c&#39; é");
    sonde_base_text_free(&out);
}

static void plain_tables_hold_text_only(void **state)
{
    struct passport_list list = {0};
    struct text out = {0};

    (void)state;
    give(sonde_passport_add(&list));
    sonde_report_page_plain(&list, &out);
    assert_false(out.failed);
    assert_null(strstr(out.data, "<script"));
    assert_null(strstr(out.data, "</noscript"));
    assert_non_null(strstr(out.data, "&#60;/script&#62;&#60;script&#62;alert(1)"));
    assert_non_null(strstr(out.data, "<td>32\xc2\xa0"
                                     "KiB</td>"));
    assert_non_null(strstr(out.data, "agrees"));
    sonde_base_text_free(&out);
    sonde_passport_list_free(&list);
}

static void words_say_values_with_units(void **state)
{
    static const struct page_probe probe = {"latency", "a summary", "a question?"};
    const struct page_options options = {.probes = &probe, .probe_count = 1};
    struct passport_list list = {0};
    struct text out = {0};
    struct probe_result *result;

    (void)state;
    result = sonde_passport_probe_add(sonde_passport_add(&list), "latency");
    assert_non_null(sonde_infer_find(&result->findings, "l1d.latency", "ns", 1.25, 1.2,
                                     1.3, 0.9, "planted"));
    sonde_report_page_words(&list, &options, &out);
    assert_false(out.failed);
    assert_non_null(strstr(out.data, "\"asks\": \"a question?\""));
    assert_non_null(strstr(out.data, "\"title\": \"L1d latency\""));
    assert_non_null(strstr(out.data, "1.25\xc2\xa0ns"));
    assert_non_null(strstr(out.data, "\"declared\": null"));
    sonde_base_text_free(&out);
    sonde_passport_list_free(&list);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

static void page_is_whole_or_refused(void **state)
{
    const struct page_options options = {0};
    struct passport_list list = {0};
    struct message why = {{0}};
    struct text out = {0};
    int error;

    (void)state;
    give(sonde_passport_add(&list));
    error = sonde_report_page(&list, &options, &out, &why);
    if (!sonde_report_page_available()) {
        assert_int_equal(error, -ENOSYS);
        assert_non_null(strstr(why.text, "Node.js"));
        assert_int_equal(out.length, 0);
    } else {
        assert_int_equal(error, 0);
        assert_int_equal(count_of(out.data, "<script"), 3);
        assert_int_equal(count_of(out.data, "</script>"), 3);
        assert_int_equal(count_of(out.data, "</noscript>"), 1);
        assert_null(strstr(out.data, "@@sonde:"));
        assert_non_null(strstr(out.data, "\\u003c/script>"));
    }
    sonde_base_text_free(&out);
    sonde_passport_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escape_marks_up_nothing),
        cmocka_unit_test(plain_tables_hold_text_only),
        cmocka_unit_test(words_say_values_with_units),
        cmocka_unit_test(page_is_whole_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
