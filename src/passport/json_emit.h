/* Writing JSON by hand, for two things a general library does not offer: numbers in their
 * shortest exact form, and rows of a table on one line in an indented file.
 *
 * Values are written in order; `key` is NULL inside an array. Nesting is at most
 * JSON_DEPTH_MAX and balanced by the caller. */
#ifndef SONDE_PASSPORT_JSON_EMIT_H
#define SONDE_PASSPORT_JSON_EMIT_H

#include "base/text.h"

#include <stdbool.h>

enum { JSON_DEPTH_MAX = 16 };

struct json_level {
    char close; /* '}' or ']' */
    bool flow;  /* all of it on one line */
    bool any;   /* something was written */
};

struct json_emitter {
    struct text *out;
    struct json_level level[JSON_DEPTH_MAX];
    unsigned depth;
    bool broken; /* the next item of a flow begins a line */
};

/* Opens an object ('{') or array ('['), one item a line. */
void sonde_passport_emit_open(struct json_emitter *emitter, const char *key,
                              char bracket);
/* The same, all on one line, and so is all within. */
void sonde_passport_emit_flow(struct json_emitter *emitter, const char *key,
                              char bracket);
/* The next item of a flow begins a new line. */
void sonde_passport_emit_break(struct json_emitter *emitter);
void sonde_passport_emit_close(struct json_emitter *emitter);
/* NULL writes null. */
void sonde_passport_emit_string(struct json_emitter *emitter, const char *key,
                                const char *value);
/* NaN and infinite write null. */
void sonde_passport_emit_number(struct json_emitter *emitter, const char *key,
                                double value);
/* The same with so many significant digits; integers keep all of theirs. */
void sonde_passport_emit_rounded(struct json_emitter *emitter, const char *key,
                                 double value, int digits);
void sonde_passport_emit_bool(struct json_emitter *emitter, const char *key, bool value);

#endif
