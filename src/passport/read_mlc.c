/* Intel MLC: idle latencies between nodes, and latency under load.
 *
 *   Measuring idle latencies for random access (in ns)...
 *   Numa node            0       1
 *          0         253.1   429.6
 *   ...
 *   Inject  Latency Bandwidth
 *   Delay   (ns)    MB/sec
 *   ==========================
 *    00000  642.45   198317.3
 *
 * The loaded part becomes `latency` and `bandwidth` over the delay in the result of
 * `loaded`; the matrix `idle`, from a node of CPUs to a node of memory. A node without
 * CPUs has a column and no row. What can fool it: delays are loop counts, not times, and
 * a disturbed run is not monotonic. */
#include "passport/foreign.h"
#include "passport/readers.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { NODES_MAX = 256 };

struct mlc {
    struct foreign foreign;
    struct passport *passport;
};

static struct series *open_series(struct mlc *mlc, const char *name, const char *axis,
                                  const char *other, const char *quantity,
                                  const char *unit)
{
    char copy[16];
    struct series shape = {.name = copy,
                           .axes = {{axis, axis[0] == 'd' ? "count" : "", "linear"},
                                    {other ? other : "", "", "linear"}},
                           .axis_count = other ? 2 : 1,
                           .quantity = quantity,
                           .unit = unit,
                           .statistic = STATISTIC_MEDIAN};

    snprintf(copy, sizeof copy, "%s", name);
    return sonde_passport_foreign_series(mlc->passport, "loaded", &shape);
}

static bool starts_number(const char *line)
{
    line += strspn(line, " \t");
    return isdigit((unsigned char)*line) || *line == '-';
}

/* --- latency under load ----------------------------------------------------------------
 */

static int take_load(struct mlc *mlc, char *line)
{
    struct series_list *list = &mlc->passport->probes[0].series;
    struct series *latency = (struct series *)sonde_measure_series_find(list, "latency");
    struct series *rate = (struct series *)sonde_measure_series_find(list, "bandwidth");
    char *more;
    double delay, ns, megabytes;
    int error = sonde_passport_foreign_amount(
        &mlc->foreign, sonde_passport_foreign_word(&line), "delay", &delay);

    if (!error)
        error = sonde_passport_foreign_number(
            &mlc->foreign, sonde_passport_foreign_word(&line), "latency in ns", &ns);
    if (!error)
        error = sonde_passport_foreign_number(&mlc->foreign,
                                              sonde_passport_foreign_word(&line),
                                              "bandwidth in MB/s", &megabytes);
    more = error ? NULL : sonde_passport_foreign_word(&line);
    if (more)
        return sonde_passport_foreign_refuse(&mlc->foreign, more, "is a cell too many");
    if (!error && latency->count && delay <= latency->points[latency->count - 1].at[0])
        return sonde_passport_foreign_fail(&mlc->foreign, "delay %.0f is out of order",
                                           delay);
    if (!error)
        error = sonde_passport_foreign_point(latency, delay, 0, ns);
    return error ? error : sonde_passport_foreign_point(rate, delay, 0, megabytes * 1e6);
}

/* From the line behind the headings. */
static int take_loads(struct mlc *mlc)
{
    char *line;
    size_t rows = 0;
    int error = 0;

    if (sonde_passport_probe(mlc->passport, "loaded") &&
        sonde_measure_series_find(&mlc->passport->probes[0].series, "latency"))
        return sonde_passport_foreign_fail(&mlc->foreign,
                                           "a second table of loaded latencies");
    if (!open_series(mlc, "latency", "delay", NULL, "latency", "ns") ||
        !open_series(mlc, "bandwidth", "delay", NULL, "throughput", "bytes/s"))
        return -ENOMEM;
    while (!error && (line = sonde_passport_foreign_line(&mlc->foreign))) {
        line = sonde_base_trim(line);
        if (strncmp(line, "Delay", 5) == 0 || line[strspn(line, "=")] == '\0')
            if (rows == 0 && *line)
                continue;
        if (!starts_number(line) && (*line == '\0' || rows > 0))
            break;
        error = take_load(mlc, line);
        rows++;
    }
    if (!error && rows == 0)
        error = sonde_passport_foreign_fail(&mlc->foreign,
                                            "no rows below 'Inject Latency Bandwidth'");
    return error;
}

/* --- idle latencies --------------------------------------------------------------------
 */

