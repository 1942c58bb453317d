/* InstLatx64 NewMemLat: what the processor declares, then tables of stride by size.
 *
 *   CPU#003 L1D cache:     32KB,    64 byte cache line,  8 way, SMask:...
 *   NGMemLat #  0 Pmask:0x0000000000000008 Thread(s):  1          the CPU measured on
 *   Page_Random Tests
 *   Stride:       8   16   32   64  128  256  512   1K ...
 *        2 KB   4    4    4    4    4    4    4    4             whole clocks at "Freq"
 *
 * Page_Random keeps a walk inside one page at a time, so translation is kept out: stride
 * 64 becomes `windowed`, 128 `wide`. Random_Full pays translation: `random`. Clocks
 * become nanoseconds by the frequency that the file names, and stay beside them. What can
 * fool it: whole clocks hide small differences, and a core that runs at another clock
 * than the one named. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct instlat {
    struct foreign foreign;
    struct passport *passport;
    unsigned cpu;         /* measured on */
    double mhz;           /* NaN: the file does not say */
    unsigned data_levels; /* data caches declared so far */
};

struct table {
    const char *title;
    struct column {
        double stride;
        const char *name;
    } columns[2];
};

static const struct table tables[] = {
    {"Page_Random Tests", {{64, "windowed"}, {128, "wide"}}},
    {"Random_Full Tests", {{64, "random"}, {0, NULL}}},
};

/* --- what is declared ------------------------------------------------------------------
 */

/* The lowest CPU of the mask of the first test; 0 where there is none, or where it is in
 * processor groups. */
static unsigned measured_cpu(const char *text)
{
    const char *at = strstr(text, "Pmask:0x");
    char *end;
    unsigned long long mask = at ? strtoull(at + 8, &end, 16) : 0;
    unsigned cpu = 0;

    if (!mask || *end == ':')
        return 0;
    while (!(mask >> cpu & 1))
        cpu++;
    return cpu;
}

static int declare(struct instlat *instlat, const char *level, const char *what,
                   const char *unit, double value)
{
    char name[24];

    snprintf(name, sizeof name, "%s.%s", level, what);
    if (!(value >= 1) || !(value <= 0x1p40))
        return 0;
    return sonde_machine_fact_number(&instlat->passport->facts, name, "header", "cpuid",
                                     unit, value)
               ? 0
               : -ENOMEM;
}

/* "L1D cache:     32KB,    64 byte cache line,  8 way": levels are numbered as they come,
 * for some processors begin with an L0D. */
static int take_cache(struct instlat *instlat, const char *text)
{
    static const char *const levels[] = {"l1d", "l2", "l3", "l4"};
    const char *level;
    double kib, line, ways;
    int error;

    if (sscanf(text, "L%*1[0-9]%*1[ID ] cache: %lfKB, %lf byte cache line, %lf way", &kib,
               &line, &ways) != 3)
        return 0;
    if (text[2] == 'I' || instlat->data_levels == sizeof levels / sizeof *levels)
        return 0;
    level = levels[instlat->data_levels++];
    error = declare(instlat, level, "size", "bytes", kib * 1024);
    if (!error)
        error = declare(instlat, level, "ways", "count", ways);
    if (!error && instlat->data_levels == 1)
        error = declare(instlat, "line", "size", "bytes", line);
    return error;
}

static int take_model(struct instlat *instlat, const char *text)
{
    const char *start = strchr(text, '"'), *end = start ? strchr(start + 1, '"') : NULL;
    char *name;

    if (!end)
        return 0;
    name = strndup(start + 1, (size_t)(end - start - 1));
    if (!name)
        return -ENOMEM;
    free(instlat->passport->machine.model);
    instlat->passport->machine.model = sonde_base_copy(sonde_base_trim(name));
    free(name);
    return instlat->passport->machine.model ? 0 : -ENOMEM;
}

static int take_header(struct instlat *instlat, char *line)
{
    const char *at = strstr(line, "Freq:");
    unsigned cpu;
    int length = 0, count;

    if (at && sscanf(at, "Freq: %lfMHz", &instlat->mhz) == 1 &&
        !(instlat->mhz >= 1 && instlat->mhz <= 1e5))
        return sonde_passport_foreign_refuse(&instlat->foreign, at, "is no clock");
    at = strstr(line, "CPUCount:");
    if (at && sscanf(at, "CPUCount:%d", &count) == 1 && count > 0)
        instlat->passport->machine.cpus_online = count;
    if (sscanf(line, "CPU#%u %n", &cpu, &length) != 1 || !length || cpu != instlat->cpu)
        return 0;
    if (strncmp(line + length, "Type:", 5) == 0)
        return take_model(instlat, line + length);
    return take_cache(instlat, line + length);
}

/* --- tables ----------------------------------------------------------------------------
 */

