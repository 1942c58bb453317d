/* The list grammar, sets beyond 1024 CPUs, and formatting. */
#include "support.h"

#include "base/cpulist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *round_trip(const char *text, char *out, size_t size)
{
    struct cpulist list = {0};
    struct message why = {""};
    int result = sonde_base_cpulist_parse(&list, text, &why);

    if (result < 0) {
        assert_true(strlen(why.text) > 0);
        assert_null(strchr(why.text, '\n'));
        snprintf(out, size, "error %d", result);
    } else {
        sonde_base_cpulist_format(&list, out, size);
    }
    sonde_base_cpulist_free(&list);
    return out;
}

static void test_grammar(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"0-1,4-5,8-9", "0-1,4-5,8-9"},
        {"0", "0"},
        {"", ""},
        {"\n", ""},
        {"0-3\n", "0-3"},
        {" 2,0 ", "0,2"},
        {"3,1-2,2", "1-3"},
        {"0-15:2/4", "0-1,4-5,8-9,12-13"},
        {"0-6:1/3,64", "0,3,6,64"},
        {"0-1279", "0-1279"},
        {"65535", "65535"},
    };
    char out[128];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(round_trip(cases[i].text, out, sizeof out),
                            cases[i].expected);
}

static void test_refused(void **state)
{
    static const char *const cases[] = {
        "0-",      "3-1",         "x",        "-1",      "0,",      ",0",
        "0,,1",    "0 1",         "0-3:",     "0-3:2",   "0-3:0/4", "0-3:3/2",
        "0-3:1/0", "1:1/2",       "65536",    "0-65536", "1.5",     "0x1",
        "+1",      "99999999999", "0-3:2/4x", "0-3\n4",
    };
    char out[128], expected[32];

    (void)state;
    snprintf(expected, sizeof expected, "error %d", -EINVAL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(round_trip(cases[i], out, sizeof out), expected);
}

static void test_failure_keeps_contents(void **state)
{
    struct cpulist list = {0};

    (void)state;
    assert_int_equal(sonde_base_cpulist_parse(&list, "5", NULL), 0);
    assert_int_equal(sonde_base_cpulist_parse(&list, "1,2,", NULL), -EINVAL);
    assert_true(sonde_base_cpulist_has(&list, 5));
    assert_int_equal(sonde_base_cpulist_count(&list), 1);
    sonde_base_cpulist_free(&list);
}

static void test_long_text_keeps_the_reason(void **state)
{
    struct cpulist list = {0};
    struct message why;
    char *text = malloc(10001);

    (void)state;
    assert_non_null(text);
    memset(text, '1', 10000);
    text[10000] = '\0';
    assert_int_equal(sonde_base_cpulist_parse(&list, text, &why), -EINVAL);
    assert_non_null(strstr(why.text, "too large"));
    free(text);
}

static void test_members(void **state)
{
    struct cpulist list = {0};
    size_t seen = 0;

    (void)state;
    assert_false(sonde_base_cpulist_has(&list, 0));
    assert_int_equal(sonde_base_cpulist_next(&list, 0), -1);
    assert_int_equal(sonde_base_cpulist_parse(&list, "63-64,1100,4095", NULL), 0);
    for (int cpu = sonde_base_cpulist_next(&list, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(&list, (unsigned)cpu + 1), seen++)
        assert_true(sonde_base_cpulist_has(&list, (unsigned)cpu));
    assert_int_equal(seen, 4);
    assert_int_equal(sonde_base_cpulist_count(&list), 4);
    sonde_base_cpulist_remove(&list, 1100);
    sonde_base_cpulist_remove(&list, 60000);
    assert_int_equal(sonde_base_cpulist_next(&list, 65), 4095);
    assert_int_equal(sonde_base_cpulist_add(&list, SONDE_CPU_MAX), -EINVAL);
    assert_int_equal(sonde_base_cpulist_add(&list, SONDE_CPU_MAX - 1), 0);
    assert_int_equal(sonde_base_cpulist_count(&list), 4);
    sonde_base_cpulist_free(&list);
}

static void test_sets(void **state)
{
    struct cpulist a = {0}, b = {0};

    (void)state;
    assert_int_equal(sonde_base_cpulist_parse(&a, "0-3,2000", NULL), 0);
    assert_int_equal(sonde_base_cpulist_parse(&b, "2-5", NULL), 0);
    assert_false(sonde_base_cpulist_equal(&a, &b));
    sonde_base_cpulist_intersect(&a, &b);
    assert_int_equal(sonde_base_cpulist_count(&a), 2);
    assert_int_equal(sonde_base_cpulist_parse(&b, "2,3", NULL), 0);
    assert_true(sonde_base_cpulist_equal(&a, &b)); /* `a` has more words, all zero */
    assert_int_equal(sonde_base_cpulist_add(&a, 9), 0);
    assert_int_equal(sonde_base_cpulist_copy(&b, &a), 0);
    assert_int_equal(sonde_base_cpulist_copy(&b, &b), 0);
    assert_true(sonde_base_cpulist_equal(&b, &a));
    sonde_base_cpulist_free(&a);
    assert_int_equal(sonde_base_cpulist_copy(&b, &a), 0);
    assert_int_equal(sonde_base_cpulist_count(&b), 0);
    sonde_base_cpulist_free(&b);
}

static void test_format_cuts(void **state)
{
    char out[12];

    (void)state;
    assert_string_equal(round_trip("0,2,4,6,8,10,12", out, sizeof out), "0,2,4,6,...");
    assert_string_equal(round_trip("0,2,4,6,8,1", out, sizeof out), "0-2,4,6,8");
    assert_string_equal(round_trip("10000-10001,10003", out, sizeof out), "...");
    assert_string_equal(round_trip("1-2,4-5,7-8", out, sizeof out), "1-2,4-5,7-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failure_keeps_contents),
        cmocka_unit_test(test_long_text_keeps_the_reason),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_format_cuts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
