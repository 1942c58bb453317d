/* multichase -v, run over several sizes, its outputs one behind the other.
 *
 *   total_memory = 1048576 (1.0 MiB)
 *   stride = 256
 *   tlb_locality = 262144
 *   chase = simple
 *   samples (one column per thread, one row per sample):
 *     5.712  avg=5.712
 *   5.698                                   the result: the best, or the mean with -a
 *
 * Where the locality is smaller than the memory, the chase stays inside windows of that
 * size: `windowed`; else `random`. Runs with another stride, chase or number of threads
 * do not belong to the same curve and are refused. What can fool it: a chase that is
 * several at once gives time per access, not latency. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More sizes than anyone runs; it bounds the work on hostile files. */
enum { RUNS_MAX = 4096 };

struct run {
    double threads, memory, stride, locality; /* NaN: not told */
    char chase[40];
};

struct multichase {
    struct foreign foreign;
    struct passport *passport;
    struct series *series;
    struct run run, first;
    bool windowed;
};

/* "key = value ..."; the value's first word, or NULL. */
static char *value_of(char *line, const char *key)
{
    size_t length = strlen(key);

    if (strncmp(line, key, length) != 0 || strncmp(line + length, " = ", 3) != 0)
        return NULL;
    line += length + 3;
    return sonde_passport_foreign_word(&line);
}

/* 1: it was a setting; 0: it was none; or an error. */
static int take_setting(struct multichase *multichase, char *line)
{
    struct run *run = &multichase->run;
    const struct {
        const char *key;
        double *value;
    } rows[] = {{"nr_threads", &run->threads},
                {"total_memory", &run->memory},
                {"stride", &run->stride},
                {"tlb_locality", &run->locality}};
    char *value;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((value = value_of(line, rows[i].key))) {
            int error = sonde_passport_foreign_number(&multichase->foreign, value,
                                                      rows[i].key, rows[i].value);

            return error ? error : 1;
        }
    value = value_of(line, "chase");
    if (value)
        snprintf(run->chase, sizeof run->chase, "%s", value);
    return value || strncmp(line, "page_size = ", 12) == 0 ||
           strncmp(line, "samples (", 9) == 0 || strstr(line, "avg=");
}

/* Numbers not told are alike. */
static bool differ(double a, double b)
{
    return !(isnan(a) && isnan(b)) && a != b;
}

static int check_same(struct multichase *multichase)
{
    const struct run *run = &multichase->run, *first = &multichase->first;

    if (differ(run->stride, first->stride))
        return sonde_passport_foreign_fail(
            &multichase->foreign,
            "a run of stride %.0f behind one of %.0f: one curve has "
            "one stride",
            run->stride, first->stride);
    if (strcmp(run->chase, first->chase) != 0 || differ(run->threads, first->threads))
        return sonde_passport_foreign_fail(
            &multichase->foreign,
            "a run of another chase or number of threads than the first");
    return 0;
}

static int take_result(struct multichase *multichase, char *line)
{
    struct run *run = &multichase->run;
    char *word, *last = NULL;
    double ns;
    int error;

    while ((word = sonde_passport_foreign_word(&line)))
        last = word; /* behind a timestamp, with -y */
    error =
        sonde_passport_foreign_number(&multichase->foreign, last, "latency in ns", &ns);
    if (!error && isnan(run->memory))
        return sonde_passport_foreign_refuse(&multichase->foreign, last,
                                             "is a result without total_memory before "
                                             "it: run multichase -v");
    if (error)
        return error;
    if (multichase->series->count == RUNS_MAX)
        return sonde_passport_foreign_fail(&multichase->foreign, "more than %d runs",
                                           RUNS_MAX);
    if (!multichase->series->count)
        multichase->first = *run;
    error = check_same(multichase);
    for (size_t i = 0; !error && i < multichase->series->count; i++)
        if (multichase->series->points[i].at[0] == run->memory)
            return sonde_passport_foreign_fail(&multichase->foreign,
                                               "total_memory %.0f again", run->memory);
    if (run->locality < run->memory)
        multichase->windowed = true;
    if (!error)
        error = sonde_passport_foreign_point(multichase->series, run->memory, 0, ns);
    *run = (struct run){NAN, NAN, NAN, NAN, ""};
    return error;
}

static int by_size(const void *a, const void *b)
{
    const struct series_point *x = a, *y = b;

    return (x->at[0] > y->at[0]) - (x->at[0] < y->at[0]);
}

static int finish(struct multichase *multichase)
{
    struct series *series = multichase->series;

    if (!series->count)
        return sonde_passport_foreign_fail(&multichase->foreign,
                                           "the file ends without a result");
    qsort(series->points, series->count, sizeof *series->points, by_size);
    if (multichase->windowed) {
        char *name = strdup("windowed");

        if (!name)
            return -ENOMEM;
        free(series->name);
        series->name = name;
    }
    if (strncmp(multichase->first.chase, "parallel", 8) == 0 ||
        multichase->first.threads > 1)
        return sonde_passport_warn(
            multichase->passport, "not-latency", "run multichase -c simple -t 1",
            "several chases ran at once (%s, %.0f threads): times are per access, not "
            "latencies of one",
            multichase->first.chase, multichase->first.threads);
    return 0;
}

static int take_all(struct multichase *multichase)
{
    char *line;
    int error = 0;

    while (error >= 0 && (line = sonde_passport_foreign_line(&multichase->foreign))) {
        line = sonde_base_trim(line);
        error = *line ? take_setting(multichase, line) : 1;
        if (error == 0)
            error = take_result(multichase, line);
    }
    return error < 0 ? error : finish(multichase);
}

int sonde_passport_recognise_multichase(const char *text, size_t length)
{
    return sonde_passport_foreign_begins(text, length, "total_memory = ") ? 90 : 0;
}

int sonde_passport_read_multichase(struct passport_list *list, const char *text,
                                   size_t length, const char *origin, struct message *why)
{
    struct multichase multichase = {.run = {NAN, NAN, NAN, NAN, ""}};
    int error =
        sonde_passport_foreign_open(&multichase.foreign, list, text, length, origin, why);

    if (error)
        return error;
    multichase.passport = sonde_passport_foreign_machine(&multichase.foreign, NULL);
    multichase.series =
        multichase.passport
            ? sonde_passport_foreign_curve(multichase.passport, "random", "ns")
            : NULL;
    error = multichase.series ? take_all(&multichase) : -ENOMEM;
    return sonde_passport_foreign_close(&multichase.foreign, error, "run");
}