static int take_idle_row(struct mlc *mlc, struct series *series, char *line,
                         const double *nodes, size_t count)
{
    char *word = sonde_passport_foreign_word(&line);
    size_t cells = 0;
    double from, ns;
    int error = sonde_passport_foreign_amount(&mlc->foreign, word, "node", &from);

    while (!error && (word = sonde_passport_foreign_word(&line))) {
        if (cells == count)
            return sonde_passport_foreign_refuse(&mlc->foreign, word,
                                                 "is a cell too many");
        error = strcmp(word, "-") == 0 ? 0
                                       : sonde_passport_foreign_number(
                                             &mlc->foreign, word, "latency in ns", &ns);
        if (!error && strcmp(word, "-") != 0)
            error = sonde_passport_foreign_point(series, from, nodes[cells], ns);
        cells++;
    }
    if (!error && cells != count)
        return sonde_passport_foreign_fail(
            &mlc->foreign, "%zu cells where %zu nodes have memory", cells, count);
    return error;
}

/* "Numa node  0  1  2": the nodes of memory, behind the words. */
static int take_nodes(struct mlc *mlc, char *line, double *nodes, size_t *count)
{
    char *word, *rest = line;
    int error = 0;

    *count = 0;
    while (!error && (word = sonde_passport_foreign_word(&rest)))
        if (isdigit((unsigned char)*word)) {
            if (*count == NODES_MAX)
                return sonde_passport_foreign_fail(&mlc->foreign, "too many nodes");
            error = sonde_passport_foreign_amount(&mlc->foreign, word, "node",
                                                  &nodes[(*count)++]);
        }
    return error;
}

static int take_idle(struct mlc *mlc)
{
    double nodes[NODES_MAX] = {0};
    size_t count = 1; /* a machine of one node has no heading */
    struct series *series =
        open_series(mlc, "idle", "node", "memory node", "latency", "ns");
    char *line;
    int error = series ? 0 : -ENOMEM;

    while (!error && mlc->foreign.rest) {
        const char *next = mlc->foreign.rest + strspn(mlc->foreign.rest, " \t");
        bool heading = strncmp(next, "Numa node", 9) == 0;

        if (!heading && !isdigit((unsigned char)*next))
            break;
        line = sonde_passport_foreign_line(&mlc->foreign);
        if (heading && !series->count)
            error = take_nodes(mlc, line, nodes, &count);
        else if (!heading)
            error = take_idle_row(mlc, series, line, nodes, count);
    }
    if (!error && !series->count)
        error = sonde_passport_foreign_fail(&mlc->foreign, "no idle latencies");
    return error;
}

/* --- the file --------------------------------------------------------------------------
 */

static int take_all(struct mlc *mlc)
{
    char *line;
    bool idle = false;
    int error = 0;

    while (!error && (line = sonde_passport_foreign_line(&mlc->foreign))) {
        char *start = line + strspn(line, " \t");

        if (strncmp(start, "Inject", 6) == 0 && strstr(start, "Latency")) {
            error = take_loads(mlc);
        } else if (strncmp(start, "Measuring idle latencies", 24) == 0 && !idle) {
            idle = true;
            error = take_idle(mlc);
        }
    }
    if (!error && !mlc->passport->probe_count)
        error = sonde_passport_foreign_fail(&mlc->foreign,
                                            "the file ends without a table of latencies");
    return error;
}

int sonde_passport_recognise_mlc(const char *text, size_t length)
{
    return sonde_passport_foreign_has(text, length, "Memory Latency Checker") ||
                   sonde_passport_foreign_begins(text, length,
                                                 "Measuring idle latencies") ||
                   (sonde_passport_foreign_begins(text, length, "Inject") &&
                    sonde_passport_foreign_begins(text, length, "Delay"))
               ? 90
               : 0;
}

int sonde_passport_read_mlc(struct passport_list *list, const char *text, size_t length,
                            const char *origin, struct message *why)
{
    struct mlc mlc = {0};
    int error =
        sonde_passport_foreign_open(&mlc.foreign, list, text, length, origin, why);

    if (error)
        return error;
    mlc.passport = sonde_passport_foreign_machine(&mlc.foreign, NULL);
    error = mlc.passport ? take_all(&mlc) : -ENOMEM;
    return sonde_passport_foreign_close(&mlc.foreign, error, "table");
}
