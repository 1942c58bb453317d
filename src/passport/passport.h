/* The passport: one machine seen from one kind of core. The hinge of the program; all
 * left of it makes one, all right of it only reads one.
 *
 * All strings are owned by the passport (NULL: null in JSON) unless said otherwise;
 * unknown numbers are NaN in memory and null in JSON. */
#ifndef SONDE_PASSPORT_PASSPORT_H
#define SONDE_PASSPORT_PASSPORT_H

#include "infer/finding.h"
#include "machine/machine.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>

enum probe_status {
    PROBE_MEASURED,    /* all of its plan */
    PROBE_PARTIAL,     /* some of it: budget, interrupt, memory; `reason` says */
    PROBE_UNAVAILABLE, /* this machine or build cannot; `reason` and `remedy` say */
    PROBE_FAILED,      /* a fault, named in `reason` */
};
/* "measured", "partial", "unavailable", "failed". */
const char *sonde_passport_status_name(enum probe_status status);
/* -EINVAL for an unknown name. */
int sonde_passport_status_parse(const char *name, enum probe_status *status);

struct probe_result {
    char *name;
    enum probe_status status;
    char *reason, *remedy;
    double seconds; /* wall clock it took; NaN unknown */
    struct series_list series;
    struct findings findings; /* controls included */
};

struct warning {
    char *code;    /* "virtual-machine", "no-counters", "core-shared", ... */
    char *message; /* what is so */
    char *hint;    /* what to do about it */
};

struct passport_tool {
    char *version, *compiler, *flags, *isa,
        *features; /* features: kernel variant, "avx2" */
};

struct passport_machine {
    char *host, *date, *kernel, *model; /* date: ISO 8601 UTC; NULL when simulated */
    char *allowed, *online, *possible;  /* CPU lists in the kernel's grammar */
    double cpus_allowed, cpus_online;
    double memory_installed, memory_available, memory_granted; /* bytes */
    char *memory_granted_by;
    double page_bytes;
};

struct passport_vantage {
    double cpu; /* the CPU measured on; NaN for foreign files */
    char *kind; /* "performance", ...; NULL: all alike */
    char *cpus; /* list of the CPUs of that kind */
    double run; /* which run of a repeated measurement, from 1; NaN: the only one */
};

struct passport_environment {
    char *virtualization, *emulation, *clock_source, *thp, *governor, *smt, *counters;
    double load1, core_hz, core_hz_low, core_hz_high, lost_share;
    char *timer; /* the clock that timed the samples */
    double timer_step_ns, timer_cost_ns;
    char *pages;            /* what backed the measured memory, in words */
    char *effort;           /* "quick", "default", "full" */
    double budget_s;        /* wall clock allowed for all probes together */
    double footprint_bytes; /* the largest memory that was laid out to be measured */
    double peak_bytes;      /* the most memory the program held, all included */
};

struct passport {
    struct passport_tool tool;
    struct passport_machine machine;
    struct passport_vantage vantage;
    struct facts facts;
    struct passport_environment environment;
    struct warning *warnings;
    size_t warning_count;
    struct probe_result *probes;
    size_t probe_count;
    /* Words that a file spelled where the program itself has literals (units, names of
     * axes, witnesses); owned here, since the structures that point at them do not own
     * them. */
    char **words;
    size_t word_count;
};

struct passport_list {
    struct passport *rows;
    size_t count;
};

void sonde_passport_free(struct passport *passport);
void sonde_passport_list_free(struct passport_list *list);
/* Appends a zeroed passport (numbers NaN); NULL: out of memory. */
struct passport *sonde_passport_add(struct passport_list *list);
/* Appends a probe's empty result; good until the next one. NULL: out of memory. */
struct probe_result *sonde_passport_probe_add(struct passport *passport,
                                              const char *name);
const struct probe_result *sonde_passport_probe(const struct passport *passport,
                                                const char *name);
/* A copy of `word` that lives as long as the passport, the same one for equal words. At
 * most SONDE_WORDS_MAX different ones of at most SONDE_WORD_LENGTH bytes, which bounds
 * hostile files: NULL beyond that, and when out of memory. */
enum { SONDE_WORDS_MAX = 256, SONDE_WORD_LENGTH = 80 };
const char *sonde_passport_word(struct passport *passport, const char *word);
/* Adds a warning once per code (printf format for the message). */
__attribute__((format(printf, 4, 5))) int sonde_passport_warn(struct passport *passport,
                                                              const char *code,
                                                              const char *hint,
                                                              const char *format, ...);
/* The finding of that name that has the highest confidence among all probes; NULL: none.
 * A finding with a value comes before one without. */
const struct finding *sonde_passport_finding(const struct passport *passport,
                                             const char *name);

/* --- json_write.c, json_read.c ---------------------------------------------------------
 */

/* The version of the format: "schema" in every passport. A reader refuses a larger one.
 */
enum { SONDE_SCHEMA = 1 };

/* One passport as an object, several as an array; two-space indent, keys in a fixed
 * order, a fact, the figures of a point and its samples on one line each, a newline at
 * the end. Numbers in the shortest form that reads back the same; NaN and infinite become
 * null; bytes that are no UTF-8 become U+FFFD. `*text` is malloc'd. 0 or -ENOMEM. */
int sonde_passport_to_json(const struct passport_list *list, bool samples, char **text,
                           size_t *length);
/* Strict reading of what to_json wrote; unknown keys are ignored, missing ones unknown.
 * The message names `origin` and the line of a fault of syntax, the path
 * ("probes.latency...") of any other. Appends to `list` all passports of the text or
 * none. -EINVAL, -ENOMEM. */
int sonde_passport_from_json(struct passport_list *list, const char *text, size_t length,
                             const char *origin, struct message *why);

/* --- readers.c: any file, ours or another tool's
 * ----------------------------------------- */

struct reader {
    const char *name; /* "passport", "csv" */
    const char *summary;
    /* 0 to 100: how sure the content is of this form; looks at no more than `length`. */
    int (*recognise)(const char *text, size_t length);
    /* Appends passports holding series (no findings), -EINVAL with file and line. */
    int (*read)(struct passport_list *list, const char *text, size_t length,
                const char *origin, struct message *why);
};
const struct reader *sonde_passport_readers(size_t *count);
/* Reads `path` ("-": standard input) with the reader named `format`, or the surest one
 * (NULL). Files above 64 MiB, binary or empty files are refused in one line. */
int sonde_passport_read(struct passport_list *list, const char *path, const char *format,
                        struct message *why);

#endif
