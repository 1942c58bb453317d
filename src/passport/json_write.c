/* A passport as JSON: one walk in a fixed order.
 *
 * Probes, series and findings are objects by name. Should one name occur twice in a list,
 * the later one is written as "name#2": an object must not hold a key twice, and nothing
 * measured may be lost. */
#include "passport/fields.h"
#include "passport/json_emit.h"
#include "passport/passport.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_fields(struct json_emitter *e, const struct passport *passport)
{
    size_t count;
    const struct passport_field *fields = sonde_passport_fields(&count);
    /* The accessors serve the reader too, which writes; here nothing is changed. */
    struct passport *whole = (struct passport *)(uintptr_t)passport;
    for (size_t i = 0; i < count; i++) {
        const struct passport_field *f = &fields[i];
        if (i == 0 || strcmp(f->section, fields[i - 1].section) != 0)
            sonde_passport_emit_open(e, f->section, '{');
        if (f->number)
            sonde_passport_emit_number(e, f->key, *sonde_passport_field_number(whole, f));
        else
            sonde_passport_emit_string(e, f->key, *sonde_passport_field_string(whole, f));
        if (i + 1 == count || strcmp(f->section, fields[i + 1].section) != 0)
            sonde_passport_emit_close(e);
    }
}

/* A number, or the text that stands where no number can. */
static void write_value(struct json_emitter *e, const char *key, double value,
                        const char *text)
{
    if (text)
        sonde_passport_emit_string(e, key, text);
    else
        sonde_passport_emit_number(e, key, value);
}

static void write_facts(struct json_emitter *e, const struct facts *facts)
{
    static const char *const status[] = {
        [FACT_KNOWN] = "known",
        [FACT_UNKNOWN] = "unknown",
        [FACT_IMPLAUSIBLE] = "implausible",
    };
    sonde_passport_emit_open(e, "facts", '[');
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->rows[i];
        sonde_passport_emit_flow(e, NULL, '{');
        sonde_passport_emit_string(e, "name", fact->name);
        write_value(e, "value", fact->value, fact->text);
        sonde_passport_emit_string(e, "unit", fact->unit);
        sonde_passport_emit_string(e, "source", fact->source);
        sonde_passport_emit_string(e, "witness", fact->witness);
        sonde_passport_emit_string(e, "status", status[fact->status]);
        sonde_passport_emit_string(e, "note", fact->note);
        sonde_passport_emit_close(e);
    }
    sonde_passport_emit_close(e);
}

static void write_warnings(struct json_emitter *e, const struct passport *passport)
{
    sonde_passport_emit_open(e, "warnings", '[');
    for (size_t i = 0; i < passport->warning_count; i++) {
        const struct warning *warning = &passport->warnings[i];
        sonde_passport_emit_open(e, NULL, '{');
        sonde_passport_emit_string(e, "code", warning->code);
        sonde_passport_emit_string(e, "message", warning->message);
        sonde_passport_emit_string(e, "hint", warning->hint);
        sonde_passport_emit_close(e);
    }
    sonde_passport_emit_close(e);
}

/* Of the places 0, 1, 2, ... */
static void write_names(struct json_emitter *e, const struct series *series,
                        unsigned axis)
{
    struct series_point point = {.at = {0}};
    const char *name;

    if (!series->place_names[axis])
        return;
    sonde_passport_emit_flow(e, "names", '[');
    for (;; point.at[axis]++) {
        size_t length = sonde_measure_place_name(series, &point, axis, &name);
        char text[SONDE_WORD_LENGTH + 1];

        if (!length)
            break;
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        sonde_passport_emit_string(e, NULL, text);
    }
    sonde_passport_emit_close(e);
}

static void write_axes(struct json_emitter *e, const struct series *series)
{
    sonde_passport_emit_open(e, "axes", '[');
    for (unsigned i = 0; i < series->axis_count; i++) {
        sonde_passport_emit_flow(e, NULL, '{');
        sonde_passport_emit_string(e, "name", series->axes[i].name);
        sonde_passport_emit_string(e, "unit", series->axes[i].unit);
        sonde_passport_emit_string(e, "scale", series->axes[i].scale);
        write_names(e, series, i);
        sonde_passport_emit_close(e);
    }
    sonde_passport_emit_close(e);
    sonde_passport_emit_flow(e, "quantity", '{');
    sonde_passport_emit_string(e, "name", series->quantity);
    sonde_passport_emit_string(e, "unit", series->unit);
    sonde_passport_emit_close(e);
    sonde_passport_emit_string(e, "statistic",
                               sonde_measure_statistic_name(series->statistic));
}

