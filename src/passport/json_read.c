/* A passport from JSON, strictly: a value of the wrong kind is refused, never guessed.
 *
 * jansson parses (it bounds nesting, refuses numbers beyond binary64 and duplicate keys);
 * this file walks the tree and carries the path it stands on, so that a refusal can name
 * it. Unknown keys are ignored, for files of later versions under the same schema;
 * missing ones are unknown. Nothing is appended to the list unless the whole text was
 * good. */
#include "passport/fields.h"
#include "passport/passport.h"

#include "base/text.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_DEPTH = 12 };

struct step {
    const char *name; /* NULL: an index */
    size_t index;
};

struct reading {
    struct passport *passport;
    const char *origin;
    struct message *why;
    struct step path[PATH_MAX_DEPTH];
    unsigned depth;
};

static void enter(struct reading *reading, const char *name, size_t index)
{
    if (reading->depth < PATH_MAX_DEPTH)
        reading->path[reading->depth++] = (struct step){name, index};
}

static void leave(struct reading *reading)
{
    reading->depth--;
}

/* Refuses the value of `key` (NULL: the value the path leads to). */
static int refuse(struct reading *reading, const char *key, const char *what)
{
    struct text path = {0};
    if (key)
        enter(reading, key, 0);
    for (unsigned i = 0; i < reading->depth; i++)
        if (reading->path[i].name)
            sonde_base_text_print(&path, "%s%.40s", i && path.length ? "." : "",
                                  reading->path[i].name);
        else
            sonde_base_text_print(&path, "[%zu]", reading->path[i].index);
    if (key)
        leave(reading);
    int code = sonde_base_fail(reading->why, -EINVAL, "%s: %s %s", reading->origin,
                               path.failed || !path.data ? "the file" : path.data, what);
    sonde_base_text_free(&path);
    return code;
}

static int out_of_memory(struct reading *reading)
{
    return sonde_base_fail(reading->why, -ENOMEM, "%s: out of memory", reading->origin);
}

/* --- values
 * ------------------------------------------------------------------------------ */

static bool absent(const json_t *value)
{
    return !value || json_is_null(value);
}

static int read_number(struct reading *reading, const json_t *object, const char *key,
                       double *number)
{
    const json_t *value = json_object_get(object, key);
    if (!absent(value) && !json_is_number(value))
        return refuse(reading, key, "is neither a number nor null");
    *number = absent(value) ? NAN : json_number_value(value);
    return 0;
}

static int read_count(struct reading *reading, const json_t *object, const char *key,
                      size_t *count)
{
    const json_t *value = json_object_get(object, key);
    *count = 0;
    if (absent(value))
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return refuse(reading, key, "is no whole number from 0 up");
    *count = (size_t)json_integer_value(value);
    return 0;
}

static int read_string(struct reading *reading, const json_t *object, const char *key,
                       char **string)
{
    const json_t *value = json_object_get(object, key);
    if (absent(value))
        return 0;
    if (!json_is_string(value))
        return refuse(reading, key, "is neither a string nor null");
    free(*string);
    *string = sonde_base_copy(json_string_value(value));
    return *string ? 0 : out_of_memory(reading);
}

/* A string that lives as long as the tree; absent becomes "". */
static int borrow_string(struct reading *reading, const json_t *object, const char *key,
                         const char **string)
{
    const json_t *value = json_object_get(object, key);
    *string = absent(value) ? "" : json_string_value(value);
    return *string ? 0 : refuse(reading, key, "is neither a string nor null");
}

/* A string the structures point at and do not own: it goes to the passport's pool. */
static int read_word(struct reading *reading, const json_t *object, const char *key,
                     const char **word)
{
    int rc = borrow_string(reading, object, key, word);
    if (rc)
        return rc;
    if (!**word) {
        *word = ""; /* not the tree's, which goes */
        return 0;
    }
    *word = sonde_passport_word(reading->passport, *word);
    return *word ? 0 : refuse(reading, key, "is too long, or one of too many such words");
}

