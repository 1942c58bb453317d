/* From two files of passports to rows of findings.
 *
 * Passports of one kind of core in a file are runs of one side. The union of all names is
 * taken: what one side did not measure stays in the table as that. Text findings (a
 * policy, a name) have no ratio; they differ when each side says one thing in all its
 * runs and the two are not the same. */
#include "report/compare.h"

#include "base/random.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sonde_report_compare_free(struct compare_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->rows[i].name);
    free(table->rows);
    free(table->kinds);
    sonde_base_text_free(&table->conditions);
    *table = (struct compare_table){0};
}

static bool same_word(const char *a, const char *b)
{
    return !a || !b ? !a && !b : strcmp(a, b) == 0;
}

/* --- kinds of core --------------------------------------------------------------------
 */

static bool has_kind(const struct compare_source *source, const char *kind)
{
    for (size_t i = 0; i < source->list.count; i++)
        if (same_word(source->list.rows[i].vantage.kind, kind))
            return true;
    return false;
}

/* Is the passport the first of its kind? */
static bool is_first(const struct compare_source *source, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_word(source->list.rows[i].vantage.kind,
                      source->list.rows[index].vantage.kind))
            return false;
    return true;
}

static size_t count_kinds(const struct compare_source *source)
{
    size_t count = 0;

    for (size_t i = 0; i < source->list.count; i++)
        count += is_first(source, i);
    return count;
}

/* Pairs the kinds of `own` with those of `other`; `swapped` when own is B. */
static void pair_kinds(struct compare_table *table, const struct compare_source *own,
                       const struct compare_source *other, bool swapped)
{
    bool single = count_kinds(other) == 1;

    for (size_t i = 0; i < own->list.count; i++) {
        const char *kind = own->list.rows[i].vantage.kind, *match = kind;
        bool has = has_kind(other, kind);
        struct compare_kinds *pair = &table->kinds[table->kind_count];

        if (!is_first(own, i) || (swapped && has))
            continue; /* of two that share a name, one pair */
        if (!has && single) {
            match = other->list.rows[0].vantage.kind;
            has = true;
            if (swapped && count_kinds(own) == 1)
                continue; /* the only kinds of both sides are paired already */
        }
        *pair = swapped ? (struct compare_kinds){has, true, match, kind}
                        : (struct compare_kinds){true, has, kind, match};
        /* What only one side has is not said of the single kind that others are held
         * against. */
        table->kind_count += has || count_kinds(own) > 1;
    }
}

static int find_kinds(struct compare_table *table)
{
    size_t most = table->a->list.count + table->b->list.count + 1;

    table->kinds = calloc(most, sizeof *table->kinds);
    if (!table->kinds)
        return -ENOMEM;
    pair_kinds(table, table->a, table->b, false);
    pair_kinds(table, table->b, table->a, true);
    return 0;
}

const char *sonde_report_compare_kind(const struct compare_table *table,
                                      const struct compare_row *row)
{
    const char *kind = row->kinds->in_b && row->kinds->b ? row->kinds->b : row->kinds->a;

    return table->kind_count > 1 && kind ? kind : "";
}

/* --- names ----------------------------------------------------------------------------
 */

static bool has_row(const struct compare_table *table, const char *name,
                    const struct compare_kinds *kinds)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].kinds == kinds && strcmp(table->rows[i].name, name) == 0)
            return true;
    return false;
}

static int add_row(struct compare_table *table, const struct finding *finding,
                   const struct compare_kinds *kinds)
{
    struct compare_row *rows = reallocarray(table->rows, table->count + 1, sizeof *rows);
    const char *unit = finding->unit ? finding->unit : "";
    char *name = sonde_base_copy(finding->name);

    if (rows)
        table->rows = rows;
    if (!rows || !name) {
        free(name);
        return -ENOMEM;
    }
    rows[table->count++] =
        (struct compare_row){.name = name,
                             .unit = unit,
                             .kinds = kinds,
                             .better = sonde_infer_better(finding->name, unit)};
    return 0;
}

/* Names in the order they are met, circumstances left out. */
static int add_names(struct compare_table *table, const struct compare_source *source,
                     const char *kind, const struct compare_kinds *kinds)
{
    int error = 0;

    for (size_t i = 0; i < source->list.count; i++) {
        const struct passport *passport = &source->list.rows[i];

        for (size_t p = 0; p < passport->probe_count; p++)
            for (size_t f = 0; f < passport->probes[p].findings.count && !error; f++) {
                const struct finding *finding = &passport->probes[p].findings.rows[f];

                if (finding->name && same_word(passport->vantage.kind, kind) &&
                    !sonde_infer_circumstance(finding->name) &&
                    !has_row(table, finding->name, kinds))
                    error = add_row(table, finding, kinds);
            }
    }
    return error;
}