/* A sample of single precision reads back the same. */
enum { SAMPLE_DIGITS = 9 };

/* Values, rounds and cycles beside each other, a line each: enough to infer anew. */
static void write_samples(struct json_emitter *e, const struct series_point *point)
{
    bool cycles = false;
    sonde_passport_emit_break(e);
    sonde_passport_emit_flow(e, "samples", '[');
    for (size_t i = 0; i < point->n; i++) {
        sonde_passport_emit_rounded(e, NULL, point->samples[i].value, SAMPLE_DIGITS);
        cycles = cycles || isfinite(point->samples[i].cycles);
    }
    sonde_passport_emit_close(e);
    sonde_passport_emit_break(e);
    sonde_passport_emit_flow(e, "sample_rounds", '[');
    for (size_t i = 0; i < point->n; i++)
        sonde_passport_emit_number(e, NULL, point->samples[i].round);
    sonde_passport_emit_close(e);
    if (!cycles)
        return;
    sonde_passport_emit_break(e);
    sonde_passport_emit_flow(e, "sample_cycles", '[');
    for (size_t i = 0; i < point->n; i++)
        sonde_passport_emit_rounded(e, NULL, point->samples[i].cycles, SAMPLE_DIGITS);
    sonde_passport_emit_close(e);
}

static void write_flags(struct json_emitter *e, unsigned flags)
{
    sonde_passport_emit_flow(e, "flags", '[');
    for (unsigned bit = 0; sonde_measure_flag_name(bit); bit++)
        if (flags >> bit & 1)
            sonde_passport_emit_string(e, NULL, sonde_measure_flag_name(bit));
    sonde_passport_emit_close(e);
}

static void write_counters(struct json_emitter *e, const struct series_point *point)
{
    if (!point->counter_count)
        return;
    sonde_passport_emit_flow(e, "counters", '{');
    for (size_t i = 0; i < point->counter_count; i++)
        sonde_passport_emit_number(e, point->counters[i].name, point->counters[i].value);
    sonde_passport_emit_close(e);
}

static void write_point(struct json_emitter *e, const struct series *series,
                        const struct series_point *point, bool samples)
{
    size_t count;
    const struct point_field *fields = sonde_passport_point_fields(&count);
    struct series_point figures = *point;
    sonde_passport_emit_flow(e, NULL, '{');
    sonde_passport_emit_flow(e, "at", '[');
    for (unsigned i = 0; i < series->axis_count; i++)
        sonde_passport_emit_number(e, NULL, point->at[i]);
    sonde_passport_emit_close(e);
    sonde_passport_emit_number(e, "n", (double)point->n);
    for (size_t i = 0; i < count; i++)
        sonde_passport_emit_number(e, fields[i].key,
                                   *sonde_passport_point_field(&figures, &fields[i]));
    sonde_passport_emit_flow(e, "outliers", '{');
    sonde_passport_emit_number(e, "mild", (double)point->outliers_mild);
    sonde_passport_emit_number(e, "severe", (double)point->outliers_severe);
    sonde_passport_emit_close(e);
    sonde_passport_emit_number(e, "rejected", (double)point->rejected);
    if (point->apart)
        sonde_passport_emit_number(e, "apart", (double)point->apart);
    write_flags(e, point->flags);
    sonde_passport_emit_string(e, "label", point->label);
    write_counters(e, point);
    if (samples && point->samples)
        write_samples(e, point);
    sonde_passport_emit_close(e);
}

static void write_finding(struct json_emitter *e, const char *key,
                          const struct finding *finding)
{
    sonde_passport_emit_open(e, key, '{');
    write_value(e, "value", finding->value, finding->text);
    sonde_passport_emit_number(e, "low", finding->low);
    sonde_passport_emit_number(e, "high", finding->high);
    sonde_passport_emit_string(e, "unit", finding->unit);
    sonde_passport_emit_number(e, "confidence", finding->confidence);
    sonde_passport_emit_number(e, "declared", finding->declared);
    sonde_passport_emit_string(e, "verdict", sonde_infer_verdict_name(finding->verdict));
    sonde_passport_emit_string(e, "method", finding->method);
    sonde_passport_emit_string(e, "reason", finding->reason);
    sonde_passport_emit_close(e);
}