/* Where the stride stands in "Stride:  8  16 ... 1K"; -1: not there. */
static int find_column(const char *header, double stride)
{
    char *end;

    for (int i = 0;; i++, header = end) {
        double value = strtod(header, &end);

        if (end == header)
            return -1;
        if (*end == 'K')
            value *= 1024, end++;
        if (value == stride)
            return i;
    }
}

static struct series *open_column(struct instlat *instlat, const char *header,
                                  const struct column *column, int *place)
{
    *place = column->name ? find_column(header, column->stride) : -1;
    if (*place < 0)
        return NULL;
    return sonde_passport_foreign_curve(instlat->passport, column->name,
                                        isnan(instlat->mhz) ? "cycles" : "ns");
}

static int add_clocks(struct instlat *instlat, const char *name, double bytes,
                      double clocks)
{
    const struct probe_result *latency =
        sonde_passport_probe(instlat->passport, "latency");
    struct series *series =
        (struct series *)sonde_measure_series_find(&latency->series, name);
    bool known = !isnan(instlat->mhz);
    int error;

    if (!series)
        return 0;
    error = sonde_passport_foreign_point(series, bytes, 0,
                                         known ? clocks * 1e3 / instlat->mhz : clocks);
    if (!error)
        series->points[series->count - 1].cycles = clocks;
    return error;
}

/* "     512 KB   4  4  4": bytes, and where the clocks start; 0: no row. */
static double row_size(char *line, char **values)
{
    char *end;
    double kib = strtod(line, &end);

    while (*end == ' ')
        end++;
    if (!(kib > 0) || !(kib < 0x1p50) || strncmp(end, "KB", 2) != 0)
        return 0;
    *values = end + 2;
    return kib * 1024;
}

static int take_row(struct instlat *instlat, const struct table *table,
                    const int places[2], double bytes, char *values)
{
    char *word;
    int error = 0;

    for (int i = 0; !error && (word = sonde_passport_foreign_word(&values)); i++) {
        double clocks;

        error = sonde_passport_foreign_number(&instlat->foreign, word,
                                              "latency in clocks", &clocks);
        for (int c = 0; !error && c < 2; c++)
            if (places[c] == i)
                error = add_clocks(instlat, table->columns[c].name, bytes, clocks);
    }
    return error;
}

static bool ascending(struct instlat *instlat, double bytes, double *last)
{
    bool good = bytes > *last;

    (void)instlat;
    *last = bytes;
    return good;
}

/* From the line behind the title to the first line that is no row. */
static int take_table(struct instlat *instlat, const struct table *table)
{
    int places[2] = {-1, -1}, error = 0;
    char *line = sonde_passport_foreign_line(&instlat->foreign), *values;
    double bytes, last = 0;

    if (!line || strncmp(line, "Stride:", 7) != 0)
        return sonde_passport_foreign_fail(
            &instlat->foreign, "'Stride:' is missing behind '%s'", table->title);
    for (int c = 0; c < 2; c++)
        if (!open_column(instlat, line + 7, &table->columns[c], &places[c]) &&
            places[c] >= 0)
            return -ENOMEM;
    while (!error && (line = sonde_passport_foreign_line(&instlat->foreign)) &&
           (bytes = row_size(line, &values)) > 0) {
        if (!ascending(instlat, bytes, &last))
            return sonde_passport_foreign_fail(
                &instlat->foreign, "%.0f KB again, or out of order", bytes / 1024);
        error = take_row(instlat, table, places, bytes, values);
    }
    if (!error && line)
        sonde_passport_foreign_unread(&instlat->foreign, line);
    return error;
}

static int take_all(struct instlat *instlat)
{
    char *line;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(&instlat->foreign))) {
        const struct table *table = NULL;

        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            if (strncmp(line, tables[i].title, strlen(tables[i].title)) == 0)
                table = &tables[i];
        error = table ? take_table(instlat, table) : take_header(instlat, line);
    }
    if (!error && !sonde_passport_probe(instlat->passport, "latency"))
        error = sonde_passport_foreign_fail(&instlat->foreign,
                                            "the file ends without a table 'Page_Random "
                                            "Tests' or 'Random_Full Tests'");
    return error;
}

int sonde_passport_recognise_instlat(const char *text, size_t length)
{
    return sonde_passport_foreign_begins(text, length, "Page_Random Tests") ||
                   sonde_passport_foreign_begins(text, length, "NGMemLat")
               ? 95
               : 0;
}

int sonde_passport_read_instlat(struct passport_list *list, const char *text,
                                size_t length, const char *origin, struct message *why)
{
    struct instlat instlat = {.mhz = NAN};
    int error =
        sonde_passport_foreign_open(&instlat.foreign, list, text, length, origin, why);

    if (error)
        return error;
    instlat.cpu = measured_cpu(instlat.foreign.copy);
    instlat.passport = sonde_passport_foreign_machine(&instlat.foreign, NULL);
    if (instlat.passport) {
        instlat.passport->vantage.cpu = instlat.cpu;
        error = take_all(&instlat);
    } else {
        error = -ENOMEM;
    }
    return sonde_passport_foreign_close(&instlat.foreign, error, "table");
}
