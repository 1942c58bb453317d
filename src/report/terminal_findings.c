/* Findings beyond the levels, controls, gaps and warnings of the terminal's passport.
 *
 * A finding that several probes gave is shown once, as sonde_passport_finding() chooses.
 * Gaps that share a reason share a line, or one cause would fill the screen; where only
 * what matters is shown, reasons that differ by their figures alone are one. */
#include "report/terminal_parts.h"

#include "infer/names.h"
#include "report/sentences.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

enum findings_column {
    COLUMN_TITLE,
    COLUMN_VALUE,
    COLUMN_INTERVAL,
    COLUMN_MARK,
    COLUMN_MEANING,
    COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_TITLE] = {"", false, 2, 0},    [COLUMN_VALUE] = {"", false, 2, 0},
    [COLUMN_INTERVAL] = {"", false, 2, 2}, [COLUMN_MARK] = {"", false, 2, 1},
    [COLUMN_MEANING] = {"", false, 2, 3},
};

typedef void visit_finding(void *self, const struct passport *passport,
                           const struct finding *finding);

/* Every finding once, in the order of the probes. */
static void each_finding(const struct passport *passport, visit_finding *visit,
                         void *self)
{
    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;

        for (size_t i = 0; i < findings->count; i++) {
            const struct finding *finding = &findings->rows[i];

            if (finding->name &&
                sonde_passport_finding(passport, finding->name) == finding)
                visit(self, passport, finding);
        }
    }
}

/* --- findings --------------------------------------------------------------------------
 */

static void put_mark(struct table *table, const struct finding *finding)
{
    const char *unit = finding->unit ? finding->unit : "";

    if (finding->verdict == VERDICT_AGREES)
        sonde_report_cell(table, COLUMN_MARK, INK_GOOD "✓" INK_PLAIN " as declared");
    if (finding->verdict == VERDICT_CONTRADICTS)
        sonde_report_cell(table, COLUMN_MARK, INK_BAD "✗" INK_PLAIN " declared %s",
                          sonde_report_number(finding->declared, unit).text);
}

static const char *unit_to_show(const struct finding *finding)
{
    const struct finding_name *name = sonde_infer_name(finding->name);
    const char *unit = finding->unit ? finding->unit : "";

    return name && strcmp(unit, "ratio") == 0 ? name->unit : unit;
}

/* Left out where it says no more than the value. */
static void put_interval(struct table *table, const struct finding *finding)
{
    struct value_text range;

    if (!isfinite(finding->value) || !isfinite(finding->low) || !isfinite(finding->high))
        return;
    range = sonde_report_range(finding->low, finding->high, unit_to_show(finding));
    if (strcmp(range.text, sonde_report_value(finding).text) != 0)
        sonde_report_cell(table, COLUMN_INTERVAL, INK_DIM "%s" INK_PLAIN, range.text);
}

static void add_finding(void *self, const struct passport *passport,
                        const struct finding *finding)
{
    struct table *table = self;
    const struct finding_name *name = sonde_infer_name(finding->name);
    char title[64];

    if (!sonde_report_is_further(passport, finding) ||
        sonde_report_in_arithmetic(finding->name))
        return;
    sonde_report_row(table);
    sonde_report_cell(table, COLUMN_TITLE, "%s",
                      sonde_infer_title(finding->name, title, sizeof title));
    sonde_report_cell(table, COLUMN_VALUE, "%s", sonde_report_value(finding).text);
    put_interval(table, finding);
    put_mark(table, finding);
    if (name)
        sonde_report_cell(table, COLUMN_MEANING, INK_DIM "%s" INK_PLAIN, name->meaning);
}

static bool same_control(const struct control *a, const struct control *b)
{
    return !a->ok && !b->ok && strcmp(a->what, b->what) == 0 &&
           strcmp(a->expected, b->expected) == 0;
}

/* All failures of one experiment of a probe, in one paragraph, at the first of them. */
static void say_failure(struct canvas *canvas, const struct probe_result *probe,
                        size_t first)
{
    const struct findings *findings = &probe->findings;
    const struct control *control = &findings->controls[first];
    struct text observed = {0};

    for (size_t i = 0; i < first; i++)
        if (same_control(&findings->controls[i], control))
            return;
    for (size_t i = first; i < findings->control_count; i++)
        if (same_control(&findings->controls[i], control))
            sonde_base_text_print(&observed, "%s%s", observed.length ? "; " : "",
                                  findings->controls[i].observed);
    if (observed.failed || !observed.data)
        canvas->out->failed = true;
    else
        sonde_report_say(canvas, INK_WARN "  ? " INK_PLAIN,
                         "%s (%s): expected: %s; observed: %s", control->what,
                         probe->name, control->expected, observed.data);
    sonde_base_text_free(&observed);
}

