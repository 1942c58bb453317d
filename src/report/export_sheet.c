/* One value a name, for tools that take settings and no tables.
 *
 * A measured value comes before a declared one. Where the measurement is only a range, a
 * declared value inside the range is taken; otherwise the low end, which is safe: a block
 * that is too small costs little, one that does not fit costs all. Of several passports
 * (kinds of core, runs, machines) the smallest size and the largest line and page are
 * taken, so that the settings hold on all of them.
 *
 * What can fool it: a value that is safe for tiling is not the best estimate; whoever
 * wants that reads the JSON. */
#include "report/export.h"

#include "base/units.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct sheet_row rows[] = {
    {"l1d_size", "bytes", "l1d.size", {"l1d.size", NULL}, false},
    {"l1d_ways", "count", "l1d.ways", {"l1d.ways", NULL}, false},
    {"l1d_latency_ns", "ns", "l1d.latency", {NULL, NULL}, true},
    {"l1d_latency_cycles", "cycles", "l1d.latency_cycles", {NULL, NULL}, true},
    {"l2_size", "bytes", "l2.size", {"l2.size", NULL}, false},
    {"l2_ways", "count", "l2.ways", {"l2.ways", NULL}, false},
    {"l2_latency_ns", "ns", "l2.latency", {NULL, NULL}, true},
    {"l2_latency_cycles", "cycles", "l2.latency_cycles", {NULL, NULL}, true},
    {"l3_size", "bytes", "l3.size", {"l3.size", NULL}, false},
    {"l3_ways", "count", "l3.ways", {"l3.ways", NULL}, false},
    {"llc_effective", "bytes", "llc.effective", {NULL, NULL}, false},
    {"llc_latency_ns", "ns", "llc.latency", {NULL, NULL}, true},
    {"llc_latency_cycles", "cycles", "llc.latency_cycles", {NULL, NULL}, true},
    {"memory_latency_ns", "ns", "memory.latency", {NULL, NULL}, true},
    {"memory_latency_cycles", "cycles", "memory.latency_cycles", {NULL, NULL}, true},
    {"line_size", "bytes", "line.size", {"line.size", "l1d.line"}, true},
    {"sharing_granule", "bytes", "sharing.granule", {NULL, NULL}, true},
    {"page_size", "bytes", NULL, {"page.size", NULL}, true},
    {"page_granule", "bytes", "page.granule", {NULL, NULL}, false},
    {"tlb_l1_entries", "count", "tlb.l1.entries", {"dtlb.l1.entries", NULL}, false},
    {"tlb_l2_entries", "count", "tlb.l2.entries", {"tlb.l2.entries", NULL}, false},
    {"core_hz", "hz", "clock.core_hz", {NULL, NULL}, false},
};

const struct sheet_row *sonde_report_sheet(size_t *count)
{
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

const char *sonde_report_origin_name(enum export_origin origin)
{
    return origin == ORIGIN_MEASURED   ? "measured"
           : origin == ORIGIN_DECLARED ? "declared"
                                       : "unknown";
}

static struct sheet_value unknown(void)
{
    return (struct sheet_value){NAN, ORIGIN_UNKNOWN, "unknown"};
}

static struct sheet_value measured(const struct finding *finding, double value,
                                   const char *remark)
{
    struct sheet_value out = {value, ORIGIN_MEASURED, ""};

    if (isfinite(finding->confidence))
        snprintf(out.source, sizeof out.source, "measured, %.0f %% sure%s",
                 100 * finding->confidence, remark);
    else
        snprintf(out.source, sizeof out.source, "measured%s", remark);
    return out;
}

static struct sheet_value declared(const struct passport *passport,
                                   const struct sheet_row *row)
{
    for (size_t i = 0; i < 2 && row->facts[i]; i++) {
        struct declaration found =
            sonde_machine_declared(&passport->facts, row->facts[i]);
        struct sheet_value out = {found.value, ORIGIN_DECLARED, ""};

        if (!isfinite(found.value) || found.implausible || found.value <= 0)
            continue;
        snprintf(out.source, sizeof out.source, "declared by %.60s%s",
                 found.source ? found.source : "the machine",
                 found.disagreement ? "; other sources disagree" : "");
        return out;
    }
    return unknown();
}

/* What the finding gives by itself; NaN where it is only a range. */
static double settled(const struct finding *finding)
{
    if (!isfinite(finding->value))
        return NAN;
    return strcmp(finding->unit ? finding->unit : "", "bytes") == 0
               ? sonde_report_size(finding)
               : finding->value;
}

struct sheet_value sonde_report_sheet_one(const struct passport *passport,
                                          const struct sheet_row *row)
{
    const struct finding *finding =
        row->finding ? sonde_passport_finding(passport, row->finding) : NULL;
    struct sheet_value fallback = declared(passport, row);

    if (!sonde_report_known(finding) || finding->text)
        return fallback;
    if (isfinite(settled(finding)))
        return measured(finding, settled(finding), "");
    if (!isfinite(finding->low) || finding->low <= 0)
        return fallback;
    if (fallback.value >= finding->low && fallback.value <= finding->high)
        return fallback;
    return measured(finding, finding->low, ", the low end of a range");
}

struct sheet_value sonde_report_sheet_value(const struct passport_list *list,
                                            const struct sheet_row *row)
{
    struct sheet_value best = unknown();

    for (size_t i = 0; i < list->count; i++) {
        struct sheet_value one = sonde_report_sheet_one(&list->rows[i], row);

        if (isfinite(one.value) &&
            (!isfinite(best.value) ||
             (row->largest ? one.value > best.value : one.value < best.value)))
            best = one;
    }
    return best;
}

struct sheet_value sonde_report_sheet_find(const struct passport_list *list,
                                           const char *key)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].key, key) == 0)
            return sonde_report_sheet_value(list, &rows[i]);
    return unknown();
}

bool sonde_report_sheet_each(const struct passport_list *list, struct text *out,
                             void (*put)(const struct sheet_row *row,
                                         const struct sheet_value *value,
                                         struct text *out))
{
    bool any = false;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sheet_value value = sonde_report_sheet_value(list, &rows[i]);

        if (!isfinite(value.value))
            continue;
        put(&rows[i], &value, out);
        any = true;
    }
    return any;
}

struct number_text sonde_report_plain_number(double value)
{
    struct number_text out;

    if (fabs(value) >= 1e6 || value == floor(value))
        snprintf(out.text, sizeof out.text, "%.0f", fmin(fmax(value, -1e18), 1e18));
    else if (fabs(value) >= 1e-4)
        snprintf(out.text, sizeof out.text, "%.6g", value);
    else
        snprintf(out.text, sizeof out.text, "%.9f", value);
    return out;
}
