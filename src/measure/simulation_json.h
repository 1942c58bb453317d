/* Reading values out of a model file, each with its bounds. The first fault is kept and
 * everything after it is harmless, so that a reader is a list of wishes and one check. */
#ifndef SONDE_MEASURE_SIMULATION_JSON_H
#define SONDE_MEASURE_SIMULATION_JSON_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_reader {
    const char *path;
    struct message *why;
    int error;      /* 0, or the first fault */
    char where[64]; /* what is being read: "levels[1]", "" at the top */
    json_t *top;    /* the file; owned */
    json_t *object; /* what keys are looked up in */
    json_t *second; /* and where they are looked up when missing there; may be NULL */
};

/* Parses the file: 0, or a negative errno and a line with the place of the fault. */
int sonde_measure_simulation_parse(struct sim_reader *reader, const char *path,
                                   struct message *why);
/* Notes a fault of `key` of the object being read (printf format for what is wrong and
 * what to write instead), unless one is noted already. */
__attribute__((format(printf, 3, 4))) void
sonde_measure_simulation_fault(struct sim_reader *reader, const char *key,
                               const char *format, ...);

json_t *sonde_measure_simulation_get(struct sim_reader *reader, const char *key);
/* A number in [least, most]; missing: `otherwise`, or a fault when that is NaN. */
double sonde_measure_simulation_number(struct sim_reader *reader, const char *key,
                                       double least, double most, double otherwise);
/* A whole power of two in [least, most]. `otherwise` 0: required. */
uint64_t sonde_measure_simulation_power(struct sim_reader *reader, const char *key,
                                        uint64_t least, uint64_t most,
                                        uint64_t otherwise);
/* A string into `out`; missing: `otherwise`, or a fault when that is NULL. */
void sonde_measure_simulation_text(struct sim_reader *reader, const char *key,
                                   const char *otherwise, char *out, size_t size);
bool sonde_measure_simulation_flag(struct sim_reader *reader, const char *key);
/* Faults every key that is not in the NULL-terminated list, naming the nearest. */
void sonde_measure_simulation_known(struct sim_reader *reader, const char *const *keys);

/* Enters the object `key`, or element `index` of the array `key`; false when it is
 * missing or no object (a fault when `required` or of another type). Leave with the
 * reader that was there before: struct sim_reader outer = *reader. */
bool sonde_measure_simulation_enter(struct sim_reader *reader, const char *key,
                                    bool required);
bool sonde_measure_simulation_enter_item(struct sim_reader *reader, const char *key,
                                         size_t index);
/* Length of the array `key`; 0 when it is missing, a fault when it is no array. */
size_t sonde_measure_simulation_count(struct sim_reader *reader, const char *key);
/* Goes back to `outer`, keeping the fault. */
void sonde_measure_simulation_leave(struct sim_reader *reader,
                                    const struct sim_reader *outer);

#endif
