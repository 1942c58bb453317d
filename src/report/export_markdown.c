/* Tables for an issue or a wiki: the levels, measured beside declared; what else was
 * found; controls that did not hold; warnings. GitHub's and CommonMark's tables.
 *
 * Words of the passport are escaped, so that neither a bar ends a cell nor a tag becomes
 * one. What is not known is left out; a level of which nothing is known has no row. */
#include "report/export_kinds.h"

#include "base/units.h"
#include "base/utf8.h"
#include "infer/names.h"
#include "report/terminal_parts.h"

#include <math.h>
#include <string.h>

static void put_word(struct text *out, const char *word)
{
    uint32_t code;
    size_t length;

    for (; word && (length = sonde_base_utf8_decode(word, &code)) > 0; word += length) {
        if (code == SONDE_NO_CODE_POINT || sonde_base_utf8_columns(code) < 0)
            sonde_base_text_print(out, "?");
        else if (code == '<' || code == '&')
            sonde_base_text_print(out, code == '<' ? "&lt;" : "&amp;");
        else if (code < 0x80 && strchr("|*_`\\[]#~", (int)code))
            sonde_base_text_print(out, "\\%c", (int)code);
        else
            sonde_base_text_append(out, word, length);
    }
}

static const char *mark(enum verdict verdict)
{
    return verdict == VERDICT_AGREES        ? "agrees"
           : verdict == VERDICT_CONTRADICTS ? "**contradicts**"
           : verdict == VERDICT_NOT_SEEN    ? "not seen"
                                            : "";
}

static const struct finding *of_level(const struct passport *passport, const char *level,
                                      const char *what)
{
    char name[48];

    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_passport_finding(passport, name);
}

static double declared_of(const struct passport *passport, const char *level,
                          const char *what)
{
    char name[48];
    struct declaration found;

    snprintf(name, sizeof name, "%s.%s", level, what);
    found = sonde_machine_declared(&passport->facts, name);
    return found.implausible ? NAN : found.value;
}

static void put_value(struct text *out, const struct finding *finding)
{
    if (sonde_report_known(finding))
        put_word(out, sonde_report_value(finding).text);
    sonde_base_text_print(out, " | ");
}

static void put_declared(struct text *out, double size, double ways)
{
    if (isfinite(size))
        sonde_base_text_print(out, "%s", sonde_report_number(size, "bytes").text);
    if (isfinite(ways))
        sonde_base_text_print(out, "%s%.0f-way", isfinite(size) ? ", " : "", ways);
    sonde_base_text_print(out, " | ");
}

/* What is declared of the last level stands beside what was measured of it: the deepest
 * declared level, unless it was measured under its own name. NULL: none. */
static const char *declared_last(const struct passport *passport)
{
    static const char *const names[] = {"l4", "l3", "l2"};

    if (!of_level(passport, "llc", "latency"))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (isfinite(declared_of(passport, names[i], "size")))
            return of_level(passport, names[i], "latency") ? NULL : names[i];
    return NULL;
}

static void put_level(struct text *out, const struct passport *passport,
                      const char *level)
{
    const struct finding *size =
        of_level(passport, level, strcmp(level, "llc") ? "size" : "effective");
    const struct finding *latency = of_level(passport, level, "latency");
    const char *last = declared_last(passport);
    const char *by = strcmp(level, "llc") == 0 && last ? last : level;
    double declared = declared_of(passport, by, "size");
    double ways = declared_of(passport, by, "ways");
    char title[16];

    if (last && strcmp(level, last) == 0)
        return;
    if (!size && !latency && !isfinite(declared) && !isfinite(ways))
        return;
    sonde_base_text_print(
        out, "| %s | ",
        sonde_infer_level_title(level, strlen(level), title, sizeof title));
    put_value(out, size);
    put_value(out, of_level(passport, level, "ways"));
    put_declared(out, declared, ways);
    sonde_base_text_print(out, "%s | ", size ? mark(size->verdict) : "");
    put_value(out, latency);
    put_value(out, of_level(passport, level, "latency_cycles"));
    out->length--; /* the space behind the last bar */
    sonde_base_text_print(out, "\n");
}