/* `value`: a number, a text that stands in its place, or null. */
static int read_value(struct reading *reading, const json_t *object, double *number,
                      char **text)
{
    const json_t *value = json_object_get(object, "value");
    *number = NAN;
    if (json_is_string(value))
        return read_string(reading, object, "value", text);
    if (!absent(value) && !json_is_number(value))
        return refuse(reading, "value", "is neither a number nor a string nor null");
    if (!absent(value))
        *number = json_number_value(value);
    return 0;
}

/* The member `key` when it is of the type asked for, NULL when absent. */
static int read_member(struct reading *reading, const json_t *object, const char *key,
                       json_type type, const json_t **member)
{
    *member = json_object_get(object, key);
    if (absent(*member))
        *member = NULL;
    else if (json_typeof(*member) != type)
        return refuse(reading, key, type == JSON_ARRAY ? "is no array" : "is no object");
    return 0;
}

typedef int read_item(struct reading *reading, const char *name, const json_t *item,
                      void *self);

/* Calls `read` for every member of an object, each of which must be an object. */
static int each_member(struct reading *reading, const json_t *object, const char *key,
                       read_item *read, void *self)
{
    const json_t *members;
    int rc = read_member(reading, object, key, JSON_OBJECT, &members);
    if (rc || !members)
        return rc;
    const char *name;
    json_t *item;
    enter(reading, key, 0);
    json_object_foreach((json_t *)(uintptr_t)members, name, item)
    {
        enter(reading, name, 0);
        rc = json_is_object(item) ? read(reading, name, item, self)
                                  : refuse(reading, NULL, "is no object");
        leave(reading);
        if (rc)
            break;
    }
    leave(reading);
    return rc;
}

/* The same for the items of an array. */
static int each_item(struct reading *reading, const json_t *object, const char *key,
                     read_item *read, void *self)
{
    const json_t *items;
    int rc = read_member(reading, object, key, JSON_ARRAY, &items);
    if (rc || !items)
        return rc;
    enter(reading, key, 0);
    for (size_t i = 0; i < json_array_size(items) && rc == 0; i++) {
        const json_t *item = json_array_get(items, i);
        enter(reading, NULL, i);
        rc = json_is_object(item) ? read(reading, NULL, item, self)
                                  : refuse(reading, NULL, "is no object");
        leave(reading);
    }
    leave(reading);
    return rc;
}

/* --- series
 * ------------------------------------------------------------------------------ */

/* Joined to one word, as the structures have them. */
static int read_names(struct reading *reading, const json_t *item, const char **names)
{
    const json_t *array = json_object_get(item, "names"), *name;
    struct text joined = {0};
    size_t i;
    int rc = 0;
    if (absent(array))
        return 0;
    if (!json_is_array(array))
        return refuse(reading, "names", "is neither a list nor null");
    json_array_foreach(array, i, name)
    {
        const char *text = json_string_value(name);
        if (!text || !*text || strchr(text, '|'))
            rc = refuse(reading, "names", "has what is no name");
        if (rc)
            break;
        sonde_base_text_print(&joined, "%s%s", i ? "|" : "", text);
    }
    if (!rc && joined.data) {
        *names = sonde_passport_word(reading->passport, joined.data);
        rc = *names ? 0 : refuse(reading, "names", "are too long, or too many");
    }
    sonde_base_text_free(&joined);
    return rc;
}

static int read_axis(struct reading *reading, const char *name, const json_t *item,
                     void *self)
{
    struct series *series = self;
    (void)name;
    if (series->axis_count >= SERIES_AXES_MAX)
        return refuse(reading, NULL, "is one axis too many");
    unsigned number = series->axis_count++;
    struct axis *axis = &series->axes[number];
    int rc = read_word(reading, item, "name", &axis->name);
    if (rc == 0)
        rc = read_word(reading, item, "unit", &axis->unit);
    if (rc == 0)
        rc = read_word(reading, item, "scale", &axis->scale);
    return rc ? rc : read_names(reading, item, &series->place_names[number]);
}

