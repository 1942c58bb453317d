/* Formulas by recursive descent: sum of products of factors. They come from files, so
 * nesting is bounded. */
#include "bench/formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

struct reading {
    const char *at, *whole;
    const struct formula_name *names;
    size_t count;
    unsigned depth;
    int error;
    struct message *why;
};

static double read_sum(struct reading *reading);

static double refuse(struct reading *reading, const char *what)
{
    if (!reading->error)
        reading->error = sonde_base_fail(reading->why, -EINVAL, "formula '%.80s': %s",
                                         reading->whole, what);
    return 0;
}

static bool take(struct reading *reading, char sign)
{
    while (*reading->at == ' ')
        reading->at++;
    if (*reading->at != sign)
        return false;
    reading->at++;
    return true;
}

static double read_name(struct reading *reading)
{
    const char *start = reading->at;
    size_t length;

    while (isalnum((unsigned char)*reading->at) || *reading->at == '_')
        reading->at++;
    length = (size_t)(reading->at - start);
    for (size_t i = 0; i < reading->count; i++)
        if (strlen(reading->names[i].name) == length &&
            strncmp(reading->names[i].name, start, length) == 0)
            return reading->names[i].value;
    return refuse(reading, "names a parameter that is not declared");
}

static double read_factor(struct reading *reading)
{
    double value;
    char *end;

    if (take(reading, '(')) {
        if (++reading->depth > DEPTH_MAX)
            return refuse(reading, "is nested too deeply");
        value = read_sum(reading);
        reading->depth--;
        return take(reading, ')') ? value : refuse(reading, "lacks a bracket");
    }
    if (isdigit((unsigned char)*reading->at)) {
        value = (double)strtoull(reading->at, &end, 10);
        reading->at = end;
        return value;
    }
    if (isalpha((unsigned char)*reading->at) || *reading->at == '_')
        return read_name(reading);
    return refuse(reading, "lacks a number or a name");
}

static double read_product(struct reading *reading)
{
    double value = read_factor(reading), by;

    while (!reading->error) {
        if (take(reading, '*')) {
            value *= read_factor(reading);
        } else if (take(reading, '/')) {
            by = read_factor(reading);
            if (by == 0)
                return refuse(reading, "divides by 0");
            value /= by;
        } else {
            break;
        }
    }
    return value;
}

static double read_sum(struct reading *reading)
{
    double value = read_product(reading);

    while (!reading->error) {
        if (take(reading, '+'))
            value += read_product(reading);
        else if (take(reading, '-'))
            value -= read_product(reading);
        else
            break;
    }
    return value;
}

int sonde_bench_formula(const char *text, const struct formula_name *names, size_t count,
                        double *value, struct message *why)
{
    struct reading reading = {
        .at = text, .whole = text, .names = names, .count = count, .why = why};

    *value = 0;
    if (take(&reading, '\0'))
        return 0;
    *value = read_sum(&reading);
    if (!reading.error && !take(&reading, '\0'))
        refuse(&reading, "goes on after its end");
    return reading.error;
}
