/* Gauges for node-exporter's text file collector (write them there with -o, which
 * renames) and for anything else that reads Prometheus' text format or OpenMetrics.
 *
 * The two forms differ in what they allow; only gauges and comments that both take are
 * used, in base units (seconds, bytes, hertz), each family together, no sample twice.
 * sonde_finding_* is measured, with the ends of its interval as families of their own;
 * sonde_declared_* is what most witnesses declare. Unknown values have no sample. */
#include "report/export_kinds.h"

#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Units of a passport, and what metrics make of them. */
static const struct metric_unit {
    const char *unit;   /* as in a passport; NULL: any other */
    const char *suffix; /* "" : no unit in the name */
    double factor;
} units[] = {
    {"bytes", "bytes", 1}, {"ns", "seconds", 1e-9}, {"cycles", "cycles", 1},
    {"hz", "hertz", 1},    {"ratio", "ratio", 1},   {"bytes/s", "bytes_per_second", 1},
    {NULL, "value", 1},
};
enum { UNITS = sizeof units / sizeof units[0] };

static bool of_unit(const char *unit, const struct metric_unit *wanted)
{
    for (size_t i = 0; i + 1 < UNITS; i++)
        if (strcmp(unit ? unit : "", units[i].unit) == 0)
            return &units[i] == wanted;
    return !wanted->unit;
}

static void put_label(struct text *out, const char *name, const char *value)
{
    if (!value)
        return;
    sonde_base_text_print(out, "%s%s=\"", out->data[out->length - 1] == '{' ? "" : ",",
                          name);
    for (; *value; value++) {
        if (*value == '\\' || *value == '"')
            sonde_base_text_print(out, "\\%c", *value);
        else
            sonde_base_text_append(out, (unsigned char)*value < 0x20 ? " " : value, 1);
    }
    sonde_base_text_print(out, "\"");
}

/* The labels of every sample: with several passports their number keeps samples apart. */
static void put_labels(struct text *out, const struct passport_list *list, size_t index)
{
    const struct passport *passport = &list->rows[index];
    char number[24];

    sonde_base_text_print(out, "{");
    put_label(out, "host", passport->machine.host);
    if (isfinite(passport->vantage.cpu)) {
        snprintf(number, sizeof number, "%.0f", passport->vantage.cpu);
        put_label(out, "cpu", number);
    }
    put_label(out, "kind", passport->vantage.kind);
    if (list->count > 1) {
        snprintf(number, sizeof number, "%zu", index + 1);
        put_label(out, "passport", number);
    }
}

struct family {
    const char *stem; /* "sonde_finding" */
    const char *help;
    double (*value)(const struct finding *finding);
};

static double value_of(const struct finding *finding)
{
    return finding->text ? NAN : finding->value;
}

static double low_of(const struct finding *finding)
{
    return finding->text ? NAN : finding->low;
}

static double high_of(const struct finding *finding)
{
    return finding->text ? NAN : finding->high;
}

static double confidence_of(const struct finding *finding)
{
    return isfinite(finding->value) && !finding->text ? finding->confidence : NAN;
}

static void open_family(struct text *out, const char *name, const char *unit,
                        const char *help)
{
    sonde_base_text_print(out, "# TYPE %s gauge\n", name);
    if (*unit)
        sonde_base_text_print(out, "# UNIT %s %s\n", name, unit);
    sonde_base_text_print(out, "# HELP %s %s\n", name, help);
}

/* The finding is the one the passport answers with for its name: one sample a name. */
static bool speaks(const struct passport *passport, const struct finding *finding)
{
    return finding->name && finding->verdict != VERDICT_NOT_MEASURABLE &&
           sonde_passport_finding(passport, finding->name) == finding;
}

