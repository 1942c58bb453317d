/* The list of facts and the consensus over witnesses, on rows made by hand. */
#include "machine/machine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void add(struct facts *facts, const char *source, const char *witness,
                double value)
{
    assert_non_null(
        sonde_machine_fact_number(facts, "l3.size", source, witness, "bytes", value));
}

static void nobody_declares(void **state)
{
    (void)state;
    struct facts facts = {0};
    struct declaration d = sonde_machine_declared(&facts, "l3.size");
    assert_true(isnan(d.value));
    assert_null(d.source);
    assert_int_equal(d.witnesses, 0);
    assert_false(d.disagreement || d.implausible);
    assert_non_null(sonde_machine_fact_unknown(&facts, "l3.size", "sysfs", "cpuid",
                                               "bytes", "declared as 0"));
    d = sonde_machine_declared(&facts, "l3.size");
    assert_true(isnan(d.value));
    sonde_machine_facts_free(&facts);
    assert_int_equal(facts.count, 0);
}

static void one_witness_counts_once(void **state)
{
    (void)state;
    struct facts facts = {0};
    add(&facts, "firmware table", "firmware", 8);
    add(&facts, "sysfs", "cpuid", 32);
    add(&facts, "sysconf", "cpuid", 32);
    add(&facts, "hwloc", "cpuid", 32);
    struct declaration d = sonde_machine_declared(&facts, "l3.size");
    assert_int_equal(d.witnesses, 1);
    assert_true(d.value == 8); /* a tie of one against one: the earlier row */
    assert_string_equal(d.source, "firmware table");
    assert_true(d.disagreement);
    sonde_machine_facts_free(&facts);
}

static void more_witnesses_win(void **state)
{
    (void)state;
    struct facts facts = {0};
    add(&facts, "a", "one", 8);
    add(&facts, "b", "two", 32);
    add(&facts, "c", "three", 32);
    struct declaration d = sonde_machine_declared(&facts, "l3.size");
    assert_true(d.value == 32);
    assert_int_equal(d.witnesses, 2);
    assert_string_equal(d.source, "b");
    assert_true(d.disagreement);
    sonde_machine_facts_free(&facts);
}

static void implausible_is_left_out(void **state)
{
    (void)state;
    struct facts facts = {0};
    add(&facts, "a", "one", 512);
    add(&facts, "b", "two", 512);
    add(&facts, "c", "three", 32);
    sonde_machine_fact_doubt(&facts.rows[0], "too large");
    sonde_machine_fact_doubt(&facts.rows[1], "too large");
    struct declaration d = sonde_machine_declared(&facts, "l3.size");
    assert_true(d.value == 32);
    assert_false(d.disagreement);
    assert_false(d.implausible);
    sonde_machine_fact_doubt(&facts.rows[2], "too small");
    assert_string_equal(facts.rows[2].note, "too small");
    d = sonde_machine_declared(&facts, "l3.size");
    assert_true(d.implausible);
    assert_true(d.value == 512);
    assert_int_equal(d.witnesses, 0);
    sonde_machine_facts_free(&facts);
}

static void not_a_number_is_unknown(void **state)
{
    (void)state;
    struct facts facts = {0};
    add(&facts, "a", "one", NAN);
    add(&facts, "b", "two", INFINITY);
    assert_int_equal(facts.rows[0].status, FACT_UNKNOWN);
    assert_int_equal(facts.rows[1].status, FACT_UNKNOWN);
    assert_true(isnan(facts.rows[1].value));
    const struct fact *empty =
        sonde_machine_fact_text(&facts, "cpu.model", "cpuinfo", "kernel", "");
    assert_int_equal(empty->status, FACT_UNKNOWN);
    sonde_machine_facts_free(&facts);
}

static void many_rows(void **state)
{
    (void)state;
    struct facts facts = {0};
    for (int i = 0; i < 1000; i++)
        add(&facts, "a", "one", i);
    assert_int_equal(facts.count, 1000);
    assert_true(sonde_machine_declared(&facts, "l3.size").value == 0);
    sonde_machine_facts_free(&facts);
}

static void live_machine(void **state)
{
    (void)state;
    struct machine machine;
    struct facts facts = {0};
    struct message why;
    assert_int_equal(sonde_machine_open(&machine, NULL, &why), 0);
    int cpu = sonde_base_cpulist_next(&machine.allowed, 0);
    assert_true(cpu >= 0);
    assert_true(machine.kind_count >= 1);
    assert_true(machine.page_bytes >= 1024);
    struct cpulist before = {0}, after = {0};
    assert_int_equal(sonde_machine_affinity_get(&before), 0);
    assert_int_equal(sonde_machine_collect(&machine, (unsigned)cpu, &facts), 0);
    assert_int_equal(sonde_machine_affinity_get(&after), 0);
    assert_true(sonde_base_cpulist_equal(&before, &after));
    assert_true(facts.count > 20);
    for (size_t i = 0; i < facts.count; i++) {
        const struct fact *fact = &facts.rows[i];
        assert_true(fact->status != FACT_KNOWN || fact->text || isfinite(fact->value));
        assert_true(fact->status != FACT_IMPLAUSIBLE || fact->note);
    }
    double allowed = sonde_machine_memory_allowed(&machine);
    assert_true(allowed >= 0);
    assert_true(isnan(machine.memory_granted) || allowed <= machine.memory_granted / 4);
    sonde_base_cpulist_free(&before);
    sonde_base_cpulist_free(&after);
    sonde_machine_facts_free(&facts);
    sonde_machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_declares),
        cmocka_unit_test(one_witness_counts_once),
        cmocka_unit_test(more_witnesses_win),
        cmocka_unit_test(implausible_is_left_out),
        cmocka_unit_test(not_a_number_is_unknown),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(live_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
