/* The table of levels: measured beside declared, and a bar for what an access costs.
 *
 *   level  measured         declared                 latency  × L1
 *   L1d    48 KiB   12-way  48 KiB   12-way  ✓   4.00 cyc  1.08 ns   1.0  ▏
 *
 * Bars are drawn on a logarithmic scale, or all but the last would be nothing. Kinds of
 * core stand below each other within a level, so that they compare. What can fool it:
 * nothing is judged here; marks are the verdicts of the findings. */
#include "report/terminal_parts.h"

#include "infer/names.h"
#include "report/sentences.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

enum levels_column {
    COLUMN_LEVEL,
    COLUMN_KIND,
    COLUMN_SIZE,
    COLUMN_WAYS,
    COLUMN_DECLARED,
    COLUMN_DECLARED_WAYS,
    COLUMN_MARK,
    COLUMN_CYCLES,
    COLUMN_TIME,
    COLUMN_RATIO,
    COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
    [COLUMN_LEVEL] = {"level", false, 0, 0},
    [COLUMN_KIND] = {"core", false, 2, 0},
    [COLUMN_SIZE] = {"measured", false, 2, 0},
    [COLUMN_WAYS] = {"", false, 1, 3},
    [COLUMN_DECLARED] = {"declared", false, 2, 1},
    [COLUMN_DECLARED_WAYS] = {"", false, 1, 4},
    [COLUMN_MARK] = {"", false, 1, 0},
    [COLUMN_CYCLES] = {"", true, 2, 2},
    [COLUMN_TIME] = {"latency", true, 2, 0},
    [COLUMN_RATIO] = {"× L1", true, 2, 5},
};

static const char *const levels[] = {"l1d", "l2", "l3", "l4", "llc", "memory"};
enum { LEVEL_COUNT = sizeof levels / sizeof levels[0] };

/* The finding of a level, "l2" and "ways"; NULL: none. */
static const struct finding *get(const struct passport *passport, const char *level,
                                 const char *what)
{
    char name[64];

    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_passport_finding(passport, name);
}

static const struct finding *size_of(const struct passport *passport, const char *level)
{
    return get(passport, level, strcmp(level, "llc") == 0 ? "effective" : "size");
}

static bool has_level(const struct passport *passport, const char *level)
{
    static const char *const parts[] = {"size", "ways", "latency", "effective",
                                        "latency_cycles"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (get(passport, level, parts[i]))
            return true;
    return false;
}

/* --- declared --------------------------------------------------------------------------
 */

/* What the machine declares of a level; the last level is its highest declared one above
 * the private ones. */
static struct declaration declared(const struct passport *passport, const char *level,
                                   const char *what)
{
    const struct facts *facts = &passport->facts;
    struct declaration none = {.value = NAN};
    char name[64];

    if (strcmp(level, "memory") == 0)
        return none;
    if (strcmp(level, "llc") == 0) {
        none = sonde_machine_declared(facts, "l4.size");
        level = isfinite(none.value) ? "l4" : "l3";
    }
    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_machine_declared(facts, name);
}

static void declare(struct table *table, const struct passport *passport,
                    const char *level)
{
    struct declaration size = declared(passport, level, "size");
    struct declaration ways = declared(passport, level, "ways");
    double installed = passport->machine.memory_installed;

    if (strcmp(level, "memory") == 0 && isfinite(installed))
        sonde_report_cell(table, COLUMN_DECLARED, "%s",
                          sonde_report_number(installed, "bytes").text);
    if (isfinite(size.value))
        sonde_report_cell(table, COLUMN_DECLARED, "%s%s",
                          sonde_report_number(size.value, "bytes").text,
                          size.implausible ? " ?" : "");
    if (isfinite(ways.value) && !ways.implausible)
        sonde_report_cell(table, COLUMN_DECLARED_WAYS, "%s-way",
                          sonde_report_number(ways.value, "count").text);
}

/* --- measured --------------------------------------------------------------------------
 */

static const char *mark_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_AGREES:
        return INK_GOOD "✓" INK_PLAIN;
    case VERDICT_CONTRADICTS:
        return INK_BAD "✗" INK_PLAIN;
    case VERDICT_NOT_SEEN:
    case VERDICT_NOT_MEASURABLE:
        return INK_WARN "?" INK_PLAIN;
    case VERDICT_UNDECLARED:
        break;
    }
    return "";
}

