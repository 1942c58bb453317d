/* The builder, trimming, copying, distances. */
#include "support.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void test_builder(void **state)
{
    struct text text = {0};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        sonde_base_text_append(&text, "ab", 2);
        sonde_base_text_print(&text, "%d,", i % 10);
    }
    assert_false(text.failed);
    assert_int_equal(text.length, 4000);
    assert_int_equal(strlen(text.data), 4000);
    assert_string_equal(text.data + 3988, "ab7,ab8,ab9,");
    sonde_base_text_free(&text);
    assert_null(text.data);
    assert_int_equal(text.length, 0);
}

static void test_empty_append_terminates(void **state)
{
    struct text text = {0};

    (void)state;
    sonde_base_text_append(&text, NULL, 0);
    assert_string_equal(text.data, "");
    sonde_base_text_free(&text);
}

static void test_bytes_pass_unchanged(void **state)
{
    struct text text = {0};

    (void)state;
    sonde_base_text_append(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.data, "a\0b", 4);
    sonde_base_text_free(&text);
}

static void test_failure_sticks(void **state)
{
    struct text text = {0};

    (void)state;
    sonde_base_text_append(&text, "kept", 4);
    sonde_base_text_append(&text, "x", SIZE_MAX / 2);
    assert_true(text.failed);
    sonde_base_text_append(&text, "dropped", 7);
    sonde_base_text_print(&text, "%s", "dropped");
    assert_string_equal(text.data, "kept");
    sonde_base_text_free(&text);
    assert_false(text.failed);
}

static void test_locale(void **state)
{
    struct text text = {0};

    (void)state;
    if (!set_comma_locale())
        skip();
    sonde_base_text_print(&text, "%.2f", 3.25);
    setlocale(LC_ALL, "C");
    assert_string_equal(text.data, "3.25");
    sonde_base_text_free(&text);
}

static void test_trim_and_copy(void **state)
{
    char text[] = " \t a b \r\n", blank[] = " \n", empty[] = "";
    char *copy = sonde_base_copy("x");

    (void)state;
    assert_string_equal(sonde_base_trim(text), "a b");
    assert_string_equal(sonde_base_trim(blank), "");
    assert_string_equal(sonde_base_trim(empty), "");
    assert_string_equal(copy, "x");
    free(copy);
    assert_null(sonde_base_copy(NULL));
}

static void test_distance(void **state)
{
    (void)state;
    assert_int_equal(sonde_base_distance("", ""), 0);
    assert_int_equal(sonde_base_distance("", "abc"), 3);
    assert_int_equal(sonde_base_distance("latencyy", "latency"), 1);
    assert_int_equal(sonde_base_distance("kitten", "sitting"), 3);
    assert_int_equal(sonde_base_distance("sitting", "kitten"), 3);
    assert_int_equal(sonde_base_distance("clock", "clock"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder),
        cmocka_unit_test(test_empty_append_terminates),
        cmocka_unit_test(test_bytes_pass_unchanged),
        cmocka_unit_test(test_failure_sticks),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_trim_and_copy),
        cmocka_unit_test(test_distance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
