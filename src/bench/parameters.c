/* Parameters of kernels: what a declaration allows, and the lists that sweep them. */
#include "bench/kernel_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1024 };

/* "4096", "-8" or "2^12" at `*at`, which moves behind it. */
static bool read_number(const char **at, long *value)
{
    const char *start = *at;
    char *end;
    long exponent;

    if (!isdigit((unsigned char)start[*start == '-']))
        return false;
    errno = 0;
    *value = strtol(start, &end, 10);
    if (errno)
        return false;
    if (*end == '^') {
        if (*value != 2 || !isdigit((unsigned char)end[1]))
            return false;
        exponent = strtol(end + 1, &end, 10);
        if (exponent > 62)
            return false;
        *value = 1L << exponent;
    }
    *at = end;
    return true;
}

/* --- lists ----------------------------------------------------------------------------
 */

static int refuse_value(const struct bench_parameter *parameter, long value,
                        struct message *why)
{
    if (parameter->multiple > 1 && value % parameter->multiple)
        return sonde_base_fail(
            why, -EINVAL,
            "%s %ld is not a multiple of %ld%s (usage: --param %s=LIST, from %ld to %ld)",
            parameter->name, value, parameter->multiple,
            strcmp(parameter->name, "stride") == 0 ? " bytes" : "", parameter->name,
            parameter->from, parameter->to);
    return sonde_base_fail(
        why, -EINVAL, "%s %ld is not within %ld to %ld (usage: --param %s=LIST)",
        parameter->name, value, parameter->from, parameter->to, parameter->name);
}

static bool allowed(const struct bench_parameter *parameter, long value)
{
    return value >= parameter->from && value <= parameter->to &&
           (parameter->multiple <= 1 || value % parameter->multiple == 0);
}

struct values {
    const struct bench_parameter *parameter;
    const char *list;
    long *rows;
    size_t count;
    struct message *why;
};

static int add_value(struct values *values, long value)
{
    if (!allowed(values->parameter, value))
        return refuse_value(values->parameter, value, values->why);
    if (values->count == VALUES_MAX)
        return sonde_base_fail(values->why, -EINVAL, "more than %d values of %s",
                               VALUES_MAX, values->parameter->name);
    values->rows[values->count++] = value;
    return 0;
}

static int refuse_list(const struct values *values)
{
    return sonde_base_fail(values->why, -EINVAL,
                           "%s '%.60s' is no list of whole numbers (usage: --param "
                           "%s=8,64 or %s=2^10..2^20)",
                           values->parameter->name, values->list, values->parameter->name,
                           values->parameter->name);
}

static int add_item(struct values *values, const char **at)
{
    long from, to;
    int error;

    if (!read_number(at, &from))
        return refuse_list(values);
    to = from;
    if (strncmp(*at, "..", 2) == 0) {
        *at += 2;
        if (!read_number(at, &to) || from < 1 || to < from)
            return refuse_list(values);
    }
    if (**at != ',' && **at != '\0')
        return refuse_list(values);
    error = add_value(values, from);
    while (!error && from <= to / 2) {
        from *= 2;
        error = add_value(values, from);
    }
    return error;
}

int sonde_bench_values(const struct bench_parameter *parameter, const char *list,
                       long **values, size_t *count, struct message *why)
{
    struct values reading = {.parameter = parameter, .list = list, .why = why};
    const char *at = list;
    int error = 0;

    *values = NULL;
    *count = 0;
    reading.rows = malloc(VALUES_MAX * sizeof *reading.rows);
    if (!reading.rows)
        return sonde_base_fail(why, -ENOMEM, "out of memory");
    do
        error = add_item(&reading, &at);
    while (!error && *at++ == ',');
    if (error) {
        free(reading.rows);
        return error;
    }
    *values = reading.rows;
    *count = reading.count;
    return 0;
}

/* --- declarations ---------------------------------------------------------------------
 */

static int refuse_declaration(const struct bench_kernel *kernel, const char *word,
                              struct message *why)
{
    return sonde_base_fail(why, -EINVAL,
                           "kernel %s: parameter '%.60s' is not NAME=FROM..TO, "
                           "NAME=FROM..TO/MULTIPLE or either with :DEFAULTS",
                           kernel->name, word);
}

static bool read_range(const char **at, struct bench_parameter *parameter)
{
    parameter->multiple = 1;
    if (!read_number(at, &parameter->from) || strncmp(*at, "..", 2) != 0)
        return false;
    *at += 2;
    if (!read_number(at, &parameter->to) || parameter->to < parameter->from)
        return false;
    if (**at == '/') {
        (*at)++;
        if (!read_number(at, &parameter->multiple) || parameter->multiple < 1)
            return false;
    }
    return true;
}

static int read_parameter(struct bench_kernel *kernel, const char *word,
                          struct message *why)
{
    struct bench_parameter *parameter = &kernel->parameters[kernel->parameter_count];
    const char *equals = strchr(word, '='), *at;
    size_t length = equals ? (size_t)(equals - word) : 0, count;
    long *values;
    int error;

    if (kernel->parameter_count == BENCH_PARAMETERS_MAX)
        return sonde_base_fail(why, -EINVAL, "kernel %s has more than %d parameters",
                               kernel->name, BENCH_PARAMETERS_MAX);
    if (length == 0 || length >= sizeof parameter->name)
        return refuse_declaration(kernel, word, why);
    memset(parameter, 0, sizeof *parameter);
    memcpy(parameter->name, word, length);
    at = equals + 1;
    if (!read_range(&at, parameter) || (*at && *at != ':'))
        return refuse_declaration(kernel, word, why);
    if (*at == ':')
        snprintf(parameter->defaults, sizeof parameter->defaults, "%s", at + 1);
    else
        snprintf(parameter->defaults, sizeof parameter->defaults, "%ld", parameter->from);
    error = sonde_bench_values(parameter, parameter->defaults, &values, &count, why);
    if (error)
        return error;
    free(values);
    kernel->parameter_count++;
    return 0;
}

int sonde_bench_parameters(struct bench_kernel *kernel, struct message *why)
{
    char text[BENCH_TEXT_MAX], *rest = text, *word;
    int error = 0;

    snprintf(text, sizeof text, "%s", kernel->parameter_text);
    kernel->parameter_count = 0;
    while (!error && (word = strsep(&rest, " ")))
        if (*word)
            error = read_parameter(kernel, word, why);
    return error;
}
