/* Titles of findings: the first row that fits, the level for the star, the name itself
 * where no row fits. */
#include "support.h"

#include "infer/names.h"

#include <string.h>

static void expect(const char *name, const char *title)
{
    char out[64];

    assert_string_equal(sonde_infer_title(name, out, sizeof out), title);
}

static void test_titles(void **state)
{
    (void)state;
    expect("l1d.size", "L1d size");
    expect("l2.latency_cycles", "L2 latency");
    expect("llc.latency", "LLC latency");
    expect("llc.effective", "LLC effective size");
    expect("memory.latency", "memory latency");
    expect("clock.step", "clock step");
    expect("mountain.cliffs.64", "cliffs at stride 64");
    expect("history.btb.32", "branches 32 bytes apart");
    expect("arith.fma32.v256.throughput", "256-bit float32 fused multiply-add rate");
    expect("mountain.cliffs.", "mountain.cliffs.");
    expect("mountain.cliffs.64.more", "mountain.cliffs.64.more");
    expect("no.such.finding", "no.such.finding");
    expect("size", "size");
    expect(".size", ".size");
    expect("", "");
}

static void test_cut(void **state)
{
    char out[6];

    (void)state;
    assert_string_equal(sonde_infer_title("l1d.latency", out, sizeof out), "L1d l");
}

/* Every row can be reached: none stands behind a wider one. */
static void test_reachable(void **state)
{
    size_t count;
    const struct finding_name *names = sonde_infer_names(&count);
    char name[64];

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const char *star = strchr(names[i].pattern, '*');
        int before =
            (int)(star ? (size_t)(star - names[i].pattern) : strlen(names[i].pattern));

        snprintf(name, sizeof name, "%.*s%s%s", before, names[i].pattern,
                 star ? "l9" : "", star ? star + 1 : "");
        assert_ptr_equal(sonde_infer_name(name), &names[i]);
        assert_true(strlen(names[i].meaning) > 0);
        assert_true(names[i].meaning[strlen(names[i].meaning) - 1] != '.');
    }
}

/* A brief title stands beside a value in a cell of 33 columns. */
static void test_brief(void **state)
{
    size_t count, brief = 0;
    const struct finding_name *names = sonde_infer_names(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        if (names[i].brief) {
            brief++;
            assert_in_range(strlen(names[i].brief), 1, 24);
            assert_null(strchr(names[i].brief, '*'));
        }
    assert_in_range(brief, 20, count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_reachable),
        cmocka_unit_test(test_brief),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
