/* From what passports declare of sharing to groups of CPUs.
 *
 * A passport knows what is shared with the CPU it was measured on. Where the CPUs of its
 * kind divide evenly into groups of that many neighbours, of which this CPU's is one, all
 * are taken to be alike; otherwise only the group that is known is described. A group
 * that would cut another one in two is left out: such a topology hwloc refuses. */
#include "report/hwloc_tree.h"

#include "measure/statistics.h"
#include "report/export.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sonde_report_hwloc_tree_free(struct hwloc_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        sonde_base_cpulist_free(&tree->groups[i].cpus);
    free(tree->groups);
    sonde_base_cpulist_free(&tree->cpus);
    sonde_base_cpulist_free(&tree->kind);
    *tree = (struct hwloc_tree){0};
}

const struct hwloc_group *sonde_report_hwloc_outermost(const struct hwloc_tree *tree,
                                                       unsigned cpu, unsigned depth)
{
    const struct hwloc_group *best = NULL;

    for (size_t i = 0; i < tree->count; i++)
        if (tree->groups[i].level.depth < depth &&
            sonde_base_cpulist_has(&tree->groups[i].cpus, cpu) &&
            (!best || tree->groups[i].level.depth > best->level.depth))
            best = &tree->groups[i];
    return best;
}

/* --- sets -----------------------------------------------------------------------------
 */

static int parse(const char *text, struct cpulist *list)
{
    return text && *text ? sonde_base_cpulist_parse(list, text, NULL) : -ENODATA;
}

static int unite(struct cpulist *list, const struct cpulist *other)
{
    int error = 0;

    for (int cpu = sonde_base_cpulist_next(other, 0); cpu >= 0 && !error;
         cpu = sonde_base_cpulist_next(other, (unsigned)cpu + 1))
        error = sonde_base_cpulist_add(list, (unsigned)cpu);
    return error;
}

