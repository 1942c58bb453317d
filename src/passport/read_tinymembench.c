/* tinymembench: single random reads, in ns above what the first level takes.
 *
 *   block size : single random read / dual random read, [MADV_NOHUGEPAGE]
 *         1024 :    0.0 ns          /     0.0 ns
 *        65536 :    9.3 ns          /    13.2 ns
 *
 * The table without huge pages becomes `above-l1`, the one with them `above-l1-huge`, of
 * which the inference prefers the latter. What can fool it: the first level's own latency
 * is not in the file, so no latency can be told, only what is added to it. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include <errno.h>
#include <string.h>

static struct series *open_table(struct passport *passport, bool huge)
{
    char small_name[] = "above-l1", huge_name[] = "above-l1-huge";
    struct series shape = {.name = huge ? huge_name : small_name,
                           .axes = {{"size", "bytes", "log2"}},
                           .axis_count = 1,
                           .quantity = "latency above the first level",
                           .unit = "ns"};

    if (passport->probe_count &&
        sonde_measure_series_find(&passport->probes[0].series, shape.name))
        return NULL;
    return sonde_passport_foreign_series(passport, "latency", &shape);
}

static int take_rows(struct foreign *foreign, struct series *series)
{
    char *line;
    double bytes, above_ns, last = 0;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(foreign)) &&
           line[strspn(line, " \t")] != '\0') {
        if (!sonde_passport_tinymembench_row(line, &bytes, &above_ns))
            return sonde_passport_foreign_refuse(
                foreign, line + strspn(line, " "),
                "is no row (such as '65536 : 9.3 ns / 13.2 ns')");
        if (bytes <= last)
            return sonde_passport_foreign_fail(foreign, "%.0f is out of order", bytes);
        last = bytes;
        error = sonde_passport_foreign_point(series, bytes, 0, above_ns);
    }
    return error;
}

static int take_all(struct foreign *foreign, struct passport *passport)
{
    char *line;
    bool huge;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(foreign))) {
        struct series *series;

        if (!sonde_passport_tinymembench_heading(line, &huge))
            continue;
        series = open_table(passport, huge);
        if (!series)
            return sonde_passport_foreign_fail(
                foreign, "a table of the same pages again: one run a file");
        error = take_rows(foreign, series);
    }
    if (!error && !passport->probe_count)
        error = sonde_passport_foreign_fail(foreign,
                                            "the file ends without a table of latencies");
    return error;
}

int sonde_passport_recognise_tinymembench(const char *text, size_t length)
{
    return sonde_passport_foreign_begins(text, length, "tinymembench v") ||
                   sonde_passport_foreign_begins(text, length,
                                                 "block size : single random read")
               ? 85
               : 0;
}

int sonde_passport_read_tinymembench(struct passport_list *list, const char *text,
                                     size_t length, const char *origin,
                                     struct message *why)
{
    struct foreign foreign;
    struct passport *passport;
    int error = sonde_passport_foreign_open(&foreign, list, text, length, origin, why);

    if (error)
        return error;
    passport = sonde_passport_foreign_machine(&foreign, NULL);
    error = passport ? take_all(&foreign, passport) : -ENOMEM;
    return sonde_passport_foreign_close(&foreign, error, "table");
}