static void put_levels(struct text *out, const struct passport *passport)
{
    static const char *const levels[] = {"l1d", "l2", "l3", "l4", "llc", "memory"};

    sonde_base_text_print(
        out, "| level | size, measured | ways, measured | declared | verdict | latency | "
             "cycles |\n|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        put_level(out, passport, levels[i]);
    sonde_base_text_print(out, "\n");
}

static void put_finding(struct text *out, const struct finding *finding,
                        const char *probe)
{
    char title[96];
    const struct finding_name *name = sonde_infer_name(finding->name);
    const char *unit = name && strcmp(finding->unit ? finding->unit : "", "ratio") == 0
                           ? name->unit
                       : finding->unit ? finding->unit
                                       : "";

    sonde_base_text_print(out, "| ");
    put_word(out, sonde_infer_title(finding->name, title, sizeof title));
    sonde_base_text_print(out, " | ");
    put_value(out, finding);
    if (isfinite(finding->low) && isfinite(finding->high) && !finding->text)
        put_word(out, sonde_report_range(finding->low, finding->high, unit).text);
    sonde_base_text_print(out, " | ");
    if (isfinite(finding->declared))
        put_word(out, sonde_report_number(finding->declared, unit).text);
    sonde_base_text_print(out, " | ");
    put_word(out, probe);
    sonde_base_text_print(out, " |\n");
}

static void put_findings(struct text *out, const struct passport *passport)
{
    sonde_base_text_print(out, "| finding | measured | interval | declared | probe |\n"
                               "|---|---|---|---|---|\n");
    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;

        for (size_t i = 0; i < findings->count; i++)
            if (sonde_report_known(&findings->rows[i]) &&
                !sonde_report_of_level(findings->rows[i].name))
                put_finding(out, &findings->rows[i], passport->probes[p].name);
    }
    sonde_base_text_print(out, "\n");
}

static void put_gaps(struct text *out, const struct passport *passport)
{
    char title[96];

    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;

        for (size_t i = 0; i < findings->count; i++) {
            const struct finding *finding = &findings->rows[i];

            if (sonde_report_known(finding))
                continue;
            sonde_base_text_print(out, "* ");
            put_word(out, sonde_infer_title(finding->name, title, sizeof title));
            sonde_base_text_print(out, ": not measured: ");
            put_word(out, finding->reason ? finding->reason : "no reason given");
            sonde_base_text_print(out, "\n");
        }
        for (size_t i = 0; i < findings->control_count; i++) {
            const struct control *control = &findings->controls[i];

            if (control->ok)
                continue;
            sonde_base_text_print(out, "* control of %s that did not hold: ",
                                  passport->probes[p].name ? passport->probes[p].name
                                                           : "?");
            put_word(out, control->what);
            sonde_base_text_print(out, ": ");
            put_word(out, control->observed);
            sonde_base_text_print(out, "\n");
        }
    }
    for (size_t i = 0; i < passport->warning_count; i++) {
        sonde_base_text_print(out, "* warning: ");
        put_word(out, passport->warnings[i].message);
        sonde_base_text_print(out, "\n");
    }
}

static void put_line(struct text *out, const char *what, const char *word)
{
    if (!word)
        return;
    sonde_base_text_print(out, "* %s: ", what);
    put_word(out, word);
    sonde_base_text_print(out, "\n");
}

static void put_head(struct text *out, const struct passport *passport)
{
    const struct passport_environment *environment = &passport->environment;

    sonde_base_text_print(out, "## ");
    put_word(out, passport->machine.model ? passport->machine.model : "machine unknown");
    if (passport->vantage.kind) {
        sonde_base_text_print(out, ", ");
        put_word(out, passport->vantage.kind);
    }
    sonde_base_text_print(out, "\n\n");
    put_line(out, "sonde", passport->tool.version);
    put_line(out, "date", passport->machine.date);
    put_line(out, "kernel", passport->machine.kernel);
    put_line(out, "virtual machine", environment->virtualization);
    put_line(out, "emulated", environment->emulation);
    put_line(out, "pages", environment->pages);
    if (isfinite(environment->core_hz))
        put_line(out, "core clock, measured",
                 sonde_report_number(environment->core_hz, "hz").text);
    if (isfinite(environment->lost_share))
        put_line(out, "time lost to others",
                 sonde_report_number(environment->lost_share, "share").text);
    sonde_base_text_print(out, "\n");
}

int sonde_report_export_markdown(const struct passport_list *list, struct text *out,
                                 struct message *why)
{
    for (size_t i = 0; i < list->count; i++) {
        put_head(out, &list->rows[i]);
        put_levels(out, &list->rows[i]);
        put_findings(out, &list->rows[i]);
        put_gaps(out, &list->rows[i]);
        sonde_base_text_print(out, i + 1 < list->count ? "\n" : "");
    }
    return sonde_report_export_end(out, list->count > 0, "a page", why);
}
