/* Writing JSON: separators, strings, numbers.
 *
 * A number is printed with 15 digits, and with 16 or 17 only if fewer do not read back
 * the same: 17 always do for a binary64 (Matula 1968), and fewer keep 0.1 readable. Whole
 * numbers below 2^53 are printed whole. What can fool it: a decimal comma from
 * LC_NUMERIC; the program never sets that category. */
#include "passport/json_emit.h"

#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void put(struct json_emitter *emitter, const char *text)
{
    sonde_base_text_print(emitter->out, "%s", text);
}

static void new_line(struct json_emitter *emitter, unsigned depth)
{
    sonde_base_text_print(emitter->out, "\n%*s", (int)(2 * depth), "");
}

static void quoted(struct json_emitter *emitter, const char *text)
{
    struct text *out = emitter->out;
    uint32_t code;
    size_t length;
    sonde_base_text_append(out, "\"", 1);
    for (; (length = sonde_base_utf8_decode(text, &code)) > 0; text += length) {
        if (code == SONDE_NO_CODE_POINT)
            sonde_base_text_append(out, "\xef\xbf\xbd", 3);
        else if (code == '"' || code == '\\')
            sonde_base_text_print(out, "\\%c", (int)code);
        else if (code == '\n')
            sonde_base_text_append(out, "\\n", 2);
        else if (code < 0x20 || code == 0x7f)
            sonde_base_text_print(out, "\\u%04x", (unsigned)code);
        else
            sonde_base_text_append(out, text, length);
    }
    sonde_base_text_append(out, "\"", 1);
}

/* Everything that comes before a value: comma, line, key. */
static void lead(struct json_emitter *emitter, const char *key)
{
    if (emitter->depth > 0) {
        struct json_level *level = &emitter->level[emitter->depth - 1];
        if (level->any)
            put(emitter, ",");
        if (!level->flow || emitter->broken)
            new_line(emitter, emitter->depth);
        else if (level->any)
            put(emitter, " ");
        level->any = true;
        emitter->broken = false;
    }
    if (key) {
        quoted(emitter, key);
        put(emitter, ": ");
    }
}

static void enter(struct json_emitter *emitter, const char *key, char bracket, bool flow)
{
    if (emitter->depth >= JSON_DEPTH_MAX) {
        emitter->out->failed = true;
        return;
    }
    lead(emitter, key);
    sonde_base_text_append(emitter->out, &bracket, 1);
    bool within_flow = emitter->depth > 0 && emitter->level[emitter->depth - 1].flow;
    emitter->level[emitter->depth++] = (struct json_level){
        .close = bracket == '{' ? '}' : ']',
        .flow = flow || within_flow,
    };
}

void sonde_passport_emit_open(struct json_emitter *emitter, const char *key, char bracket)
{
    enter(emitter, key, bracket, false);
}

void sonde_passport_emit_flow(struct json_emitter *emitter, const char *key, char bracket)
{
    enter(emitter, key, bracket, true);
}

void sonde_passport_emit_break(struct json_emitter *emitter)
{
    emitter->broken = true;
}

void sonde_passport_emit_close(struct json_emitter *emitter)
{
    if (emitter->depth == 0)
        return;
    struct json_level level = emitter->level[--emitter->depth];
    emitter->broken = false;
    if (level.any && !level.flow)
        new_line(emitter, emitter->depth);
    sonde_base_text_append(emitter->out, &level.close, 1);
}

void sonde_passport_emit_string(struct json_emitter *emitter, const char *key,
                                const char *value)
{
    lead(emitter, key);
    if (value)
        quoted(emitter, value);
    else
        put(emitter, "null");
}

/* Significant digits that read back the same. */
static int digits_of(double value)
{
    char text[40];
    int digits = 15;
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return digits;
}

/* `digits` 0: as many as read back the same. */
static void emit(struct json_emitter *emitter, const char *key, double value, int digits)
{
    lead(emitter, key);
    if (!isfinite(value))
        put(emitter, "null");
    else if (value == trunc(value) && fabs(value) <= 0x1p53)
        sonde_base_text_print(emitter->out, "%.0f", value + 0.0);
    else
        sonde_base_text_print(emitter->out, "%.*g", digits ? digits : digits_of(value),
                              value);
}

void sonde_passport_emit_number(struct json_emitter *emitter, const char *key,
                                double value)
{
    emit(emitter, key, value, 0);
}

void sonde_passport_emit_rounded(struct json_emitter *emitter, const char *key,
                                 double value, int digits)
{
    emit(emitter, key, value, digits);
}

void sonde_passport_emit_bool(struct json_emitter *emitter, const char *key, bool value)
{
    lead(emitter, key);
    put(emitter, value ? "true" : "false");
}