static void write_controls(struct json_emitter *e, const struct findings *findings)
{
    sonde_passport_emit_open(e, "controls", '[');
    for (size_t i = 0; i < findings->control_count; i++) {
        const struct control *control = &findings->controls[i];
        sonde_passport_emit_open(e, NULL, '{');
        sonde_passport_emit_string(e, "what", control->what);
        sonde_passport_emit_string(e, "expected", control->expected);
        sonde_passport_emit_string(e, "observed", control->observed);
        sonde_passport_emit_bool(e, "ok", control->ok);
        sonde_passport_emit_close(e);
    }
    sonde_passport_emit_close(e);
}

/* The name of row `index` of rows of `stride` bytes that begin with their name, or
 * "name#2" when an earlier row has it. */
static const char *unique(const void *rows, size_t stride, size_t offset, size_t index,
                          char *room, size_t size)
{
    const char *base = (const char *)rows + offset;
    const char *name = *(char *const *)(const void *)(base + index * stride);
    unsigned earlier = 0;
    name = name ? name : "";
    for (size_t i = 0; i < index; i++) {
        const char *other = *(char *const *)(const void *)(base + i * stride);
        earlier += strcmp(other ? other : "", name) == 0;
    }
    if (earlier == 0)
        return name;
    snprintf(room, size, "%.200s#%u", name, earlier + 1);
    return room;
}

#define UNIQUE(type, rows, index, room)                                                  \
    unique(rows, sizeof(type), offsetof(type, name), index, room, sizeof room)

static void write_series(struct json_emitter *e, const struct series_list *list,
                         bool samples)
{
    char room[224];
    sonde_passport_emit_open(e, "series", '{');
    for (size_t i = 0; i < list->count; i++) {
        const struct series *series = &list->rows[i];
        sonde_passport_emit_open(e, UNIQUE(struct series, list->rows, i, room), '{');
        write_axes(e, series);
        sonde_passport_emit_open(e, "points", '[');
        for (size_t p = 0; p < series->count; p++)
            write_point(e, series, &series->points[p], samples);
        sonde_passport_emit_close(e);
        sonde_passport_emit_close(e);
    }
    sonde_passport_emit_close(e);
}

static void write_probe(struct json_emitter *e, const char *key,
                        const struct probe_result *probe, bool samples)
{
    const struct findings *findings = &probe->findings;
    char room[224];
    sonde_passport_emit_open(e, key, '{');
    sonde_passport_emit_string(e, "status", sonde_passport_status_name(probe->status));
    sonde_passport_emit_string(e, "reason", probe->reason);
    sonde_passport_emit_string(e, "remedy", probe->remedy);
    sonde_passport_emit_number(e, "seconds", probe->seconds);
    write_series(e, &probe->series, samples);
    sonde_passport_emit_open(e, "findings", '{');
    for (size_t i = 0; i < findings->count; i++)
        write_finding(e, UNIQUE(struct finding, findings->rows, i, room),
                      &findings->rows[i]);
    sonde_passport_emit_close(e);
    write_controls(e, findings);
    sonde_passport_emit_close(e);
}

static void write_passport(struct json_emitter *e, const struct passport *passport,
                           bool samples)
{
    char room[224];
    sonde_passport_emit_open(e, NULL, '{');
    sonde_passport_emit_number(e, "schema", SONDE_SCHEMA);
    write_fields(e, passport);
    write_facts(e, &passport->facts);
    write_warnings(e, passport);
    sonde_passport_emit_open(e, "probes", '{');
    for (size_t i = 0; i < passport->probe_count; i++)
        write_probe(e, UNIQUE(struct probe_result, passport->probes, i, room),
                    &passport->probes[i], samples);
    sonde_passport_emit_close(e);
    sonde_passport_emit_close(e);
}

int sonde_passport_to_json(const struct passport_list *list, bool samples, char **text,
                           size_t *length)
{
    struct text out = {0};
    struct json_emitter emitter = {.out = &out};
    if (list->count != 1)
        sonde_passport_emit_open(&emitter, NULL, '[');
    for (size_t i = 0; i < list->count; i++)
        write_passport(&emitter, &list->rows[i], samples);
    if (list->count != 1)
        sonde_passport_emit_close(&emitter);
    sonde_base_text_append(&out, "\n", 1);
    if (out.failed) {
        sonde_base_text_free(&out);
        return -ENOMEM;
    }
    *text = out.data;
    *length = out.length;
    return 0;
}