/* The graver of two verdicts: a contradiction, then what is open, then agreement. */
static enum verdict graver(enum verdict a, enum verdict b)
{
    static const int weight[] = {
        [VERDICT_UNDECLARED] = 0, [VERDICT_AGREES] = 1,      [VERDICT_NOT_MEASURABLE] = 2,
        [VERDICT_NOT_SEEN] = 3,   [VERDICT_CONTRADICTS] = 4,
    };

    return weight[a] >= weight[b] ? a : b;
}

static enum verdict verdict_of(const struct passport *passport, const char *level)
{
    const struct finding *size = size_of(passport, level);
    const struct finding *ways = get(passport, level, "ways");
    enum verdict verdict = size ? size->verdict : VERDICT_UNDECLARED;

    return ways ? graver(verdict, ways->verdict) : verdict;
}

static void measure(struct table *table, const struct passport *passport,
                    const char *level)
{
    const struct finding *size = size_of(passport, level);
    const struct finding *ways = get(passport, level, "ways");

    if (size)
        sonde_report_cell(table, COLUMN_SIZE, "%s%s%s",
                          sonde_report_known(size) ? "" : INK_DIM,
                          sonde_report_value(size).text, INK_PLAIN);
    if (sonde_report_known(ways))
        sonde_report_cell(table, COLUMN_WAYS, "%s-way", sonde_report_value(ways).text);
    else if (strcmp(level, "llc") == 0 && sonde_report_known(size))
        sonde_report_cell(table, COLUMN_WAYS, "(share)");
    sonde_report_cell(table, COLUMN_MARK, "%s", mark_of(verdict_of(passport, level)));
}

/* --- latency ---------------------------------------------------------------------------
 */

/* In cycles where those are known, else in time; NaN: neither. */
static double cost_of(const struct passport *passport, const char *level)
{
    const struct finding *cycles = get(passport, level, "latency_cycles");
    const struct finding *time = get(passport, level, "latency");

    if (sonde_report_known(cycles))
        return cycles->value;
    return sonde_report_known(time) ? time->value : NAN;
}

/* The largest cost over the first level's, of all passports: where bars end. */
static double largest_ratio(const struct vantages *vantages)
{
    double largest = NAN;

    for (size_t i = 0; i < vantages->count; i++)
        for (unsigned level = 0; level < LEVEL_COUNT; level++)
            largest = fmax(largest, cost_of(&vantages->rows[i], levels[level]) /
                                        cost_of(&vantages->rows[i], "l1d"));
    return largest;
}

static void put_latency(struct table *table, enum levels_column column,
                        const struct finding *finding)
{
    if (sonde_report_known(finding))
        sonde_report_cell(table, column, "%s", sonde_report_value(finding).text);
    else if (finding && column == COLUMN_TIME)
        sonde_report_cell(table, column, INK_DIM "?" INK_PLAIN);
}

static void time_level(struct table *table, const struct passport *passport,
                       const char *level, double largest)
{
    double ratio = cost_of(passport, level) / cost_of(passport, "l1d");

    put_latency(table, COLUMN_CYCLES, get(passport, level, "latency_cycles"));
    put_latency(table, COLUMN_TIME, get(passport, level, "latency"));
    if (!(ratio > 0))
        return;
    if (ratio < 9.95)
        sonde_report_cell(table, COLUMN_RATIO, "%d.%d", (int)(round(ratio * 10) / 10),
                          (int)lround(ratio * 10) % 10);
    else
        sonde_report_cell(table, COLUMN_RATIO, "%.0f", ratio);
    /* One octave is given to the first level, whose logarithm would leave it no bar. */
    if (largest >= 1)
        sonde_report_bar(table, log2(2 * fmax(ratio, 1)) / log2(2 * largest));
}

/* --- rows ------------------------------------------------------------------------------
 */

/* A level with findings, or one that is declared while others were measured. */
static bool shown(const struct vantages *vantages, const char *level)
{
    for (size_t i = 0; i < vantages->count; i++) {
        const struct passport *passport = &vantages->rows[i];
        bool last = strcmp(level, "llc") == 0;
        bool private = strcmp(level, "l1d") == 0 || strcmp(level, "l2") == 0;

        if (has_level(passport, level))
            return true;
        if ((last && !has_level(passport, "l3")) || private)
            if (isfinite(declared(passport, level, "size").value))
                return true;
    }
    return false;
}

