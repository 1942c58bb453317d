/* Messages: the code passes through, the text stays on one line and within its bounds. */
#include "support.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>

static void test_code_and_text(void **state)
{
    struct message why;

    (void)state;
    assert_int_equal(sonde_base_fail(&why, -EINVAL, "CPU %d: %s", 99, "none"), -EINVAL);
    assert_string_equal(why.text, "CPU 99: none");
    assert_int_equal(sonde_base_fail(NULL, -ENOMEM, "unheard"), -ENOMEM);
}

static void test_one_line(void **state)
{
    struct message why;

    (void)state;
    sonde_base_fail(&why, -EINVAL, "a\nb\tc\r\x1b[2Jd\x7f");
    assert_string_equal(why.text, "a b c ?[2Jd?");
}

static void test_cut(void **state)
{
    struct message why;
    char text[1000];

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    sonde_base_fail(&why, -EINVAL, "%s", text);
    assert_int_equal(strlen(why.text), sizeof why.text - 1);
    assert_string_equal(why.text + sizeof why.text - 5, "x...");
    sonde_base_fail(&why, -EINVAL, "%.399s", text);
    assert_string_equal(why.text + sizeof why.text - 5, "xxxx");
}

static void test_cut_keeps_characters_whole(void **state)
{
    struct message why;
    char text[1001];

    (void)state;
    for (size_t i = 0; i < 1000; i += 2)
        memcpy(text + i, "µ", 2);
    text[1000] = '\0';
    for (int lead = 0; lead < 2; lead++) {
        const char *end;

        sonde_base_fail(&why, -EINVAL, "%.*s%s", lead, "x", text);
        end = strstr(why.text, "...");
        assert_non_null(end);
        assert_int_equal((unsigned char)end[-1], 0xb5);
    }
}

static void test_locale(void **state)
{
    struct message why;

    (void)state;
    if (!set_comma_locale())
        skip();
    sonde_base_fail(&why, -EINVAL, "%.1f", 1.5);
    setlocale(LC_ALL, "C");
    assert_string_equal(why.text, "1.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code_and_text),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_cut_keeps_characters_whole),
        cmocka_unit_test(test_locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
