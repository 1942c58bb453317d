/* A comparison on the terminal: conditions that differ, then differences that count, what
 * looks like one, what only one side has; of all the rest, what would have been seen. */
#include "report/compare.h"

#include "infer/names.h"
#include "report/table.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column { FINDING, SIDE_A, SIDE_B, CHANGE, INTERVAL, SHIFT, NOISE, SEEN, MARK };
static const struct table_column columns[] = {
    [FINDING] = {"finding", false, 0, 0},
    [SIDE_A] = {"A", true, 2, 0},
    [SIDE_B] = {"B", true, 2, 0},
    [CHANGE] = {"change", true, 2, 0},
    [INTERVAL] = {"interval", true, 2, 2},
    [SHIFT] = {"shift", true, 2, 5},
    [NOISE] = {"own noise", true, 2, 4},
    [SEEN] = {"visible from", true, 2, 3},
    [MARK] = {"", false, 2, 0},
};

/* Of a finding that is no number, as much as leaves both sides room. */
enum { TEXT_WIDE = 20 };

struct change_text {
    char text[48];
};

/* "+12 %" of a ratio; factors from 3 on read better as such. */
static struct change_text change_of(double ratio)
{
    struct change_text out = {"?"};
    double percent = 100 * (ratio - 1);

    if (!isfinite(ratio))
        return out;
    if (ratio >= 3)
        snprintf(out.text, sizeof out.text, "%s×",
                 sonde_base_format_number(ratio, 2).text);
    else
        snprintf(out.text, sizeof out.text, "%+.*f" GLUE "%%", fabs(percent) < 10 ? 1 : 0,
                 fabs(percent) < 0.05 ? 0 : percent);
    return out;
}

static struct value_text side_text(double value, const char *text, const char *unit)
{
    struct value_text out = {""};
    struct text cut = {0};

    if (isfinite(value))
        return sonde_report_number(value, unit);
    sonde_report_cut(&cut, text ? text : "not measured", TEXT_WIDE);
    if (cut.data && !cut.failed)
        snprintf(out.text, sizeof out.text, "%s", cut.data);
    sonde_base_text_free(&cut);
    return out;
}

static const char *shown_unit(const struct compare_row *row)
{
    const struct finding_name *name = sonde_infer_name(row->name);

    return name && strcmp(row->unit, "ratio") == 0 ? name->unit : row->unit;
}

static void put_ink(struct value_text *out, const struct compare_row *row)
{
    const char *ink = INK_PLAIN, *word = "";
    double loss = sonde_report_compare_loss(row);

    if (row->result.outcome == COMPARE_REAL) {
        ink = row->better == BETTER_NEITHER || !isfinite(row->result.ratio) ? INK_WARN
              : loss > 0                                                    ? INK_BAD
                                                                            : INK_GOOD;
        word = row->better == BETTER_NEITHER || !isfinite(row->result.ratio) ? "different"
               : loss > 0                                                    ? "worse"
                                                                             : "better";
    }
    snprintf(out->text, sizeof out->text, "%s%s" INK_PLAIN, ink, word);
}

static void put_title(struct table *table, const struct compare_row *row,
                      const char *kind)
{
    char title[96];

    sonde_infer_title(row->name, title, sizeof title);
    sonde_report_cell(table, FINDING, "%s%s%s", title, *kind ? ", " : "", kind);
}

static void put_row(struct table *table, const struct compare_row *row, const char *kind)
{
    const struct comparison *result = &row->result;
    struct value_text mark;

    sonde_report_row(table);
    put_title(table, row, kind);
    sonde_report_cell(table, SIDE_A, "%s",
                      side_text(result->a, row->text_a, shown_unit(row)).text);
    sonde_report_cell(table, SIDE_B, "%s",
                      side_text(result->b, row->text_b, shown_unit(row)).text);
    put_ink(&mark, row);
    sonde_report_cell(table, MARK, "%s", mark.text);
    if (!isfinite(result->ratio))
        return;
    sonde_report_cell(table, CHANGE, "%s", change_of(result->ratio).text);
    if (isnan(result->p))
        return;
    sonde_report_cell(table, INTERVAL, "%s…%s", change_of(result->low).text,
                      change_of(result->high).text);
    sonde_report_cell(table, SHIFT, "%s", change_of(result->shift).text);
    if (isfinite(result->noise))
        sonde_report_cell(table, NOISE, "±%s", change_of(exp(result->noise)).text + 1);
    if (isfinite(result->detectable))
        sonde_report_cell(table, SEEN, "%s", change_of(result->detectable).text);
}

static size_t count_of(const struct compare_table *table, enum compare_outcome outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < table->count; i++)
        count += table->rows[i].result.outcome == outcome;
    return count;
}