static bool measured_any(const struct vantages *vantages)
{
    for (size_t i = 0; i < vantages->count; i++)
        for (unsigned level = 0; level < LEVEL_COUNT; level++)
            if (has_level(&vantages->rows[i], levels[level]))
                return true;
    return false;
}

static void add_level(struct table *table, const struct vantages *vantages,
                      const char *level, double largest)
{
    for (size_t i = 0; i < vantages->count; i++) {
        const struct passport *passport = &vantages->rows[i];
        char title[24];

        sonde_report_row(table);
        if (i == 0)
            sonde_report_cell(
                table, COLUMN_LEVEL, "%s",
                sonde_infer_level_title(level, strlen(level), title, sizeof title));
        if (vantages->count > 1)
            sonde_report_cell(table, COLUMN_KIND, "%.16s",
                              passport->vantage.kind ? passport->vantage.kind : "");
        measure(table, passport, level);
        declare(table, passport, level);
        time_level(table, passport, level, largest);
    }
}

/* --- below the table -------------------------------------------------------------------
 */

/* Which marks occur, explained in one line. */
static void explain_marks(struct canvas *canvas, const struct vantages *vantages)
{
    bool seen[VERDICT_NOT_MEASURABLE + 1] = {false};
    struct text line = {0};

    for (size_t i = 0; i < vantages->count; i++)
        for (unsigned level = 0; level < LEVEL_COUNT; level++)
            seen[verdict_of(&vantages->rows[i], levels[level])] = true;
    if (seen[VERDICT_AGREES])
        sonde_base_text_print(&line, "; ✓ as declared");
    if (seen[VERDICT_CONTRADICTS])
        sonde_base_text_print(&line, "; ✗ contradicts what is declared");
    if (seen[VERDICT_NOT_SEEN] || seen[VERDICT_NOT_MEASURABLE])
        sonde_base_text_print(&line, "; ? open, see below");
    if (line.failed)
        canvas->out->failed = true;
    else if (line.data)
        sonde_report_say(canvas, "", INK_DIM "%s" INK_PLAIN, line.data + 2);
    sonde_base_text_free(&line);
}

/* Declared sizes that the sources dispute, or that cannot be. */
static void explain_declared(struct sentences *sentences, size_t vantage,
                             const struct passport *passport, const char *level)
{
    struct declaration size = declared(passport, level, "size");
    char title[24];

    sonde_infer_level_title(level, strlen(level), title, sizeof title);
    if (size.implausible)
        sonde_report_sentence(
            sentences, vantage, INK_WARN "? " INK_PLAIN,
            "%s: %s declares %s, which is not plausible; see sonde facts", title,
            size.source ? size.source : "a source",
            sonde_report_number(size.value, "bytes").text);
    else if (size.disagreement)
        sonde_report_sentence(sentences, vantage, INK_WARN "? " INK_PLAIN,
                              "%s: sources disagree on its size; see sonde facts", title);
}

static void explain(struct canvas *canvas, const struct vantages *vantages)
{
    struct sentences sentences = {0};

    for (size_t i = 0; i < vantages->count; i++)
        for (unsigned level = 0; level < LEVEL_COUNT; level++) {
            const struct passport *passport = &vantages->rows[i];

            sonde_report_contradiction(&sentences, i, size_of(passport, levels[level]));
            sonde_report_contradiction(&sentences, i,
                                       get(passport, levels[level], "ways"));
            if (shown(vantages, levels[level]))
                explain_declared(&sentences, i, passport, levels[level]);
        }
    sonde_report_sentences_draw(&sentences, vantages, NULL, canvas);
}

void sonde_report_levels(struct canvas *canvas, const struct vantages *vantages)
{
    struct table table;
    double largest = largest_ratio(vantages);

    if (!measured_any(vantages))
        return;
    if (sonde_report_table_open(&table, columns, COLUMN_COUNT, true) == 0) {
        for (unsigned level = 0; level < LEVEL_COUNT; level++)
            if (shown(vantages, levels[level]))
                add_level(&table, vantages, levels[level], largest);
        sonde_base_text_append(canvas->out, "\n", 1);
        sonde_report_table_draw(&table, canvas);
        explain_marks(canvas, vantages);
        explain(canvas, vantages);
    } else {
        canvas->out->failed = true;
    }
    sonde_report_table_close(&table);
}
