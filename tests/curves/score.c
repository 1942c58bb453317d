/* Scores the inference on curves other people published, against what those machines are.
 *
 * A level is right when the inferred interval overlaps the true size widened by one step
 * of the curve's grid either way, or when the curve has no step there and none was
 * claimed. What is inferred beyond the truth is a phantom. Memory claimed of a curve that
 * ends inside the largest cache is a false claim.
 *
 *   score DIR            the summary and the list of misses
 *   score DIR --floors   also fails below the floors (as a test)
 *   score DIR --all      also every curve's levels
 *
 * The truth is DIR/truth.csv: file, cpu, machine, line, l1d and ways, l2 and ways, l3 ...
 * in KiB. Its notes may name a system cache ("SLC 6144", "+8M"): seen or not, it is
 * right. */
#include "base/text.h"
#include "passport/passport.h"
#include "probes/verdicts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 4, COLUMNS = 14, FOUND_MOST = 12 };

struct tally {
    unsigned right, missed, abstained;
};

struct score {
    struct tally level[DEPTH];
    unsigned curves, phantoms, with_phantom, false_claims, unread, memory;
    bool list_all;
};

struct truth {
    char *column[COLUMNS];
    double size[DEPTH]; /* bytes, ascending; as many as `count` */
    size_t count;
    double system; /* a system cache, bytes; 0: none named */
};

struct found {
    double low, high;
    bool used;
};

/* --- truth.csv --- */

/* Splits one CSV line in place; quotes hold commas. */
static void split(char *line, char *column[COLUMNS])
{
    for (size_t i = 0; i < COLUMNS; i++) {
        column[i] = line;
        if (*line == '"') {
            column[i] = ++line;
            line = strchr(line, '"');
            if (!line)
                line = column[i] + strlen(column[i]);
            else
                *line++ = '\0';
        }
        size_t length = strcspn(line, ",");
        bool more = line[length] == ',';
        line[length] = '\0';
        line += length + more;
    }
}

static double number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

static void read_truth(char *line, struct truth *truth)
{
    static const unsigned sizes[] = {4, 6, 8};
    *truth = (struct truth){0};
    split(line, truth->column);
    const char *note = truth->column[12];
    double before = number_after(note, "the first level is ");
    if (before > 0)
        truth->size[truth->count++] = before * 1024;
    for (size_t i = 0; i < 3 && truth->count < DEPTH; i++) {
        double kib = strtod(truth->column[sizes[i]], NULL);
        if (kib > 0)
            truth->size[truth->count++] = kib * 1024;
    }
    truth->system = 1024 * number_after(note, "SLC ");
    if (truth->system == 0)
        truth->system = 1048576 * number_after(note, "+");
}

/* --- one curve --- */

static const struct series *primary_of(const struct series_list *list)
{
    const struct series *windowed = sonde_measure_series_find(list, "windowed");
    return windowed ? windowed : sonde_measure_series_find(list, "random");
}

/* Grid points next to `size`: how far one step is, as a ratio. */
static double grid_step(const struct series *series, double size)
{
    double step = 2;
    for (size_t i = 0; i + 1 < series->count; i++) {
        double low = series->points[i].at[0], high = series->points[i + 1].at[0];
        if (low <= size * 1.001)
            step = high / low;
    }
    return step;
}

/* Cost at the largest size not above `size`; of the first point when there is none. */
static double cost_at(const struct series *series, double size)
{
    double cost = series->points[0].best;
    for (size_t i = 0; i < series->count; i++) {
        if (series->points[i].at[0] <= size * 1.001)
            cost = series->points[i].best;
    }
    return cost;
}

/* The curve climbs by a fifth between half of the size and twice of it. */
static bool has_step(const struct series *series, double size)
{
    double end = series->points[series->count - 1].at[0];
    return end >= 2 * size && cost_at(series, 2 * size) > 1.2 * cost_at(series, size / 2);
}

static size_t gather(const struct findings *findings, struct found *found)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count && count < FOUND_MOST; i++) {
        const struct finding *row = &findings->rows[i];
        const char *dot = strrchr(row->name, '.');
        bool size = strcmp(dot, ".size") == 0 || strcmp(dot, ".effective") == 0;
        if (size && isfinite(row->low) && isfinite(row->high))
            found[count++] = (struct found){row->low, row->high, false};
    }
    return count;
}

static bool take(struct found *found, size_t count, double size, double step)
{
    for (size_t i = 0; i < count; i++) {
        if (!found[i].used && found[i].low <= size * step &&
            found[i].high >= size / step) {
            found[i].used = true;
            return true;
        }
    }
    return false;
}

static void print_levels(const struct truth *truth, const struct series *series,
                         const struct findings *findings)
{
    printf("    truth");
    for (size_t i = 0; i < truth->count; i++)
        printf(" %.0f", truth->size[i] / 1024);
    printf("; found");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *row = &findings->rows[i];

        if (strcmp(row->unit, "bytes") == 0)
            printf(" %s %.0f-%.0f (%.2f)", row->name, row->low / 1024, row->high / 1024,
                   row->confidence);
    }
    printf("\n   ");
    for (size_t i = 0; i < series->count; i++)
        printf(" %.0f:%.4g", series->points[i].at[0] / 1024, series->points[i].best);
    printf("\n");
}