static void say_failures(struct canvas *canvas, const struct passport *passport)
{
    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t i = 0; i < passport->probes[p].findings.control_count; i++)
            if (!passport->probes[p].findings.controls[i].ok)
                say_failure(canvas, &passport->probes[p], i);
}

/* Each experiment of a probe that failed, once, by what it was. */
static void list_failures(struct text *line, const struct passport *passport)
{
    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;

        for (size_t i = 0; i < findings->control_count; i++) {
            bool said = findings->controls[i].ok;

            for (size_t k = 0; k < i && !said; k++)
                said = same_control(&findings->controls[k], &findings->controls[i]);
            if (!said)
                sonde_base_text_print(line, "%s%s (%s)", line->length ? ", " : "",
                                      findings->controls[i].what,
                                      passport->probes[p].name);
        }
    }
}

static void say_controls(struct canvas *canvas, const struct passport *passport,
                         bool whole)
{
    size_t count = 0, good = 0;
    struct text failed = {0};

    for (size_t p = 0; p < passport->probe_count; p++) {
        const struct findings *findings = &passport->probes[p].findings;

        count += findings->control_count;
        for (size_t i = 0; i < findings->control_count; i++)
            good += findings->controls[i].ok;
    }
    if (!whole)
        list_failures(&failed, passport);
    if (count > 0)
        sonde_report_say(canvas, failed.length ? INK_WARN "? " INK_PLAIN : "  ",
                         "%zu of %zu controls held%s%s", good, count,
                         failed.length ? "; not: " : "",
                         failed.length ? failed.data : "");
    if (whole)
        say_failures(canvas, passport);
    canvas->out->failed = canvas->out->failed || failed.failed;
    sonde_base_text_free(&failed);
}

/* All of them, a line each. */
static void draw_table(struct canvas *canvas, const struct passport *passport)
{
    struct table table;

    if (sonde_report_table_open(&table, columns, COLUMN_COUNT, false) == 0) {
        each_finding(passport, add_finding, &table);
        sonde_report_table_draw(&table, canvas);
    } else {
        canvas->out->failed = true;
    }
    sonde_report_table_close(&table);
}

static void draw_findings(struct canvas *canvas, const struct vantages *vantages,
                          const struct passport *passport)
{
    struct shown_count count = {0};
    struct text body = {0};
    struct canvas inner = *canvas;
    char heading[192], more[80] = "";

    inner.out = &body;
    if (vantages->whole)
        draw_table(&inner, passport);
    else
        count = sonde_report_blocks(&inner, passport);
    say_controls(&inner, passport, vantages->whole);
    if (count.shown < count.all)
        snprintf(more, sizeof more, " (%zu of %zu; all: --verbose)", count.shown,
                 count.all);
    snprintf(heading, sizeof heading, "findings%s%s%s", vantages->count > 1 ? ", " : "",
             vantages->count > 1 ? sonde_report_vantage(passport).text : "", more);
    if (body.length) {
        sonde_report_heading(canvas, heading);
        sonde_base_text_append(canvas->out, body.data, body.length);
    }
    canvas->out->failed = canvas->out->failed || body.failed;
    sonde_base_text_free(&body);
}

void sonde_report_findings(struct canvas *canvas, const struct vantages *vantages)
{
    for (size_t i = 0; i < vantages->count; i++)
        draw_findings(canvas, vantages, &vantages->rows[i]);
}

/* --- gaps ------------------------------------------------------------------------------
 */

enum { GAPS_MAX = 512 };

struct gaps {
    const struct finding *rows[GAPS_MAX];
    size_t count;
};

static void collect_gap(void *self, const struct passport *passport,
                        const struct finding *finding)
{
    struct gaps *gaps = self;

    (void)passport;
    if (!sonde_report_known(finding) && !sonde_report_in_surface(finding->name) &&
        gaps->count < GAPS_MAX)
        gaps->rows[gaps->count++] = finding;
}

static bool is_figure(char c)
{
    return (c >= '0' && c <= '9') || c == '.';
}

