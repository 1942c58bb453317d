/* Formatting: digits, units, carries, and what is not finite. */
#include "support.h"

#include "base/units.h"

#include <math.h>

struct formatted {
    double value;
    const char *expected;
};

static void check(struct number_text (*format)(double), const struct formatted *cases,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_string_equal(format(cases[i].value).text, cases[i].expected);
    assert_string_equal(format(NAN).text, "unknown");
    assert_string_equal(format(INFINITY).text, "unknown");
    assert_string_equal(format(-INFINITY).text, "unknown");
}
#define CHECK(format, cases) check(format, cases, sizeof cases / sizeof *cases)

static void test_bytes(void **state)
{
    static const struct formatted cases[] = {
        {0, "0 B"},
        {64, "64 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {49152, "48 KiB"},
        {1.25 * 1048576, "1.25 MiB"},
        {1.5 * 1048576, "1.5 MiB"},
        {508.0 * 1048576, "508 MiB"},
        {1023.6 * 1024, "1020 KiB"},
        {1.2345 * 1073741824, "1.23 GiB"},
        {-4096, "-4 KiB"},
        {0x1p60, "1 EiB"},
        {0x1p75, "32768 EiB"},
    };

    (void)state;
    CHECK(sonde_base_format_bytes, cases);
}

static void test_time(void **state)
{
    static const struct formatted cases[] = {
        {0, "0 ns"},        {1.08, "1.08 ns"},    {0.25, "0.250 ns"},
        {27300, "27.3 µs"}, {1.2e9, "1.20 s"},    {999.4, "999 ns"},
        {999.9, "1.00 µs"}, {9.999, "10.0 ns"},   {123456789, "123 ms"},
        {1234e9, "1230 s"}, {-15.51, "-15.5 ns"}, {1e-9, "1.00e-09 ns"},
    };

    (void)state;
    CHECK(sonde_base_format_time, cases);
}

static void test_rate_and_frequency(void **state)
{
    static const struct formatted rates[] = {
        {45.2e9, "45.2 GB/s"},
        {999.6e6, "1.00 GB/s"},
        {12, "12.0 B/s"},
        {2e15, "2000 TB/s"},
    };
    static const struct formatted frequencies[] = {
        {3.69e9, "3.69 GHz"},
        {100e6, "100 MHz"},
        {32768, "32.8 kHz"},
    };

    (void)state;
    CHECK(sonde_base_format_rate, rates);
    CHECK(sonde_base_format_frequency, frequencies);
}

static void test_number(void **state)
{
    (void)state;
    assert_string_equal(sonde_base_format_number(12, 3).text, "12");
    assert_string_equal(sonde_base_format_number(-0.0, 3).text, "0");
    assert_string_equal(sonde_base_format_number(1048576, 3).text, "1048576");
    assert_string_equal(sonde_base_format_number(3.6187, 3).text, "3.62");
    assert_string_equal(sonde_base_format_number(12345.67, 3).text, "12300");
    assert_string_equal(sonde_base_format_number(0.012345, 2).text, "0.012");
    assert_string_equal(sonde_base_format_number(1.5e-9, 3).text, "1.50e-09");
    assert_string_equal(sonde_base_format_number(1e300, 3).text, "1.00e+300");
    assert_string_equal(sonde_base_format_number(0.1, 99).text, "0.10000000000000001");
    assert_string_equal(sonde_base_format_number(NAN, 3).text, "unknown");
}

static void test_unit(void **state)
{
    static const struct {
        double value;
        const char *unit, *expected;
    } cases[] = {
        {49152, "bytes", "48 KiB"}, {1.08, "ns", "1.08 ns"},
        {4, "cycles", "4 cycles"},  {14.02, "cycles", "14.0 cycles"},
        {3.69e9, "hz", "3.69 GHz"}, {1e9, "bytes/s", "1.00 GB/s"},
        {1.604, "ratio", "1.60"},   {12.5, "percent", "12.5 %"},
        {1280, "count", "1280"},    {7, "", "7"},
        {12, "ppm", "12 ppm"},      {NAN, "ns", "unknown"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sonde_base_format_unit(cases[i].value, cases[i].unit).text,
                            cases[i].expected);
}

static void test_locale(void **state)
{
    struct number_text text;

    (void)state;
    if (!set_comma_locale())
        skip();
    text = sonde_base_format_time(27300);
    setlocale(LC_ALL, "C");
    assert_string_equal(text.text, "27.3 µs");
}

static void test_snap(void **state)
{
    (void)state;
    assert_true(sonde_base_snap_bytes(49152) == 49152);
    assert_true(sonde_base_snap_bytes(48000) == 49152);
    assert_true(sonde_base_snap_bytes(1050000) == 1048576);
    assert_true(sonde_base_snap_bytes(1.24 * 1048576) == 1.25 * 1048576);
    assert_true(sonde_base_snap_bytes(1.95 * 1048576) == 2 * 1048576);
    assert_true(sonde_base_snap_bytes(0) == 0);
    assert_true(isnan(sonde_base_snap_bytes(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_rate_and_frequency),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_snap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