static int read_at(struct reading *reading, const json_t *item,
                   const struct series *series, struct series_point *point)
{
    const json_t *at;
    int rc = read_member(reading, item, "at", JSON_ARRAY, &at);
    if (rc)
        return rc;
    if (json_array_size(at) != series->axis_count)
        return refuse(reading, "at", "has not one number for each axis");
    for (unsigned i = 0; i < series->axis_count; i++) {
        const json_t *value = json_array_get(at, i);
        if (!json_is_number(value))
            return refuse(reading, "at", "holds something that is no number");
        point->at[i] = json_number_value(value);
    }
    return 0;
}

static int read_flags(struct reading *reading, const json_t *item, unsigned *flags)
{
    const json_t *names;
    int rc = read_member(reading, item, "flags", JSON_ARRAY, &names);
    for (size_t i = 0; rc == 0 && i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (!name)
            return refuse(reading, "flags", "holds something that is no string");
        for (unsigned bit = 0; sonde_measure_flag_name(bit); bit++)
            if (strcmp(name, sonde_measure_flag_name(bit)) == 0)
                *flags |= 1u << bit;
    }
    return rc;
}

static int read_rounds(struct reading *reading, const json_t *rounds,
                       struct series_point *point)
{
    for (size_t i = 0; rounds && i < point->n; i++) {
        const json_t *value = json_array_get(rounds, i);
        json_int_t round = json_integer_value(value);
        if (!json_is_integer(value) || round < 0 || round > UINT32_MAX)
            return refuse(reading, "sample_rounds", "holds something that is no round");
        point->samples[i].round = (uint32_t)round;
    }
    return 0;
}

static int read_cycles(struct reading *reading, const json_t *cycles,
                       struct series_point *point)
{
    for (size_t i = 0; i < point->n; i++) {
        const json_t *value = json_array_get(cycles, i);
        if (!absent(value) && !json_is_number(value))
            return refuse(reading, "sample_cycles", "holds something that is no number");
        point->samples[i].cycles = absent(value) ? NAN : json_number_value(value);
    }
    return 0;
}

static int read_samples(struct reading *reading, const json_t *item,
                        struct series_point *point)
{
    static const char *const keys[] = {"samples", "sample_rounds", "sample_cycles"};
    const json_t *arrays[3];
    for (unsigned i = 0; i < 3; i++) {
        int rc = read_member(reading, item, keys[i], JSON_ARRAY, &arrays[i]);
        if (rc)
            return rc;
        if (arrays[i] && (!arrays[0] || json_array_size(arrays[i]) != point->n))
            return refuse(reading, keys[i], "does not hold n values");
    }
    if (!arrays[0] || point->n == 0)
        return 0;
    point->samples = calloc(point->n, sizeof *point->samples);
    if (!point->samples)
        return out_of_memory(reading);
    for (size_t i = 0; i < point->n; i++) {
        const json_t *value = json_array_get(arrays[0], i);
        if (!json_is_number(value))
            return refuse(reading, "samples", "holds something that is no number");
        point->samples[i].value = json_number_value(value);
    }
    int rc = read_rounds(reading, arrays[1], point);
    return rc ? rc : read_cycles(reading, arrays[2], point);
}

static int read_outliers(struct reading *reading, const json_t *item,
                         struct series_point *point)
{
    const json_t *outliers;
    int rc = read_member(reading, item, "outliers", JSON_OBJECT, &outliers);
    if (rc == 0)
        rc = read_count(reading, outliers, "mild", &point->outliers_mild);
    if (rc == 0)
        rc = read_count(reading, outliers, "severe", &point->outliers_severe);
    if (rc == 0)
        rc = read_count(reading, item, "rejected", &point->rejected);
    if (rc == 0 && json_object_get(item, "apart"))
        rc = read_count(reading, item, "apart", &point->apart);
    return rc;
}

