/* Values out of a model file, each held against its bounds.
 *
 * JSON has no NaN and jansson refuses numbers that do not fit, so what arrives here is
 * finite; bounds then keep every later computation finite too. Unknown keys are faults: a
 * misspelt one would otherwise plant another machine than the one meant. What can fool
 * it: nothing checks that values suit each other; that is the model's task. */
#include "measure/simulation_json.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far above any sensible model; bounds what a device or a wrong file can cost. */
static const size_t file_limit = 1 << 20;

int sonde_measure_simulation_parse(struct sim_reader *reader, const char *path,
                                   struct message *why)
{
    json_error_t fault;
    char *text = NULL;
    size_t length = 0;
    int error = sonde_base_read_file(path, file_limit, &text, &length);

    *reader = (struct sim_reader){.path = path, .why = why};
    if (error)
        return sonde_base_fail(why, error, "%s: %s; give the path of a model file", path,
                               strerror(-error));
    reader->top = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
    free(text);
    if (!reader->top)
        return sonde_base_fail(why, -EINVAL, "%s:%d: %s; write a JSON object", path,
                               fault.line, fault.text);
    reader->object = reader->top;
    if (!json_is_object(reader->top)) {
        json_decref(reader->top);
        reader->top = NULL;
        return sonde_base_fail(why, -EINVAL, "%s: not an object; a model is {...}", path);
    }
    return 0;
}

void sonde_measure_simulation_fault(struct sim_reader *reader, const char *key,
                                    const char *format, ...)
{
    char text[240];
    va_list arguments;

    if (reader->error)
        return;
    va_start(arguments, format);
    sonde_base_format(text, sizeof text, format, arguments);
    va_end(arguments);
    reader->error =
        sonde_base_fail(reader->why, -EINVAL, "%s: %s%s%s: %s", reader->path,
                        reader->where, reader->where[0] && key[0] ? "." : "", key, text);
}

json_t *sonde_measure_simulation_get(struct sim_reader *reader, const char *key)
{
    json_t *value = json_object_get(reader->object, key);

    return value || !reader->second ? value : json_object_get(reader->second, key);
}

double sonde_measure_simulation_number(struct sim_reader *reader, const char *key,
                                       double least, double most, double otherwise)
{
    json_t *value = sonde_measure_simulation_get(reader, key);
    double number = json_number_value(value);

    if (!value && !isnan(otherwise))
        return otherwise;
    if (!value)
        sonde_measure_simulation_fault(
            reader, key, "missing; give a number from %.15g to %.15g", least, most);
    else if (!json_is_number(value))
        sonde_measure_simulation_fault(
            reader, key, "no number; give one from %.15g to %.15g", least, most);
    else if (!(number >= least && number <= most))
        sonde_measure_simulation_fault(reader, key,
                                       "%.15g is out of bounds; give %.15g to %.15g",
                                       number, least, most);
    return reader->error ? least : number;
}

uint64_t sonde_measure_simulation_power(struct sim_reader *reader, const char *key,
                                        uint64_t least, uint64_t most, uint64_t otherwise)
{
    double number = sonde_measure_simulation_number(
        reader, key, (double)least, (double)most, otherwise ? (double)otherwise : NAN);
    uint64_t value = (uint64_t)number;

    if ((double)value != number || (value & (value - 1)))
        sonde_measure_simulation_fault(
            reader, key, "%.15g is no power of two; give one from %llu to %llu", number,
            (unsigned long long)least, (unsigned long long)most);
    return reader->error ? least : value;
}

void sonde_measure_simulation_text(struct sim_reader *reader, const char *key,
                                   const char *otherwise, char *out, size_t size)
{
    json_t *value = sonde_measure_simulation_get(reader, key);
    const char *text = value ? json_string_value(value) : otherwise;

    out[0] = '\0';
    if (!value && !otherwise)
        sonde_measure_simulation_fault(reader, key, "missing; give a string");
    else if (!text)
        sonde_measure_simulation_fault(reader, key, "no string; put it in quotes");
    else if (strlen(text) >= size || strpbrk(text, "\n\r"))
        sonde_measure_simulation_fault(
            reader, key, "too long; give one line of at most %zu bytes", size - 1);
    else
        memcpy(out, text, strlen(text) + 1);
}

bool sonde_measure_simulation_flag(struct sim_reader *reader, const char *key)
{
    json_t *value = sonde_measure_simulation_get(reader, key);

    if (value && !json_is_boolean(value))
        sonde_measure_simulation_fault(reader, key, "give true or false");
    return json_is_true(value);
}

static const char *nearest(const char *const *keys, const char *key)
{
    const char *best = keys[0];

    for (size_t i = 1; keys[i]; i++)
        if (sonde_base_distance(keys[i], key) < sonde_base_distance(best, key))
            best = keys[i];
    return best;
}

static bool listed(const char *const *keys, const char *key)
{
    for (size_t i = 0; keys[i]; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

void sonde_measure_simulation_known(struct sim_reader *reader, const char *const *keys)
{
    const char *key;
    json_t *value;

    json_object_foreach(reader->object, key, value) if (!listed(keys, key))
        sonde_measure_simulation_fault(reader, key, "no such key; the nearest is \"%s\"",
                                       nearest(keys, key));
}

static bool enter(struct sim_reader *reader, json_t *object, const char *where)
{
    size_t length = strlen(reader->where);

    if (!json_is_object(object)) {
        sonde_measure_simulation_fault(reader, where, "no object; write {...}");
        return false;
    }
    snprintf(reader->where + length, sizeof reader->where - length, "%s%s",
             length ? "." : "", where);
    reader->object = object;
    reader->second = NULL;
    return true;
}

bool sonde_measure_simulation_enter(struct sim_reader *reader, const char *key,
                                    bool required)
{
    json_t *object = sonde_measure_simulation_get(reader, key);

    if (!object && required)
        sonde_measure_simulation_fault(reader, key, "missing; write an object {...}");
    return object && enter(reader, object, key);
}

bool sonde_measure_simulation_enter_item(struct sim_reader *reader, const char *key,
                                         size_t index)
{
    json_t *item = json_array_get(sonde_measure_simulation_get(reader, key), index);
    char where[48];

    snprintf(where, sizeof where, "%s[%zu]", key, index);
    return enter(reader, item, where);
}

size_t sonde_measure_simulation_count(struct sim_reader *reader, const char *key)
{
    json_t *array = sonde_measure_simulation_get(reader, key);

    if (array && !json_is_array(array))
        sonde_measure_simulation_fault(reader, key, "no array; write [...]");
    return json_array_size(array);
}

void sonde_measure_simulation_leave(struct sim_reader *reader,
                                    const struct sim_reader *outer)
{
    int error = reader->error;

    *reader = *outer;
    reader->error = error;
}