static int add_all_names(struct compare_table *table)
{
    int error = find_kinds(table);

    for (size_t i = 0; i < table->kind_count && !error; i++) {
        const struct compare_kinds *kinds = &table->kinds[i];

        if (kinds->in_a)
            error = add_names(table, table->a, kinds->a, kinds);
        if (kinds->in_b && !error)
            error = add_names(table, table->b, kinds->b, kinds);
    }
    return error;
}

/* --- one finding of one side ----------------------------------------------------------
 */

struct gathered {
    struct compare_run *runs; /* owned */
    size_t count, measured;   /* runs with a number; runs with anything */
    const char *text, *reason;
    bool texts_differ;
};

static void take(struct gathered *out, const struct finding *finding)
{
    if (!finding)
        return;
    if (!sonde_report_known(finding)) {
        out->reason = finding->reason;
        return;
    }
    out->measured++;
    if (finding->text) {
        out->texts_differ =
            out->texts_differ || (out->text && strcmp(out->text, finding->text) != 0);
        out->text = finding->text;
    } else if (isfinite(finding->value)) {
        out->runs[out->count++] = (struct compare_run){
            finding->value, finding->low, finding->high, finding->confidence};
    }
}

static int gather(const struct compare_source *source, const struct compare_row *row,
                  bool present, const char *kind, struct gathered *out)
{
    *out = (struct gathered){.runs = calloc(source->list.count + 1, sizeof *out->runs)};
    if (!out->runs)
        return -ENOMEM;
    for (size_t i = 0; present && i < source->list.count; i++)
        if (same_word(source->list.rows[i].vantage.kind, kind))
            take(out, sonde_passport_finding(&source->list.rows[i], row->name));
    return 0;
}

static void judge_texts(const struct gathered *a, const struct gathered *b,
                        struct comparison *result)
{
    bool differ = a->texts_differ || b->texts_differ || strcmp(a->text, b->text) != 0;

    result->runs_a = a->measured;
    result->runs_b = b->measured;
    result->outcome = COMPARE_SAME;
    if (!differ)
        return;
    result->outcome =
        a->measured > 1 && b->measured > 1 && !a->texts_differ && !b->texts_differ
            ? COMPARE_REAL
            : COMPARE_INCONCLUSIVE;
    result->why = "no number: said by the runs";
}

static int fill(const struct compare_table *table, struct compare_row *row)
{
    struct gathered a = {0}, b = {0};
    int error = gather(table->a, row, row->kinds->in_a, row->kinds->a, &a);

    if (!error)
        error = gather(table->b, row, row->kinds->in_b, row->kinds->b, &b);
    if (!error) {
        struct compare_side left = {a.runs, a.count}, right = {b.runs, b.count};

        error = sonde_infer_compare(&left, &right,
                                    sonde_infer_structure(row->name, row->unit),
                                    sonde_base_hash(row->name), &row->result);
        row->text_a = a.count ? NULL : a.text;
        row->text_b = b.count ? NULL : b.text;
        row->reason_a = a.reason;
        row->reason_b = b.reason;
        if (row->text_a && row->text_b)
            judge_texts(&a, &b, &row->result);
        else if (row->text_a || row->text_b)
            row->result.outcome = row->text_a ? COMPARE_ONLY_A : COMPARE_ONLY_B;
    }
    free(a.runs);
    free(b.runs);
    return error;
}

static void settle(struct compare_table *table, struct comparison *results)
{
    for (size_t i = 0; i < table->count; i++)
        results[i] = table->rows[i].result;
    sonde_infer_compare_settle(results, table->count);
    for (size_t i = 0; i < table->count; i++)
        table->rows[i].result = results[i];
}

int sonde_report_compare(const struct compare_source *a, const struct compare_source *b,
                         struct compare_table *table)
{
    struct comparison *results = NULL;
    int error;

    *table = (struct compare_table){.a = a, .b = b};
    error = add_all_names(table);
    for (size_t i = 0; i < table->count && !error; i++)
        error = fill(table, &table->rows[i]);
    if (!error && table->count) {
        results = calloc(table->count, sizeof *results);
        error = results ? 0 : -ENOMEM;
    }
    if (results)
        settle(table, results);
    free(results);
    sonde_report_compare_conditions(a, b, &table->conditions);
    return error ? error : table->conditions.failed ? -ENOMEM : 0;
}

double sonde_report_compare_loss(const struct compare_row *row)
{
    double ratio = row->result.ratio;

    if (!isfinite(ratio) || row->better == BETTER_NEITHER)
        return 0;
    return fmax(0, 100 * (row->better == BETTER_LOWER ? ratio - 1 : 1 - ratio));
}
