/* A comparison as JUnit's XML, for whatever shows tests: one suite a pair of files, one
 * case a finding. A case fails where the finding got worse beyond doubt and beyond the
 * limit; it is skipped where it could not be told or one side did not measure it. */
#include "report/compare.h"

#include "report/export.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>

static bool fails(const struct compare_row *row, double percent)
{
    return row->result.outcome == COMPARE_REAL &&
           sonde_report_compare_loss(row) > percent;
}

static bool skips(const struct compare_row *row)
{
    return row->result.outcome != COMPARE_REAL && row->result.outcome != COMPARE_SAME;
}

static void put_case(const struct compare_table *table, const struct compare_row *row,
                     double percent, struct text *out)
{
    const char *kind = sonde_report_compare_kind(table, row);
    const struct comparison *result = &row->result;

    sonde_base_text_print(out, "    <testcase name=\"");
    sonde_report_put_xml(out, row->name);
    sonde_base_text_print(out, "%s", *kind ? ", " : "");
    sonde_report_put_xml(out, kind);
    sonde_base_text_print(out, "\" classname=\"sonde.compare\"");
    if (fails(row, percent))
        sonde_base_text_print(out,
                              ">\n      <failure message=\"worse by %.1f %%: %.6g is now "
                              "%.6g\"/>\n    </testcase>\n",
                              sonde_report_compare_loss(row), result->a, result->b);
    else if (skips(row)) {
        sonde_base_text_print(out, ">\n      <skipped message=\"");
        sonde_report_put_xml(out, result->outcome == COMPARE_INCONCLUSIVE && result->why
                                      ? result->why
                                  : result->outcome == COMPARE_INCONCLUSIVE
                                      ? "inconclusive"
                                      : "not measured on both sides");
        sonde_base_text_print(out, "\"/>\n    </testcase>\n");
    } else {
        sonde_base_text_print(out, "/>\n");
    }
}

static void put_suite(const struct compare_table *table, double percent, struct text *out)
{
    size_t failures = 0, skipped = 0;

    for (size_t i = 0; i < table->count; i++) {
        failures += fails(&table->rows[i], percent);
        skipped += skips(&table->rows[i]);
    }
    sonde_base_text_print(out, "  <testsuite name=\"");
    sonde_report_put_xml(out, table->a->name);
    sonde_base_text_print(out, " against ");
    sonde_report_put_xml(out, table->b->name);
    sonde_base_text_print(out, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
                          table->count, failures, skipped);
    for (size_t i = 0; i < table->count; i++)
        put_case(table, &table->rows[i], percent, out);
    if (table->conditions.length) {
        sonde_base_text_print(out, "    <system-out>different conditions (A | B):\n");
        sonde_report_put_xml_text(out, table->conditions.data);
        sonde_base_text_print(out, "    </system-out>\n");
    }
    sonde_base_text_print(out, "  </testsuite>\n");
}

int sonde_report_compare_junit(const struct compare_table *tables, size_t count,
                               double percent, struct text *out)
{
    sonde_base_text_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<testsuites>\n");
    for (size_t i = 0; i < count; i++)
        put_suite(&tables[i], percent, out);
    sonde_base_text_print(out, "</testsuites>\n");
    return out->failed ? -ENOMEM : 0;
}
