/* Findings: storage, verdicts, and the judgement against a declared value. */
#include "support.h"

#include "infer/finding.h"

#include <errno.h>
#include <math.h>

static void verdict_names(void **state)
{
    (void)state;
    for (int v = VERDICT_UNDECLARED; v <= VERDICT_NOT_MEASURABLE; v++) {
        enum verdict back;
        assert_int_equal(
            sonde_infer_verdict_parse(sonde_infer_verdict_name((enum verdict)v), &back),
            0);
        assert_int_equal(back, v);
    }
    enum verdict untouched = VERDICT_AGREES;
    assert_int_equal(sonde_infer_verdict_parse("agree", &untouched), -EINVAL);
    assert_int_equal(untouched, VERDICT_AGREES);
}

static struct finding finding(double value, double low, double high)
{
    return (struct finding){.value = value, .low = low, .high = high, .declared = NAN};
}

static enum verdict judged(struct finding finding, double declared, double tolerance)
{
    sonde_infer_judge(&finding, declared, tolerance);
    return finding.verdict;
}

static void judgement(void **state)
{
    (void)state;
    assert_int_equal(judged(finding(48, 45, 51), 48, 0), VERDICT_AGREES);
    assert_int_equal(judged(finding(48, 45, 51), 52, 0.05), VERDICT_AGREES);
    assert_int_equal(judged(finding(48, 45, 51), 52, 0), VERDICT_CONTRADICTS);
    assert_int_equal(judged(finding(48, 45, 51), NAN, 0.05), VERDICT_UNDECLARED);
    /* A range without a value is held against its ends. */
    assert_int_equal(judged(finding(NAN, 45, 51), 48, 0), VERDICT_AGREES);
    assert_int_equal(judged(finding(NAN, 45, 51), 508, 0.05), VERDICT_CONTRADICTS);
    /* A value without interval against itself. */
    assert_int_equal(judged(finding(12, NAN, NAN), 12, 0), VERDICT_AGREES);
    assert_int_equal(judged(finding(12, NAN, NAN), 8, 0.05), VERDICT_CONTRADICTS);
    struct finding unknown = finding(NAN, NAN, NAN);
    unknown.verdict = VERDICT_NOT_MEASURABLE;
    assert_int_equal(judged(unknown, 48, 0.05), VERDICT_NOT_MEASURABLE);
}

static void storage(void **state)
{
    (void)state;
    struct findings findings = {0};
    for (int i = 0; i < 40; i++)
        assert_non_null(sonde_infer_find(&findings, i ? "other" : "l1d.size", "bytes", i,
                                         i, i, 1, "by hand"));
    struct finding *lost =
        sonde_infer_give_up(&findings, "memory.latency", "ns", "ends at %d KiB", 64);
    assert_int_equal(lost->verdict, VERDICT_NOT_MEASURABLE);
    assert_string_equal(lost->reason, "ends at 64 KiB");
    assert_true(isnan(lost->value) && isnan(lost->confidence));
    sonde_infer_explain(lost, "now %s", "otherwise");
    assert_string_equal(lost->reason, "now otherwise");
    assert_non_null(
        sonde_infer_control(&findings, false, "what", "expected", "%.1f", 2.5));
    assert_string_equal(findings.controls[0].observed, "2.5");
    assert_false(findings.controls[0].ok);
    const struct finding *first = sonde_infer_finding_get(&findings, "l1d.size");
    assert_ptr_equal(first, &findings.rows[0]);
    assert_null(sonde_infer_finding_get(&findings, "absent"));
    sonde_infer_findings_free(&findings);
    assert_int_equal(findings.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict_names),
        cmocka_unit_test(judgement),
        cmocka_unit_test(storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