static int read_counters(struct reading *reading, const json_t *item,
                         struct series_point *point)
{
    const json_t *counters;
    const char *name;
    json_t *value;
    int rc = read_member(reading, item, "counters", JSON_OBJECT, &counters);
    if (rc || !counters)
        return rc;
    json_object_foreach((json_t *)counters, name, value)
    {
        if (!absent(value) && !json_is_number(value))
            return refuse(reading, "counters", "holds a value that is no number");
        double number = absent(value) ? NAN : json_number_value(value);
        if (!sonde_measure_counter_add(point, name, number))
            return out_of_memory(reading);
    }
    return 0;
}

static int read_point(struct reading *reading, const char *name, const json_t *item,
                      void *self)
{
    struct series *series = self;
    struct series_point *point = sonde_measure_point_add(series);
    (void)name;
    if (!point)
        return out_of_memory(reading);
    size_t count;
    const struct point_field *fields = sonde_passport_point_fields(&count);
    int rc = read_at(reading, item, series, point);
    if (rc == 0)
        rc = read_count(reading, item, "n", &point->n);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = read_number(reading, item, fields[i].key,
                         sonde_passport_point_field(point, &fields[i]));
    if (rc == 0)
        rc = read_outliers(reading, item, point);
    if (rc == 0)
        rc = read_flags(reading, item, &point->flags);
    if (rc == 0)
        rc = read_string(reading, item, "label", &point->label);
    if (rc == 0)
        rc = read_counters(reading, item, point);
    return rc ? rc : read_samples(reading, item, point);
}

static int read_quantity(struct reading *reading, const json_t *item,
                         struct series *series)
{
    const json_t *quantity;
    const char *statistic;
    int rc = read_member(reading, item, "quantity", JSON_OBJECT, &quantity);
    if (rc == 0)
        rc = read_word(reading, quantity, "name", &series->quantity);
    if (rc == 0)
        rc = read_word(reading, quantity, "unit", &series->unit);
    if (rc == 0)
        rc = borrow_string(reading, item, "statistic", &statistic);
    if (rc)
        return rc;
    if (*statistic && sonde_measure_statistic_parse(statistic, &series->statistic) != 0)
        return refuse(reading, "statistic", "is none of \"q25\", \"median\", \"q75\"");
    return 0;
}

static int read_series(struct reading *reading, const char *name, const json_t *item,
                       void *self)
{
    struct series *series = sonde_measure_series_add(self, name);
    if (!series)
        return out_of_memory(reading);
    int rc = each_item(reading, item, "axes", read_axis, series);
    if (rc == 0)
        rc = read_quantity(reading, item, series);
    return rc ? rc : each_item(reading, item, "points", read_point, series);
}

/* --- findings
 * ---------------------------------------------------------------------------- */

static int read_verdict(struct reading *reading, const json_t *item,
                        enum verdict *verdict)
{
    const char *name;
    int rc = borrow_string(reading, item, "verdict", &name);
    *verdict = VERDICT_UNDECLARED;
    if (rc == 0 && *name && sonde_infer_verdict_parse(name, verdict) != 0)
        return refuse(reading, "verdict", "is no verdict");
    return rc;
}

static int read_finding(struct reading *reading, const char *name, const json_t *item,
                        void *self)
{
    const char *unit;
    int rc = read_word(reading, item, "unit", &unit);
    if (rc)
        return rc;
    struct finding *finding = sonde_infer_find(self, name, unit, NAN, NAN, NAN, NAN, "");
    if (!finding)
        return out_of_memory(reading);
    free(finding->method);
    finding->method = NULL;
    struct {
        const char *key;
        double *number;
    } const numbers[] = {{"low", &finding->low},
                         {"high", &finding->high},
                         {"confidence", &finding->confidence},
                         {"declared", &finding->declared}};
    for (size_t i = 0; rc == 0 && i < sizeof numbers / sizeof numbers[0]; i++)
        rc = read_number(reading, item, numbers[i].key, numbers[i].number);
    if (rc == 0)
        rc = read_value(reading, item, &finding->value, &finding->text);
    if (rc == 0)
        rc = read_verdict(reading, item, &finding->verdict);
    if (rc == 0)
        rc = read_string(reading, item, "method", &finding->method);
    return rc ? rc : read_string(reading, item, "reason", &finding->reason);
}