/* How many of `part` lie in `whole`. */
static size_t overlap(const struct cpulist *part, const struct cpulist *whole)
{
    size_t count = 0;

    for (int cpu = sonde_base_cpulist_next(part, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(part, (unsigned)cpu + 1))
        count += sonde_base_cpulist_has(whole, (unsigned)cpu);
    return count;
}

static const char *text_fact(const struct facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (facts->rows[i].status == FACT_KNOWN && facts->rows[i].text &&
            facts->rows[i].name && strcmp(facts->rows[i].name, name) == 0)
            return facts->rows[i].text;
    return NULL;
}

/* "0-1 (2)": the list in front of the count. Without such a fact, `whole` or the CPU
 * alone. */
static int sharers(const struct passport *passport, const char *name, bool all,
                   const struct cpulist *kind, unsigned cpu, struct cpulist *out)
{
    char list[256] = "";
    const char *fact = text_fact(&passport->facts, name);

    if (fact) {
        snprintf(list, sizeof list, "%.250s", fact);
        list[strcspn(list, " ")] = '\0';
    }
    if (parse(list, out) == 0) {
        sonde_base_cpulist_intersect(out, kind);
        if (sonde_base_cpulist_has(out, cpu))
            return 0;
    }
    sonde_base_cpulist_free(out);
    return all ? sonde_base_cpulist_copy(out, kind) : sonde_base_cpulist_add(out, cpu);
}

/* --- groups ---------------------------------------------------------------------------
 */

/* Groups are added from the outermost level inwards; one that is not wholly inside each
 * group it meets is refused. */
static bool nests(const struct hwloc_tree *tree, const struct cpulist *cpus)
{
    size_t own = sonde_base_cpulist_count(cpus);

    for (size_t i = 0; i < tree->count; i++) {
        size_t common = overlap(cpus, &tree->groups[i].cpus);

        if (common && common != own)
            return false;
    }
    return own > 0;
}

static int add_group(struct hwloc_tree *tree, const struct hwloc_level *level,
                     const struct cpulist *cpus, size_t passport)
{
    struct hwloc_group *groups;

    if (!nests(tree, cpus))
        return 0;
    groups = reallocarray(tree->groups, tree->count + 1, sizeof *groups);
    if (!groups)
        return -ENOMEM;
    tree->groups = groups;
    groups[tree->count] = (struct hwloc_group){.level = *level, .passport = passport};
    return sonde_base_cpulist_copy(&groups[tree->count++].cpus, cpus);
}

/* The `size` CPUs of `kind` from its `first`th on. */
static int slice(const struct cpulist *kind, size_t first, size_t size,
                 struct cpulist *out)
{
    size_t at = 0;
    int error = 0;

    for (int cpu = sonde_base_cpulist_next(kind, 0); cpu >= 0 && !error;
         cpu = sonde_base_cpulist_next(kind, (unsigned)cpu + 1), at++)
        if (at >= first && at < first + size)
            error = sonde_base_cpulist_add(out, (unsigned)cpu);
    return error;
}

/* Is `known` one of the groups that `kind` falls into? */
static bool tiles(const struct cpulist *kind, const struct cpulist *known)
{
    size_t size = sonde_base_cpulist_count(known), all = sonde_base_cpulist_count(kind);
    bool found = false;

    for (size_t first = 0; all % size == 0 && first < all && !found; first += size) {
        struct cpulist tile = {0};

        found = slice(kind, first, size, &tile) == 0 &&
                sonde_base_cpulist_equal(&tile, known);
        sonde_base_cpulist_free(&tile);
    }
    return found;
}

static int add_level(struct hwloc_tree *tree, const struct hwloc_level *level,
                     const struct cpulist *kind, const struct cpulist *known,
                     size_t passport)
{
    size_t size = sonde_base_cpulist_count(known), all = sonde_base_cpulist_count(kind);
    int error = 0;

    if (size == 0 || !tiles(kind, known))
        return add_group(tree, level, known, passport);
    for (size_t first = 0; first < all && !error; first += size) {
        struct cpulist tile = {0};

        error = slice(kind, first, size, &tile);
        if (!error)
            error = add_group(tree, level, &tile, passport);
        sonde_base_cpulist_free(&tile);
    }
    return error;
}

/* --- levels ---------------------------------------------------------------------------
 */

static double sheet_number(const struct passport *passport, const char *name,
                           const char *what, char *source, size_t size)
{
    char finding[24], fact[24];
    struct sheet_row row = {"", "bytes", finding, {fact, NULL}, false};
    struct sheet_value value;

    snprintf(finding, sizeof finding, "%s.%s", name, what);
    snprintf(fact, sizeof fact, "%s.%s", name, what);
    value = sonde_report_sheet_one(passport, &row);
    if (source)
        snprintf(source, size, "%s", value.source);
    return value.value;
}

static bool declares(const struct passport *passport, unsigned depth)
{
    char name[16];

    snprintf(name, sizeof name, "l%u.size", depth);
    return isfinite(sonde_machine_declared(&passport->facts, name).value);
}

static bool was_seen(const struct passport *passport, const char *level)
{
    char name[24];

    snprintf(name, sizeof name, "%s.latency", level);
    return sonde_passport_finding(passport, name) != NULL;
}

/* The shared last level is measured under a name of its own: it is the deepest one that
 * is declared, or lies right behind the second where nothing is. */
static bool is_last(const struct passport *passport, unsigned depth, const char *name)
{
    if (!was_seen(passport, "llc") || was_seen(passport, name) || depth < 2)
        return false;
    for (unsigned further = depth + 1; further <= 4; further++)
        if (declares(passport, further))
            return false;
    return declares(passport, depth) || (depth == 3 && was_seen(passport, "l2"));
}

static bool describe(const struct passport *passport, unsigned depth,
                     struct hwloc_level *level)
{
    static const char *const names[] = {"l1d", "l2", "l3", "l4"};
    const char *name = names[depth - 1];
    bool last = is_last(passport, depth, name);

    *level = (struct hwloc_level){.depth = depth};
    snprintf(level->declared, sizeof level->declared, "%s", name);
    snprintf(level->measured, sizeof level->measured, "%s.", last ? "llc" : name);
    level->size =
        sheet_number(passport, name, "size", level->source, sizeof level->source);
    if (!isfinite(level->size) && last)
        level->size = sheet_number(passport, "llc", "effective", level->source,
                                   sizeof level->source);
    level->ways = sheet_number(passport, name, "ways", NULL, 0);
    level->line = sheet_number(passport, "line", "size", NULL, 0);
    if (!isfinite(level->line))
        level->line = sheet_number(passport, name, "line", NULL, 0);
    return level->size >= 1 && level->size < 1e15;
}

static int add_passport(struct hwloc_tree *tree, const struct passport *passport,
                        size_t index)
{
    struct cpulist kind = {0};
    int error = parse(passport->vantage.cpus, &kind), cpu;

    if (error == -ENODATA)
        error = parse(passport->machine.allowed, &kind);
    sonde_base_cpulist_intersect(&kind, &tree->cpus);
    cpu = isfinite(passport->vantage.cpu) ? (int)passport->vantage.cpu
                                          : sonde_base_cpulist_next(&kind, 0);
    if (!error && cpu >= 0 && sonde_base_cpulist_has(&kind, (unsigned)cpu)) {
        if (index == 0)
            error = sonde_base_cpulist_copy(&tree->kind, &kind);
        for (unsigned depth = HWLOC_DEPTH_MACHINE; depth-- > 0 && !error;) {
            struct hwloc_level level = {.depth = 0};
            struct cpulist known = {0};
            char name[32];

            if (depth && !describe(passport, depth, &level))
                continue;
            snprintf(name, sizeof name, "%s.shared", level.declared);
            error = sharers(passport, depth ? name : "smt.threads", depth > 2, &kind,
                            (unsigned)cpu, &known);
            if (!error)
                error = add_level(tree, &level, &kind, &known, index);
            sonde_base_cpulist_free(&known);
        }
    }
    sonde_base_cpulist_free(&kind);
    return error == -EINVAL || error == -ENODATA ? 0 : error;
}

/* Has an earlier passport seen this kind of core? Runs of one machine are one topology.
 */
static bool seen(const struct passport_list *list, size_t index)
{
    const char *kind = list->rows[index].vantage.kind;

    for (size_t i = 0; i < index; i++) {
        const char *other = list->rows[i].vantage.kind;

        if (!kind || !other ? !kind && !other : strcmp(kind, other) == 0)
            return true;
    }
    return false;
}

int sonde_report_hwloc_tree(const struct passport_list *list, struct hwloc_tree *tree)
{
    int error = parse(list->rows[0].machine.allowed, &tree->cpus);

    if (error == -EINVAL)
        error = -ENODATA;
    for (size_t i = 0; i < list->count && !error; i++) {
        struct cpulist kind = {0};

        if (!seen(list, i) && parse(list->rows[i].vantage.cpus, &kind) == 0)
            error = unite(&tree->cpus, &kind);
        sonde_base_cpulist_free(&kind);
        if (!error && !seen(list, i))
            error = add_passport(tree, &list->rows[i], i);
    }
    return error;
}

/* --- distances ------------------------------------------------------------------------
 */

void sonde_report_hwloc_matrix_free(struct hwloc_matrix *matrix)
{
    free(matrix->cpus);
    free(matrix->values);
    *matrix = (struct hwloc_matrix){0};
}

/* A matrix beyond this is no help to anybody, and n x n of it too large. */
enum { MATRIX_MOST = 1024 };

static size_t position(const struct hwloc_matrix *matrix, double cpu)
{
    size_t at = 0;

    while (at < matrix->count && matrix->cpus[at] != cpu)
        at++;
    return at;
}

static void collect_cpus(const struct series *series, struct hwloc_matrix *matrix)
{
    for (size_t i = 0; i < series->count; i++)
        for (unsigned axis = 0; axis < 2; axis++)
            if (position(matrix, series->points[i].at[axis]) == matrix->count &&
                matrix->count < MATRIX_MOST)
                matrix->cpus[matrix->count++] = series->points[i].at[axis];
}

static bool fill(const struct series *series, struct hwloc_matrix *matrix)
{
    size_t n = matrix->count;

    for (size_t i = 0; i < n * n; i++)
        matrix->values[i] = i % n == i / n ? 0 : NAN;
    for (size_t i = 0; i < series->count; i++) {
        size_t a = position(matrix, series->points[i].at[0]);
        size_t b = position(matrix, series->points[i].at[1]);
        double picoseconds = round(1000 * series->points[i].best);

        if (a < n && b < n && a != b && picoseconds > 0)
            matrix->values[a * n + b] = matrix->values[b * n + a] = picoseconds;
    }
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(matrix->values[i]) || matrix->values[i] > 1e15)
            return false;
    return n > 1;
}

static const struct series *find_pairs(const struct passport_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct probe_result *probe = sonde_passport_probe(&list->rows[i], "c2c");
        const struct series *series =
            probe ? sonde_measure_series_find(&probe->series, "pairs") : NULL;

        if (series && series->axis_count == 2 && series->unit &&
            strcmp(series->unit, "ns") == 0 && series->count)
            return series;
    }
    return NULL;
}

int sonde_report_hwloc_matrix(const struct passport_list *list,
                              struct hwloc_matrix *matrix)
{
    const struct series *series = find_pairs(list);

    *matrix = (struct hwloc_matrix){0};
    if (!series)
        return 0;
    matrix->cpus = calloc(MATRIX_MOST, sizeof *matrix->cpus);
    if (!matrix->cpus)
        return -ENOMEM;
    collect_cpus(series, matrix);
    sonde_measure_sort(matrix->cpus, matrix->count);
    matrix->values = calloc(matrix->count * matrix->count, sizeof *matrix->values);
    if (!matrix->values) {
        sonde_report_hwloc_matrix_free(matrix);
        return -ENOMEM;
    }
    if (!fill(series, matrix))
        matrix->count = 0;
    return 0;
}
