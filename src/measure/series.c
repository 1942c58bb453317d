/* Series and points: storage only.
 *
 * A fresh point knows nothing: every figure is NaN, so that a figure nobody filled in can
 * never be mistaken for a measured zero. Arrays double when they are full; pointers
 * handed out are good until the next append to the same array. */
#include "measure/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const flag_names[] = {
    "noisy",     "unstable", "bimodal", "few",    "wrong",   "cut",      "correlated",
    "unreached", "unlawful", "apart",   "shared", "faulted", "switched", "elsewhere",
};

const char *sonde_measure_flag_name(unsigned bit)
{
    return bit < sizeof flag_names / sizeof *flag_names ? flag_names[bit] : NULL;
}

static const struct {
    const char *name;
    double quantile;
} statistics[] = {
    [STATISTIC_Q25] = {"q25", 0.25},
    [STATISTIC_MEDIAN] = {"median", 0.5},
    [STATISTIC_Q75] = {"q75", 0.75},
    [STATISTIC_Q90] = {"q90", 0.9},
};

const char *sonde_measure_statistic_name(enum statistic statistic)
{
    return statistics[statistic].name;
}

int sonde_measure_statistic_parse(const char *name, enum statistic *statistic)
{
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++) {
        if (strcmp(name, statistics[i].name) == 0) {
            *statistic = (enum statistic)i;
            return 0;
        }
    }
    return -EINVAL;
}

double sonde_measure_statistic_quantile(enum statistic statistic)
{
    return statistics[statistic].quantile;
}

/* Makes room for one more element; the array is left alone when there is no memory. */
static bool make_room(void **rows, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 8;
    void *grown = wanted > SIZE_MAX / element ? NULL : realloc(*rows, wanted * element);
    if (!grown)
        return false;
    *rows = grown;
    *capacity = wanted;
    return true;
}

struct series *sonde_measure_series_add(struct series_list *list, const char *name)
{
    void *rows = list->rows;
    char *copy = strdup(name);
    if (!copy || !make_room(&rows, list->count, &list->capacity, sizeof *list->rows)) {
        free(copy);
        return NULL;
    }
    list->rows = rows;
    struct series *series = &list->rows[list->count++];
    *series = (struct series){.name = copy, .quantity = "", .unit = ""};
    return series;
}

struct series_point *sonde_measure_point_add(struct series *series)
{
    void *points = series->points;
    if (!make_room(&points, series->count, &series->capacity, sizeof *series->points))
        return NULL;
    series->points = points;
    struct series_point *point = &series->points[series->count++];
    *point = (struct series_point){
        .at = {NAN, NAN, NAN},
        .min = NAN,
        .q25 = NAN,
        .median = NAN,
        .q75 = NAN,
        .q90 = NAN,
        .p99 = NAN,
        .max = NAN,
        .mean = NAN,
        .iqr = NAN,
        .low = NAN,
        .high = NAN,
        .best = NAN,
        .cycles = NAN,
        .autocorrelation = NAN,
        .mode_low = NAN,
        .mode_high = NAN,
    };
    return point;
}

const struct series *sonde_measure_series_find(const struct series_list *list,
                                               const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->rows[i].name, name) == 0)
            return &list->rows[i];
    }
    return NULL;
}

struct counter_value *sonde_measure_counter_add(struct series_point *point,
                                                const char *name, double value)
{
    struct counter_value *rows =
        reallocarray(point->counters, point->counter_count + 1, sizeof *rows);

    if (!rows)
        return NULL;
    point->counters = rows;
    rows += point->counter_count;
    *rows = (struct counter_value){strdup(name), value};
    if (!rows->name)
        return NULL;
    point->counter_count++;
    return rows;
}

double sonde_measure_counter(const struct series_point *point, const char *name)
{
    for (size_t i = 0; i < point->counter_count; i++)
        if (strcmp(point->counters[i].name, name) == 0)
            return point->counters[i].value;
    return NAN;
}

static void free_counters(struct series_point *point)
{
    for (size_t i = 0; i < point->counter_count; i++)
        free(point->counters[i].name);
    free(point->counters);
}

void sonde_measure_series_list_free(struct series_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct series *series = &list->rows[i];
        for (size_t k = 0; k < series->count; k++) {
            free(series->points[k].samples);
            free_counters(&series->points[k]);
            free(series->points[k].label);
        }
        free(series->points);
        free(series->name);
    }
    free(list->rows);
    *list = (struct series_list){0};
}

size_t sonde_measure_place_name(const struct series *series,
                                const struct series_point *point, unsigned axis,
                                const char **name)
{
    const char *at = axis < series->axis_count ? series->place_names[axis] : NULL;
    double place = point->at[axis];

    for (double number = 0; at && number < place; number++) {
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    *name = at;
    return at && place >= 0 && floor(place) == place ? strcspn(at, "|") : 0;
}