/* Right, missed or phantom, level by level; true when anything is wrong. */
static bool compare(struct score *score, const struct truth *truth,
                    const struct series *series, struct found *found, size_t count)
{
    bool wrong = false;
    unsigned phantoms = 0;
    for (size_t i = 0; i < truth->count; i++) {
        struct tally *tally = &score->level[i];
        if (take(found, count, truth->size[i], grid_step(series, truth->size[i]))) {
            tally->right++;
        } else if (!has_step(series, truth->size[i])) {
            tally->right++;
            tally->abstained++;
        } else {
            tally->missed++;
            wrong = true;
            printf("  missed: level %zu, %.0f KiB, of %s %s (%s)\n", i + 1,
                   truth->size[i] / 1024, truth->column[0], truth->column[1],
                   truth->column[2]);
        }
    }
    if (truth->system > 0)
        take(found, count, truth->system, grid_step(series, truth->system));
    for (size_t i = 0; i < count; i++) {
        if (found[i].used)
            continue;
        phantoms++;
        printf("  phantom: %.0f to %.0f KiB in %s %s (%s)\n", found[i].low / 1024,
               found[i].high / 1024, truth->column[0], truth->column[1],
               truth->column[2]);
    }
    score->phantoms += phantoms;
    score->with_phantom += phantoms > 0;
    return wrong || phantoms > 0;
}

static bool claims_memory(struct score *score, const struct truth *truth,
                          const struct series *series, const struct findings *findings)
{
    double end = series->points[series->count - 1].at[0], largest = truth->system;
    bool claimed = false;
    for (size_t i = 0; i < findings->count; i++)
        claimed = claimed || (strncmp(findings->rows[i].name, "memory.", 7) == 0 &&
                              isfinite(findings->rows[i].value));
    for (size_t i = 0; i < truth->count; i++)
        largest = fmax(largest, truth->size[i]);
    score->memory += claimed;
    if (!claimed || end > largest)
        return false;
    score->false_claims++;
    printf("  false claim of memory: %s %s ends at %.0f KiB\n", truth->column[0],
           truth->column[1], end / 1024);
    return true;
}

/* The inference of the product, on the passport that its reader made. */
static int score_curve(struct score *score, const struct truth *truth,
                       struct passport *passport)
{
    struct found found[FOUND_MOST];
    int error = sonde_probe_reconsider(passport);
    const struct probe_result *latency = sonde_passport_probe(passport, "latency");
    const struct series *series = latency ? primary_of(&latency->series) : NULL;
    if (error || !series || series->count == 0)
        return error ? error : -ENODATA;
    score->curves++;
    size_t count = gather(&latency->findings, found);
    bool wrong = compare(score, truth, series, found, count);
    wrong = claims_memory(score, truth, series, &latency->findings) || wrong;
    if (wrong || score->list_all)
        print_levels(truth, series, &latency->findings);
    return 0;
}

/* The passport of "cpu4"; of "": the only one. */
static struct passport *passport_of(const struct passport_list *list, const char *cpu)
{
    for (size_t i = 0; i < list->count; i++)
        if (!*cpu || list->rows[i].vantage.cpu == strtod(cpu + 3, NULL))
            return &list->rows[i];
    return NULL;
}

/* --- all of them --- */

static int score_line(struct score *score, const char *folder, char *line)
{
    struct truth truth;
    read_truth(line, &truth);
    if (truth.count == 0)
        return 0;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, truth.column[0]);
    struct passport_list list = {0};
    struct message why = {{0}};
    int error = sonde_passport_read(&list, path, NULL, &why);
    struct passport *passport = error ? NULL : passport_of(&list, truth.column[1]);
    if (passport)
        error = score_curve(score, &truth, passport);
    if (error || !passport) {
        score->unread++;
        printf("  unread: %s %s: %s\n", truth.column[0], truth.column[1],
               why.text[0] ? why.text : "no such core in it");
    }
    sonde_passport_list_free(&list);
    return error == -ENOMEM ? error : 0;
}

static double share(const struct tally *tally)
{
    unsigned all = tally->right + tally->missed;
    return all ? 100.0 * tally->right / all : 100;
}

static void summarise(const struct score *score)
{
    printf("%u curves, %u unread\n", score->curves, score->unread);
    for (size_t i = 0; i < DEPTH; i++) {
        const struct tally *tally = &score->level[i];
        printf("level %zu: %u right (%u of them without a step in the curve), %u missed: "
               "%.1f %%\n",
               i + 1, tally->right, tally->abstained, tally->missed, share(tally));
    }
    printf("phantoms: %u in %u curves\n", score->phantoms, score->with_phantom);
    printf("memory: claimed in %u curves, falsely in %u\n", score->memory,
           score->false_claims);
}

/* What the rules reach, a little below: a change of the inference must not lose it. */
static bool above_floors(const struct score *score)
{
    return score->curves >= 80 && share(&score->level[0]) >= 98 &&
           share(&score->level[1]) >= 95 && share(&score->level[2]) >= 87 &&
           score->with_phantom <= 6 && score->false_claims == 0;
}

int main(int count, char **arguments)
{
    char path[1024], *text, *rest, *line;
    size_t length;
    if (count < 2) {
        printf("usage: score FOLDER [--floors | --all]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/truth.csv", arguments[1]);
    if (sonde_base_read_file(path, 1 << 20, &text, &length) != 0) {
        printf("skipped: %s is not there\n", path);
        return 77;
    }
    struct score score = {.list_all = count > 2 && strcmp(arguments[2], "--all") == 0};
    rest = strchr(text, '\n'); /* past the heading */
    int error = 0;
    while (rest && *rest && !error) {
        line = rest + 1;
        rest = strchr(line, '\n');
        if (rest)
            *rest = '\0';
        error = score_line(&score, arguments[1], line);
        if (rest)
            *rest = '\n';
    }
    free(text);
    summarise(&score);
    bool floors = count > 2 && strcmp(arguments[2], "--floors") == 0;
    return error || (floors && !above_floors(&score)) ? 1 : 0;
}
