/* The plain fields of a passport, as rows: reading, writing, freeing and forgetting walk
 * them, so that a new field is one row of fields.c (and one of
 * docs/passport.schema.json). */
#ifndef SONDE_PASSPORT_FIELDS_H
#define SONDE_PASSPORT_FIELDS_H

#include "measure/series.h"
#include "passport/passport.h"

#include <stdbool.h>
#include <stddef.h>

struct passport_field {
    const char *section; /* "tool", "machine", "vantage", "environment" */
    const char *key;
    bool number;   /* a double; else an owned string */
    size_t offset; /* in struct passport */
};

/* Ordered by section; rows of a section are neighbours. */
const struct passport_field *sonde_passport_fields(size_t *count);
double *sonde_passport_field_number(struct passport *passport,
                                    const struct passport_field *field);
char **sonde_passport_field_string(struct passport *passport,
                                   const struct passport_field *field);

/* The figures of a point that are doubles. */
struct point_field {
    const char *key;
    size_t offset; /* in struct series_point */
};
const struct point_field *sonde_passport_point_fields(size_t *count);
double *sonde_passport_point_field(struct series_point *point,
                                   const struct point_field *field);

#endif