static int read_control(struct reading *reading, const char *name, const json_t *item,
                        void *self)
{
    char *texts[3] = {NULL, NULL, NULL};
    static const char *const keys[] = {"what", "expected", "observed"};
    const json_t *ok = json_object_get(item, "ok");
    int rc = json_is_boolean(ok) ? 0 : refuse(reading, "ok", "is neither true nor false");
    (void)name;
    for (unsigned i = 0; rc == 0 && i < 3; i++)
        rc = read_string(reading, item, keys[i], &texts[i]);
    if (rc == 0 &&
        !sonde_infer_control(self, json_is_true(ok), texts[0] ? texts[0] : "",
                             texts[1] ? texts[1] : "", "%s", texts[2] ? texts[2] : ""))
        rc = out_of_memory(reading);
    for (unsigned i = 0; i < 3; i++)
        free(texts[i]);
    return rc;
}

/* --- the passport
 * ------------------------------------------------------------------------ */

static int read_status(struct reading *reading, const json_t *item,
                       enum probe_status *status)
{
    const char *name;
    int rc = borrow_string(reading, item, "status", &name);
    if (rc == 0 && sonde_passport_status_parse(name, status) != 0)
        return refuse(reading, "status", "is no status of a probe");
    return rc;
}

static int read_probe(struct reading *reading, const char *name, const json_t *item,
                      void *self)
{
    struct probe_result *probe = sonde_passport_probe_add(self, name);
    if (!probe)
        return out_of_memory(reading);
    int rc = read_status(reading, item, &probe->status);
    if (rc == 0)
        rc = read_string(reading, item, "reason", &probe->reason);
    if (rc == 0)
        rc = read_string(reading, item, "remedy", &probe->remedy);
    if (rc == 0)
        rc = read_number(reading, item, "seconds", &probe->seconds);
    if (rc == 0)
        rc = each_member(reading, item, "series", read_series, &probe->series);
    if (rc == 0)
        rc = each_member(reading, item, "findings", read_finding, &probe->findings);
    return rc ? rc : each_item(reading, item, "controls", read_control, &probe->findings);
}

static int read_fact_status(struct reading *reading, const json_t *item,
                            struct fact *fact)
{
    const char *name;
    int rc = borrow_string(reading, item, "status", &name);
    if (rc)
        return rc;
    bool value = isfinite(fact->value) || fact->text;
    if (strcmp(name, "implausible") == 0)
        fact->status = FACT_IMPLAUSIBLE;
    else if (strcmp(name, "unknown") == 0 || (!*name && !value))
        fact->status = FACT_UNKNOWN;
    else if (strcmp(name, "known") == 0 || !*name)
        fact->status = FACT_KNOWN;
    else
        return refuse(reading, "status", "is no status of a fact");
    return 0;
}

static int read_fact(struct reading *reading, const char *key, const json_t *item,
                     void *self)
{
    const char *name, *source, *witness, *unit;
    (void)key;
    int rc = borrow_string(reading, item, "name", &name);
    if (rc == 0)
        rc = borrow_string(reading, item, "source", &source);
    if (rc == 0)
        rc = read_word(reading, item, "witness", &witness);
    if (rc == 0)
        rc = read_word(reading, item, "unit", &unit);
    if (rc)
        return rc;
    struct fact *fact =
        sonde_machine_fact_number(self, name, source, *witness ? witness : NULL, unit, 1);
    if (!fact)
        return out_of_memory(reading);
    rc = read_value(reading, item, &fact->value, &fact->text);
    if (rc == 0)
        rc = read_fact_status(reading, item, fact);
    return rc ? rc : read_string(reading, item, "note", &fact->note);
}

