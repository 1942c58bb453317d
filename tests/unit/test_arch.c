/* The contract of arch.h, as any instruction set must keep it. */
#include "support.h"

#include "arch/arch.h"
#include "arch/rows.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { ROWS = 256 };

static void test_ticks(void **state)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    uint64_t first = sonde_arch_ticks(), last;

    (void)state;
    nanosleep(&pause, NULL);
    last = sonde_arch_ticks();
    if (sonde_arch_tick_name() == NULL)
        assert_true(last == 0 && first == 0);
    else
        assert_true(last > first);
    assert_true(sonde_arch_tick_announced_hz() >= 0);
}

static void test_features(void **state)
{
    unsigned features = sonde_arch_features();

    (void)state;
    for (unsigned bit = 0; bit < 32; bit++)
        if (features >> bit & 1)
            assert_non_null(sonde_arch_feature_name(1U << bit));
    assert_null(sonde_arch_feature_name(FEATURE_NONE));
    assert_null(sonde_arch_feature_name(FEATURE_SSE2 | FEATURE_AVX2));
    assert_null(sonde_arch_feature_name(FEATURE_NEON | FEATURE_SVE));
    assert_true(features == sonde_arch_features());
}

/* Known numbers are above 0, unknown ones say why, and a row is one of number and text.
 */
static void test_identity(void **state)
{
    static struct arch_fact facts[ROWS];
    size_t count = sonde_arch_identity(facts, ROWS);

    (void)state;
    assert_true(count <= ROWS);
    for (size_t i = 0; i < count; i++) {
        const struct arch_fact *fact = &facts[i];

        assert_true(fact->name != NULL && fact->source != NULL && fact->unit != NULL);
        assert_true(isnan(fact->value) || fact->value >= 0);
        if (isnan(fact->value))
            assert_true(fact->text[0] != '\0' || fact->note != NULL);
        else
            assert_true(fact->text[0] == '\0');
        assert_non_null(memchr(fact->text, '\0', sizeof fact->text));
    }
}

static void test_identity_keeps_its_bounds(void **state)
{
    static struct arch_fact all[ROWS];
    struct arch_fact few[3];
    size_t count = sonde_arch_identity(all, ROWS);

    (void)state;
    memset(few, 0x5a, sizeof few);
    assert_int_equal(sonde_arch_identity(few, 2), count);
    for (size_t i = 0; i < sizeof few[2]; i++)
        assert_int_equal(((unsigned char *)&few[2])[i], 0x5a);
    if (count > 0)
        assert_ptr_equal(few[0].name, all[0].name);
    assert_int_equal(sonde_arch_identity(NULL, 0), count);
}

static void test_core(void **state)
{
    struct arch_core core;

    (void)state;
    memset(&core, 0x5a, sizeof core);
    sonde_arch_core(&core);
    assert_non_null(memchr(core.vendor, '\0', sizeof core.vendor));
    assert_non_null(memchr(core.kind, '\0', sizeof core.kind));
    assert_non_null(memchr(core.hypervisor, '\0', sizeof core.hypervisor));
    sonde_arch_relax();
}

static void test_cache_rows(void **state)
{
    static const struct arch_cache whole = {2, CACHE_UNIFIED, 1 << 20, 64, 16,
                                            2, NULL,          NULL};
    static const struct arch_cache none = {.level = 3, .type = CACHE_UNIFIED, .ways = 4};
    static const struct arch_cache odd = {
        .level = 1, .type = CACHE_DATA, .bytes = 32768, .ways_note = "reserved"};
    struct arch_fact facts[8];
    struct arch_rows rows = {facts, 8, 0};

    (void)state;
    sonde_arch_rows_cache(&rows, "here", &whole);
    assert_int_equal(rows.count, 4);
    assert_string_equal(facts[0].name, "l2.size");
    assert_true(facts[0].value == 1 << 20);
    assert_string_equal(facts[2].name, "l2.ways");
    assert_true(facts[2].value == 16);
    assert_string_equal(facts[3].name, "l2.shared_count");
    sonde_arch_rows_cache(&rows, "here", &none);
    assert_int_equal(rows.count, 5);
    assert_true(isnan(facts[4].value));
    assert_non_null(facts[4].note);
    sonde_arch_rows_cache(&rows, "here", &odd);
    assert_int_equal(rows.count, 8);
    assert_true(isnan(facts[6].value) && isnan(facts[7].value));
    assert_string_equal(facts[7].note, "reserved");
    assert_null(sonde_arch_cache_names(0, CACHE_DATA));
    assert_null(sonde_arch_cache_names(5, CACHE_DATA));
    assert_null(sonde_arch_cache_names(1, 4));
    assert_string_equal(sonde_arch_cache_names(1, CACHE_INSTRUCTION)->size, "l1i.size");
}

/* Counts its calls and looks at what it is given. */
struct called {
    unsigned calls, wrong;
    long returned; /* by the last call */
    long zero;
    const long *arguments;
    unsigned passed; /* so many of them must arrive */
};

static struct called *called_at(void *data, long nothing)
{
    return (struct called *)((char *)data - nothing);
}

/* `nothing` is what the first argument is more than it should be: it is 1000. */
static long note_call(void *data, long a, long b, long c, long d)
{
    const long given[4] = {a, b, c, d};
    long nothing = a - 1000;
    struct called *called = called_at(data, nothing);

    called->wrong += nothing != (called->returned & called->zero);
    for (size_t i = 0; i < called->passed; i++)
        called->wrong += given[i] != called->arguments[i] + nothing;
    called->returned = 3 * (long)called->calls + 5;
    called->calls++;
    return called->returned;
}

static void call_chained(unsigned number, unsigned passed, uint64_t count, long zero)
{
    static const long arguments[4] = {1000, -7, 1L << 40, 12};
    struct called called = {.zero = zero, .arguments = arguments};
    long last = -1;
    uint64_t total;

    called.passed = passed < 1 ? 1 : passed > 4 ? 4 : passed;
    total = sonde_arch_chain(number, passed)(note_call, &called, count, arguments, zero,
                                             &last);
    assert_int_equal(called.calls, count);
    assert_int_equal(called.wrong, 0);
    assert_true(last == called.returned);
    assert_true(total == (count ? 3 * count * (count - 1) / 2 : 0) + 5 * count);
}

/* Every call is made, with what the last one returned behind the mask. */
static void test_chained_calls(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 1000};
    static const long zeros[] = {0, 1, 6};

    (void)state;
    for (unsigned passed = 0; passed <= 5; passed++)
        for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
            for (unsigned k = 0; k < 3; k++)
                call_chained(3 * i + k, passed, counts[i], zeros[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_identity_keeps_its_bounds),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_cache_rows),
        cmocka_unit_test(test_chained_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
