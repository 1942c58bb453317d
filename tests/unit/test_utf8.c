/* UTF-8 decoding: good sequences, every kind of bad one, and widths. */
#include "support.h"

#include "base/utf8.h"

static void decode(const char *bytes, size_t length, uint32_t code)
{
    uint32_t got;

    assert_int_equal(sonde_base_utf8_decode(bytes, &got), length);
    assert_int_equal(got, code);
}

static void test_good(void **state)
{
    (void)state;
    decode("", 0, 0);
    decode("a", 1, 'a');
    decode("\x7f", 1, 0x7f);
    decode("\xc2\x80", 2, 0x80);
    decode("\xdf\xbf", 2, 0x7ff);
    decode("\xe0\xa0\x80", 3, 0x800);
    decode("\xef\xbf\xbf", 3, 0xffff);
    decode("\xf0\x90\x80\x80", 4, 0x10000);
    decode("\xf4\x8f\xbf\xbf", 4, 0x10ffff);
}

static void test_bad(void **state)
{
    static const char *const bad[] = {
        "\x80",     /* a continuation alone */
        "\xc0\x80", /* overlong */
        "\xc1\xbf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80",     /* a surrogate */
        "\xf4\x90\x80\x80", /* above U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xc2", /* cut short */
        "\xe2\x82",
        "\xf0\x9f\x92",
        "\xe2(\xa1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        decode(bad[i], 1, SONDE_NO_CODE_POINT);
}

static void test_columns(void **state)
{
    (void)state;
    assert_int_equal(sonde_base_utf8_columns('a'), 1);
    assert_int_equal(sonde_base_utf8_columns(0xd7), 1);
    assert_int_equal(sonde_base_utf8_columns(0x2588), 1);
    assert_int_equal(sonde_base_utf8_columns(0x301), 0);
    assert_int_equal(sonde_base_utf8_columns(0x6f22), 2);
    assert_int_equal(sonde_base_utf8_columns(0x1f4a9), 2);
    assert_int_equal(sonde_base_utf8_columns(0x1b), -1);
    assert_int_equal(sonde_base_utf8_columns(0x9b), -1);
    assert_int_equal(sonde_base_utf8_columns(0x202e), -1);
    assert_int_equal(sonde_base_utf8_columns(SONDE_NO_CODE_POINT), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