/* The rows of one outcome under a heading; 0 or -ENOMEM. */
static int draw_outcome(const struct compare_table *all, enum compare_outcome outcome,
                        const char *heading, struct canvas *canvas)
{
    struct table table;
    int error = 0;

    if (!count_of(all, outcome))
        return 0;
    error = sonde_report_table_open(&table, columns, sizeof columns / sizeof columns[0],
                                    true);
    if (!error) {
        sonde_report_heading(canvas, heading);
        for (size_t i = 0; i < all->count; i++)
            if (all->rows[i].result.outcome == outcome)
                put_row(&table, &all->rows[i],
                        sonde_report_compare_kind(all, &all->rows[i]));
        sonde_report_table_draw(&table, canvas);
    }
    sonde_report_table_close(&table);
    return error;
}

static bool is_unclear(const struct compare_row *row, const char *why)
{
    return row->result.outcome == COMPARE_INCONCLUSIVE && row->result.why &&
           (!why || strcmp(row->result.why, why) == 0);
}

/* More names than these say less than their number. */
enum { NAMES_MOST = 3 };

/* Each reason once, with the findings it holds of where it does not hold of all. */
static void say_why(const struct compare_table *table, struct canvas *canvas)
{
    size_t unclear = count_of(table, COMPARE_INCONCLUSIVE);

    for (size_t i = 0; i < table->count; i++) {
        const char *why = table->rows[i].result.why;
        struct text names = {0};
        size_t said = 0, earlier = 0;

        if (!is_unclear(&table->rows[i], NULL))
            continue;
        for (size_t k = 0; k < table->count; k++) {
            if (!is_unclear(&table->rows[k], why))
                continue;
            earlier += k < i;
            if (said++ < NAMES_MOST)
                sonde_base_text_print(&names, "%s%s", names.length ? ", " : "",
                                      table->rows[k].name);
        }
        if (!earlier && said == unclear)
            sonde_report_say(canvas, "? ", "%s", why);
        else if (!earlier && said > NAMES_MOST)
            sonde_report_say(canvas, "? ", "%zu of them: %s", said, why);
        else if (!earlier && names.data && !names.failed)
            sonde_report_say(canvas, "? ", "%s: %s", names.data, why);
        canvas->out->failed = canvas->out->failed || names.failed;
        sonde_base_text_free(&names);
    }
}

/* The part of a name before its first dot: what it is a finding of. */
static size_t stem_of(const char *name)
{
    return strcspn(name, ".");
}

/* Names of that stem among the rows before `end`, of one pair of kinds. */
static size_t count_stem(const struct compare_table *table, enum compare_outcome outcome,
                         const struct compare_kinds *kinds, const char *name, size_t end)
{
    size_t count = 0, stem = stem_of(name);

    for (size_t i = 0; i < end; i++)
        count += table->rows[i].result.outcome == outcome &&
                 table->rows[i].kinds == kinds &&
                 strncmp(table->rows[i].name, name, stem + 1) == 0;
    return count;
}

/* A handful by name, more of one stem as a number. */
static void say_missing(const struct compare_table *table, enum compare_outcome outcome,
                        const char *lead, const struct compare_kinds *first,
                        struct canvas *canvas)
{
    struct text names = {0};

    for (size_t i = 0; i < table->count; i++) {
        const char *name = table->rows[i].name, *comma = names.length ? ", " : "";

        if (table->rows[i].result.outcome != outcome || table->rows[i].kinds != first)
            continue;
        if (count_stem(table, outcome, first, name, table->count) <= 3)
            sonde_base_text_print(&names, "%s%s", comma, name);
        else if (count_stem(table, outcome, first, name, i) == 0)
            sonde_base_text_print(&names, "%s%zu" GLUE "of" GLUE "%.*s", comma,
                                  count_stem(table, outcome, first, name, table->count),
                                  (int)stem_of(name), name);
    }
    if (names.data && !names.failed)
        sonde_report_say(canvas, lead, "%s", names.data);
    canvas->out->failed = canvas->out->failed || names.failed;
    sonde_base_text_free(&names);
}

static void say_all_missing(const struct compare_table *table, struct canvas *canvas)
{
    for (size_t i = 0; i < table->kind_count; i++) {
        const struct compare_kinds *kinds = &table->kinds[i];
        const char *kind = kinds->in_b && kinds->b ? kinds->b : kinds->a;

        if (table->kind_count > 1)
            sonde_report_say(canvas, "", "%s:", kind ? kind : "all cores");
        say_missing(table, COMPARE_ONLY_A, "only A has: ", kinds, canvas);
        say_missing(table, COMPARE_ONLY_B, "only B has: ", kinds, canvas);
        say_missing(table, COMPARE_NEITHER, "not measured: ", kinds, canvas);
    }
}

/* Why the side that lacks a value has none; NULL: both have one, or nobody knows. */
static const char *reason_of(const struct compare_row *row)
{
    return row->result.outcome == COMPARE_ONLY_A   ? row->reason_b
           : row->result.outcome == COMPARE_ONLY_B ? row->reason_a
                                                   : NULL;
}

