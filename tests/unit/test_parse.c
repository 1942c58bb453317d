/* Strict parsing: what is a size, a number, a count; what is none; what is unknown. */
#include "support.h"

#include "base/units.h"

#include <errno.h>
#include <math.h>

static void test_sizes(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"48K", 49152},
        {"48 KiB", 49152},
        {"48kb\n", 49152},
        {"1M", 1048576},
        {"65536", 65536},
        {" 65536 B ", 65536},
        {"64 bytes", 64},
        {"1.5 GiB", UINT64_C(1610612736)},
        {"0.5K", 512},
        {"508 MiB", UINT64_C(532676608)},
        {"2T", UINT64_C(1) << 41},
        {"4E", UINT64_C(1) << 62},
        {"4611686018427387903", (UINT64_C(1) << 62) - 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = 0;

        assert_int_equal(sonde_base_parse_size(cases[i].text, &bytes), 0);
        assert_true(bytes == cases[i].bytes);
    }
}

static void check_sizes_fail(const char *const *texts, size_t count, int expected)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = 77;

        assert_int_equal(sonde_base_parse_size(texts[i], &bytes), expected);
        assert_true(bytes == 77);
    }
}

static void test_sizes_refused(void **state)
{
    static const char *const wrong[] = {
        "x",   "K",   "48Q",  "48KK", "48 K iB", "1.5",   "1.",  ".5K",   "-5",  "nan",
        "inf", "1e3", "0x10", "+4K",  "1,5K",    "48K 2", "4iB", "1..5K", "K48",
    };
    static const char *const unknown[] = {
        "",
        " \n",
        "0",
        "0K",
        "0.0 MiB",
        "-1",
        "unknown size",
        "Unknown",
        "unknown size\n",
        NULL,
    };
    static const char *const large[] = {"5E", "4611686018427387905000", "99999999P"};

    (void)state;
    check_sizes_fail(wrong, sizeof wrong / sizeof *wrong, -EINVAL);
    check_sizes_fail(unknown, sizeof unknown / sizeof *unknown, -ENODATA);
    check_sizes_fail(large, sizeof large / sizeof *large, -ERANGE);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},      {"-1", -1},          {"+2.5", 2.5},
        {"1e3", 1000}, {"1.25E-2", 0.0125}, {"007", 7},
    };
    static const char *const wrong[] = {
        "",   " 1", "1 ", "nan", "NAN",   "inf", "-inf", "infinity", "0x10",
        "1e", "1.", ".5", "1,5", "1e999", "--1", "1e+",  "abc",      "1f",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = NAN;

        assert_int_equal(sonde_base_parse_number(cases[i].text, &value), 0);
        assert_true(value == cases[i].value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value = 77;

        assert_int_equal(sonde_base_parse_number(wrong[i], &value), -EINVAL);
        assert_true(value == 77);
    }
}

static void test_counts(void **state)
{
    static const char *const wrong[] = {"",    "-1", "+1",  " 1", "1 ",
                                        "1.0", "x",  "0x1", "1e3"};
    uint64_t value = 77;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(sonde_base_parse_count(wrong[i], &value), -EINVAL);
    assert_int_equal(sonde_base_parse_count("18446744073709551616", &value), -ERANGE);
    assert_true(value == 77);
    assert_int_equal(sonde_base_parse_count("18446744073709551615", &value), 0);
    assert_true(value == UINT64_MAX);
    assert_int_equal(sonde_base_parse_count("0", &value), 0);
    assert_true(value == 0);
}

static void test_locale(void **state)
{
    uint64_t bytes = 0;
    double value = 0;
    int size, number, comma;

    (void)state;
    if (!set_comma_locale())
        skip();
    size = sonde_base_parse_size("1.5 GiB", &bytes);
    number = sonde_base_parse_number("2.5", &value);
    comma = sonde_base_parse_number("2,5", &value);
    setlocale(LC_ALL, "C");
    assert_int_equal(size, 0);
    assert_int_equal(number, 0);
    assert_int_equal(comma, -EINVAL);
    assert_true(bytes == UINT64_C(1610612736) && value == 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_sizes_refused),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
