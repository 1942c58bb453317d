/* The memory mountain of CS:APP's program, as text.
 *
 *   Clock frequency is approx. 2112.0 MHz
 *   Memory mountain (MB/sec)
 *           s1      s2      s3 ...
 *   128m    15567   9510    6256 ...
 *
 * Strides are words of 8 bytes, sizes binary, rates decimal. Every row must have a cell
 * for every stride. What can fool it: versions of the program whose elements are 4 bytes
 * wide look the same. */
#include "passport/mountain.h"
#include "passport/readers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDES_MAX = 1024 };

struct csapp {
    struct foreign foreign;
    struct passport *passport;
    struct series *series;
    double *strides; /* owned */
    size_t count;
};

static int take_strides(struct csapp *csapp, char *line)
{
    char *word;
    int error = 0;

    while (!error && (word = sonde_passport_foreign_word(&line))) {
        if (*word != 's' || csapp->count == STRIDES_MAX)
            return sonde_passport_foreign_refuse(&csapp->foreign, word,
                                                 "is no stride (such as s8)");
        error = sonde_passport_foreign_number(&csapp->foreign, word + 1, "stride",
                                              &csapp->strides[csapp->count++]);
    }
    return error;
}

static int take_row(struct csapp *csapp, char *line)
{
    char *word = sonde_passport_foreign_word(&line);
    size_t cells = 0;
    double size, rate;
    int error = sonde_passport_foreign_size(&csapp->foreign, word, &size);

    while (!error && (word = sonde_passport_foreign_word(&line))) {
        if (cells < csapp->count)
            error = sonde_passport_foreign_number(&csapp->foreign, word,
                                                  "throughput in MB/s", &rate);
        if (!error && cells < csapp->count)
            error = sonde_passport_mountain_point(
                &csapp->foreign, csapp->series, size,
                SONDE_WORD_BYTES * csapp->strides[cells], rate * 1e6);
        cells++;
    }
    if (!error && cells != csapp->count)
        return sonde_passport_foreign_fail(
            &csapp->foreign, "%zu cells in a row of %zu strides", cells, csapp->count);
    return error;
}

static bool is_heading(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    return line[0] == 's' && line[1] >= '0' && line[1] <= '9';
}

static int take_all(struct csapp *csapp)
{
    char *line;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(&csapp->foreign))) {
        bool blank = line[strspn(line, " \t\r")] == '\0';

        if (csapp->count)
            error = blank ? 0 : take_row(csapp, line);
        else if (is_heading(line))
            error = take_strides(csapp, line);
    }
    if (!error && !csapp->series->count)
        error = sonde_passport_foreign_fail(&csapp->foreign,
                                            "the file ends without rows of a mountain");
    return error;
}

int sonde_passport_recognise_csapp(const char *text, size_t length)
{
    if (sonde_passport_foreign_begins(text, length, "Memory mountain (MB/sec)"))
        return 95;
    return sonde_passport_foreign_begins(text, length, "s1\ts2") ? 85 : 0;
}

int sonde_passport_read_csapp(struct passport_list *list, const char *text, size_t length,
                              const char *origin, struct message *why)
{
    struct csapp csapp = {0};
    int error =
        sonde_passport_foreign_open(&csapp.foreign, list, text, length, origin, why);

    if (error)
        return error;
    csapp.strides = calloc(STRIDES_MAX, sizeof *csapp.strides);
    csapp.passport = sonde_passport_foreign_machine(&csapp.foreign, NULL);
    csapp.series = csapp.passport ? sonde_passport_mountain(csapp.passport) : NULL;
    error = csapp.strides && csapp.series ? take_all(&csapp) : -ENOMEM;
    free(csapp.strides);
    return sonde_passport_foreign_close(&csapp.foreign, error, "mountain");
}