static bool same_gap(const struct compare_row *a, const struct compare_row *b)
{
    return a->result.outcome == b->result.outcome && reason_of(a) && reason_of(b) &&
           strcmp(reason_of(a), reason_of(b)) == 0;
}

/* Each reason once, with all findings that lack a value for it. */
static void say_reasons(const struct compare_table *table, struct canvas *canvas)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct compare_row *row = &table->rows[i];
        struct text names = {0};
        bool said = !reason_of(row);

        for (size_t k = 0; k < i && !said; k++)
            said = same_gap(&table->rows[k], row);
        for (size_t k = i; k < table->count && !said; k++)
            if (same_gap(&table->rows[k], row))
                sonde_base_text_print(&names, "%s%s", k > i ? ", " : "",
                                      table->rows[k].name);
        if (names.data && !names.failed)
            sonde_report_say(canvas, "? ", "%s, not measured in %c: %s", names.data,
                             row->result.outcome == COMPARE_ONLY_A ? 'B' : 'A',
                             reason_of(row));
        canvas->out->failed = canvas->out->failed || names.failed;
        sonde_base_text_free(&names);
    }
}

/* Passports of the first one's kind of core. */
static size_t runs_of(const struct compare_source *side)
{
    size_t runs = 0;

    for (size_t i = 0; i < side->list.count; i++) {
        const char *first = side->list.rows[0].vantage.kind;
        const char *kind = side->list.rows[i].vantage.kind;

        runs += !first || !kind ? first == kind : strcmp(first, kind) == 0;
    }
    return runs;
}

static void name_side(const struct compare_source *side, char letter,
                      struct canvas *canvas)
{
    const struct passport *first = side->list.count ? &side->list.rows[0] : NULL;
    char lead[8];

    snprintf(lead, sizeof lead, "%c  ", letter);
    sonde_report_say(canvas, lead, "%.200s: %s%s%s, %zu %s", side->name,
                     first && first->machine.model ? first->machine.model
                                                   : "machine unknown",
                     first && first->machine.host ? ", " : "",
                     first && first->machine.host ? first->machine.host : "",
                     runs_of(side), runs_of(side) == 1 ? "run" : "runs");
}

static void say_conditions(const struct compare_table *table, struct canvas *canvas)
{
    const char *line = table->conditions.data;

    if (!line || !*line)
        return;
    sonde_report_heading(canvas, "different conditions (A | B)");
    while (*line) {
        size_t length = strcspn(line, "\n");

        sonde_report_say(canvas, "! ", "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Of what did not differ: from where on a difference would have been seen, in half of it
 * and in the worst. */
static void say_rest(const struct compare_table *table, struct canvas *canvas)
{
    size_t same = count_of(table, COMPARE_SAME), known = 0;
    double *seen = calloc(table->count + 1, sizeof *seen);
    const char *worst = "";
    char title[96];

    for (size_t i = 0; seen && i < table->count; i++) {
        const struct comparison *result = &table->rows[i].result;

        if (result->outcome != COMPARE_SAME || !isfinite(result->detectable))
            continue;
        seen[known++] = result->detectable;
        if (result->detectable >= seen[0]) {
            worst = table->rows[i].name;
            seen[known - 1] = seen[0];
            seen[0] = result->detectable;
        }
    }
    if (seen && known) {
        qsort(seen, known, sizeof *seen, ascending);
        sonde_report_say(canvas, "",
                         "%zu findings show no difference; %s would have been seen in "
                         "half of them, in %s only %s",
                         same, change_of(seen[known / 2]).text,
                         sonde_infer_title(worst, title, sizeof title),
                         change_of(seen[known - 1]).text);
    } else if (same) {
        sonde_report_say(canvas, "",
                         "%zu findings show no difference; of single runs nobody knows "
                         "from where on one would have been seen",
                         same);
    }
    canvas->out->failed = canvas->out->failed || !seen;
    free(seen);
}

int sonde_report_compare_terminal(const struct compare_table *table, bool all,
                                  const struct report_style *style, struct text *out)
{
    struct canvas canvas = sonde_report_canvas(style, out);
    size_t real = count_of(table, COMPARE_REAL);
    int error;

    name_side(table->a, 'A', &canvas);
    name_side(table->b, 'B', &canvas);
    say_conditions(table, &canvas);
    error = draw_outcome(table, COMPARE_REAL, "real differences", &canvas);
    if (!error && !real)
        sonde_report_heading(&canvas, "no real difference");
    if (!error)
        error = draw_outcome(table, COMPARE_INCONCLUSIVE,
                             "looks different, and cannot be told from chance", &canvas);
    say_why(table, &canvas);
    if (!error && all)
        error = draw_outcome(table, COMPARE_SAME, "no difference seen", &canvas);
    sonde_base_text_print(out, "\n");
    say_rest(table, &canvas);
    say_all_missing(table, &canvas);
    say_reasons(table, &canvas);
    if (error || out->failed)
        return -ENOMEM;
    return 0;
}