/* The same words, whatever the figures between them. */
static bool same_words(const char *left, const char *right)
{
    for (;;) {
        while (is_figure(*left))
            left++;
        while (is_figure(*right))
            right++;
        if (*left != *right)
            return false;
        if (!*left)
            return true;
        left++;
        right++;
    }
}

static bool same_reason(const struct finding *a, const struct finding *b, bool exactly)
{
    const char *left = a->reason ? a->reason : "", *right = b->reason ? b->reason : "";

    return a->verdict == b->verdict &&
           (exactly ? strcmp(left, right) == 0 : same_words(left, right));
}

/* Titles of findings, in one line. */
struct titles {
    struct text text;
    size_t named, most, unnamed;
};

/* Appends a title unless the line has it: latency in ns and in cycles are one thing. */
static void add_title(struct titles *titles, const struct finding *finding)
{
    char title[64];

    sonde_infer_title(finding->name, title, sizeof title);
    if (titles->named && strstr(titles->text.data ? titles->text.data : "", title))
        return;
    if (titles->named == titles->most) {
        titles->unnamed++;
        return;
    }
    sonde_base_text_print(&titles->text, "%s%s", titles->named++ ? ", " : "", title);
}

/* A line names two of many findings: the reason must have room. */
enum { GAP_TITLES = 2 };

static void say_gap(struct sentences *sentences, size_t vantage, const struct gaps *gaps,
                    size_t first, bool whole)
{
    struct titles titles = {.most = whole ? GAPS_MAX : GAP_TITLES};
    const struct finding *finding = gaps->rows[first];
    bool unseen = finding->verdict == VERDICT_NOT_SEEN;

    for (size_t i = 0; i < first; i++)
        if (same_reason(gaps->rows[i], finding, whole))
            return;
    for (size_t i = first; i < gaps->count; i++)
        if (same_reason(gaps->rows[i], finding, whole))
            add_title(&titles, gaps->rows[i]);
    if (titles.unnamed)
        sonde_base_text_print(&titles.text, " and %zu more", titles.unnamed);
    if (titles.text.failed || !titles.text.data)
        sentences->failed = true;
    else
        sonde_report_sentence(sentences, vantage, INK_WARN "? " INK_PLAIN, "%s: %s%s",
                              titles.text.data,
                              unseen  ? "declared, but not seen: "
                              : whole ? "not measurable: "
                                      : "",
                              finding->reason ? finding->reason : "no reason was given");
    sonde_base_text_free(&titles.text);
}

static void say_probe(struct sentences *sentences, size_t vantage,
                      const struct probe_result *probe)
{
    if (probe->status == PROBE_MEASURED)
        return;
    sonde_report_sentence(sentences, vantage, INK_WARN "? " INK_PLAIN,
                          "probe %s: %s%s%s%s%s", probe->name,
                          sonde_passport_status_name(probe->status),
                          probe->reason ? ": " : "", probe->reason ? probe->reason : "",
                          probe->remedy ? "; " : "", probe->remedy ? probe->remedy : "");
}

void sonde_report_gaps(struct canvas *canvas, const struct vantages *vantages)
{
    struct sentences sentences = {.one_line = !vantages->whole};

    for (size_t v = 0; v < vantages->count; v++) {
        const struct passport *passport = &vantages->rows[v];
        struct gaps gaps = {.count = 0};

        each_finding(passport, collect_gap, &gaps);
        for (size_t i = 0; i < gaps.count; i++)
            say_gap(&sentences, v, &gaps, i, vantages->whole);
        for (size_t i = 0; i < passport->probe_count; i++)
            say_probe(&sentences, v, &passport->probes[i]);
    }
    sonde_report_sentences_draw(&sentences, vantages, "not measured", canvas);
}

/* --- warnings --------------------------------------------------------------------------
 */

void sonde_report_warnings(struct canvas *canvas, const struct vantages *vantages)
{
    struct sentences sentences = {0};

    for (size_t v = 0; v < vantages->count; v++)
        for (size_t i = 0; i < vantages->rows[v].warning_count; i++) {
            const struct warning *warning = &vantages->rows[v].warnings[i];
            const char *message = warning->message ? warning->message : warning->code;

            if (message)
                sonde_report_sentence(&sentences, v, INK_WARN "! " INK_PLAIN, "%s%s%s",
                                      message, warning->hint ? " → " : "",
                                      warning->hint ? warning->hint : "");
        }
    sonde_report_sentences_draw(&sentences, vantages, "warnings", canvas);
}