static void put_findings(struct text *out, const struct passport_list *list,
                         const struct family *family, const struct metric_unit *unit)
{
    char name[96];
    bool opened = false;

    snprintf(name, sizeof name, "%s%s%s", family->stem, unit ? "_" : "",
             unit ? unit->suffix : "");
    for (size_t i = 0; i < list->count; i++)
        for (size_t p = 0; p < list->rows[i].probe_count; p++) {
            const struct findings *findings = &list->rows[i].probes[p].findings;

            for (size_t f = 0; f < findings->count; f++) {
                const struct finding *finding = &findings->rows[f];
                double value = family->value(finding);

                if (!isfinite(value) || !speaks(&list->rows[i], finding) ||
                    (unit && !of_unit(finding->unit, unit)))
                    continue;
                if (!opened)
                    open_family(out, name, unit && unit->unit ? unit->suffix : "",
                                family->help);
                opened = true;
                sonde_base_text_print(out, "%s", name);
                put_labels(out, list, i);
                put_label(out, "name", finding->name);
                sonde_base_text_print(out, "} %.9g\n",
                                      unit ? value * unit->factor : value);
            }
        }
}

static bool first_of_name(const struct facts *facts, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(facts->rows[i].name, facts->rows[index].name) == 0)
            return false;
    return true;
}

static void put_facts(struct text *out, const struct passport_list *list,
                      const struct metric_unit *unit)
{
    char name[96];
    bool opened = false;

    snprintf(name, sizeof name, "sonde_declared_%s", unit->suffix);
    for (size_t i = 0; i < list->count; i++) {
        const struct facts *facts = &list->rows[i].facts;

        for (size_t f = 0; f < facts->count; f++) {
            const char *fact = facts->rows[f].name;
            struct declaration found;

            if (!fact || !of_unit(facts->rows[f].unit, unit) || !first_of_name(facts, f))
                continue;
            found = sonde_machine_declared(facts, fact);
            if (!isfinite(found.value) || found.implausible)
                continue;
            if (!opened)
                open_family(out, name, unit->unit ? unit->suffix : "",
                            "What the machine declares, as most witnesses put it.");
            opened = true;
            sonde_base_text_print(out, "%s", name);
            put_labels(out, list, i);
            put_label(out, "name", fact);
            put_label(out, "source", found.source);
            sonde_base_text_print(out, "} %.9g\n", found.value * unit->factor);
        }
    }
}

static void put_machines(struct text *out, const struct passport_list *list)
{
    open_family(out, "sonde_machine_info", "", "The machine and the program, always 1.");
    for (size_t i = 0; i < list->count; i++) {
        const struct passport *passport = &list->rows[i];

        sonde_base_text_print(out, "sonde_machine_info");
        put_labels(out, list, i);
        put_label(out, "model", passport->machine.model);
        put_label(out, "virtualization", passport->environment.virtualization);
        put_label(out, "emulation", passport->environment.emulation);
        put_label(out, "version", passport->tool.version);
        put_label(out, "date", passport->machine.date);
        sonde_base_text_print(out, "} 1\n");
    }
}

int sonde_report_export_openmetrics(const struct passport_list *list, struct text *out,
                                    struct message *why)
{
    static const struct family families[] = {
        {"sonde_finding", "What was measured.", value_of},
        {"sonde_finding_low", "Lower end of what was measured.", low_of},
        {"sonde_finding_high", "Upper end of what was measured.", high_of},
    };
    static const struct family confidence = {"sonde_finding_confidence_ratio",
                                             "How sure what was measured is.",
                                             confidence_of};

    if (list->count)
        put_machines(out, list);
    for (size_t k = 0; k < sizeof families / sizeof families[0]; k++)
        for (size_t u = 0; u < UNITS; u++)
            put_findings(out, list, &families[k], &units[u]);
    put_findings(out, list, &confidence, NULL);
    for (size_t u = 0; u < UNITS; u++)
        put_facts(out, list, &units[u]);
    sonde_base_text_print(out, "# EOF\n");
    return sonde_report_export_end(out, list->count > 0, "a collector", why);
}