static int read_warning(struct reading *reading, const char *name, const json_t *item,
                        void *self)
{
    char *code = NULL, *message = NULL, *hint = NULL;
    (void)name;
    int rc = read_string(reading, item, "code", &code);
    if (rc == 0)
        rc = read_string(reading, item, "message", &message);
    if (rc == 0)
        rc = read_string(reading, item, "hint", &hint);
    if (rc == 0 &&
        sonde_passport_warn(self, code, hint, "%s", message ? message : "") != 0)
        rc = out_of_memory(reading);
    free(code);
    free(message);
    free(hint);
    return rc;
}

static int read_fields(struct reading *reading, const json_t *root)
{
    size_t count;
    const struct passport_field *fields = sonde_passport_fields(&count);
    for (size_t i = 0; i < count; i++) {
        const struct passport_field *f = &fields[i];
        const json_t *section;
        int rc = read_member(reading, root, f->section, JSON_OBJECT, &section);
        enter(reading, f->section, 0);
        if (rc == 0)
            rc = f->number
                     ? read_number(reading, section, f->key,
                                   sonde_passport_field_number(reading->passport, f))
                     : read_string(reading, section, f->key,
                                   sonde_passport_field_string(reading->passport, f));
        leave(reading);
        if (rc)
            return rc;
    }
    return 0;
}

static int read_schema(struct reading *reading, const json_t *root)
{
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_integer(schema) || json_integer_value(schema) < 1)
        return refuse(reading, "schema", "is not there: this is no passport of sonde");
    if (json_integer_value(schema) > SONDE_SCHEMA)
        return refuse(reading, "schema",
                      "is newer than this program reads: use a newer sonde");
    return 0;
}

static int read_passport(struct reading *reading, const json_t *root)
{
    struct passport *passport = reading->passport;
    if (!json_is_object(root))
        return refuse(reading, NULL, "is no passport");
    int rc = read_schema(reading, root);
    if (rc == 0)
        rc = read_fields(reading, root);
    if (rc == 0)
        rc = each_item(reading, root, "facts", read_fact, &passport->facts);
    if (rc == 0)
        rc = each_item(reading, root, "warnings", read_warning, passport);
    return rc ? rc : each_member(reading, root, "probes", read_probe, passport);
}

static int read_root(struct passport_list *list, const json_t *root,
                     struct reading *reading)
{
    bool several = json_is_array(root);
    size_t count = several ? json_array_size(root) : 1;
    if (count == 0)
        return sonde_base_fail(reading->why, -EINVAL, "%s: holds no passport",
                               reading->origin);
    for (size_t i = 0; i < count; i++) {
        reading->depth = 0;
        if (several)
            enter(reading, NULL, i);
        reading->passport = sonde_passport_add(list);
        if (!reading->passport)
            return out_of_memory(reading);
        int rc = read_passport(reading, several ? json_array_get(root, i) : root);
        if (rc)
            return rc;
    }
    return 0;
}

/* Moves the rows of `from` behind those of `to`. */
static int move_rows(struct passport_list *to, struct passport_list *from)
{
    size_t count = to->count + from->count;
    struct passport *rows = reallocarray(to->rows, count, sizeof *rows);
    if (!rows)
        return -ENOMEM;
    memcpy(rows + to->count, from->rows, from->count * sizeof *rows);
    *to = (struct passport_list){.rows = rows, .count = count};
    free(from->rows);
    *from = (struct passport_list){0};
    return 0;
}

int sonde_passport_from_json(struct passport_list *list, const char *text, size_t length,
                             const char *origin, struct message *why)
{
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return sonde_base_fail(why, -EINVAL, "%s:%d: not valid JSON: %s", origin,
                               error.line, error.text);
    struct passport_list good = {0};
    struct reading reading = {.origin = origin, .why = why};
    int rc = read_root(&good, root, &reading);
    if (rc == 0 && move_rows(list, &good) != 0)
        rc = out_of_memory(&reading);
    sonde_passport_list_free(&good);
    json_decref(root);
    return rc;
}
