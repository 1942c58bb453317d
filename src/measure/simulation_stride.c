/* What striding over a block costs on a planted machine.
 *
 *   a step    the greater of what its loads take to issue and what its lines take to come
 *   a line    from a level: its latency over the lines that are under way at once, over
 *             the factor by which a prefetcher runs ahead; but no less than what the way
 *             between the levels carries (bytes_per_cycle)
 *
 * Which lines a pass misses is what a ring through the same lines in ascending order
 * would miss: strides that are powers of two use some sets only, others all. Elements met
 * in random order are not prefetched, and each of their fields that is an array of its
 * own is a line. What it leaves out: prefetchers that give up at long strides or at
 * pages, and banks. */
#include "measure/simulation_stride.h"

#include "kernels/fields.h"

#include <math.h>
#include <string.h>

/* A block as lines: so many, so far apart, met in passes of so many steps. */
struct lines {
    double count, pitch; /* of the lines that a pass meets */
    double steps, bytes;
    double loads; /* of a step */
    bool ahead;   /* a prefetcher may follow */
};

bool sonde_measure_simulation_is_stride(const char *kernel)
{
    static const char *const names[] = {"stride_words", "stride_bytes", "fields",
                                        "load_wide"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], kernel) == 0)
            return true;
    return false;
}

static bool is_power_of_two(double value)
{
    return value >= 1 && exp2(floor(log2(value))) == value;
}

static struct lines lines_of_stride(const struct sim_model *model,
                                    const struct point *point)
{
    double line = (double)model->line_bytes, stride = (double)point->layout.pitch;
    double steps = (double)point->layout.pass;
    struct lines lines = {.steps = steps, .bytes = steps * stride, .loads = 1};

    lines.ahead = true;
    lines.pitch = stride > line && is_power_of_two(stride) ? stride : line;
    lines.count = stride > line ? steps : ceil(lines.bytes / line);
    return lines;
}

/* Every pass meets all words of all elements; in random order an element that is spread
 * over arrays meets a line for each of its fields, anew each time. */
static struct lines lines_of_fields(const struct sim_model *model,
                                    const struct point *point)
{
    double line = (double)model->line_bytes, bytes = (double)point->layout.bytes;
    struct lines lines = {.pitch = line, .count = ceil(bytes / line), .bytes = bytes};

    lines.steps = (double)point->layout.pass;
    lines.loads = FIELDS_COUNT;
    lines.ahead = !(point->argument & FIELDS_SCATTERED);
    return lines;
}

/* Visits of lines in a step: each line once a pass, unless order parts its visits. */
static double visits_of(const struct point *point, const struct lines *lines)
{
    if ((point->argument & FIELDS_SCATTERED) && (point->argument & FIELDS_ARRAYS) &&
        strcmp(point->kernel->name, "fields") == 0)
        return FIELDS_COUNT;
    return lines->count / lines->steps;
}

static double line_cycles(const struct sim_model *model, const struct lines *lines,
                          double latency_cycles, double bytes_per_cycle)
{
    double cycles = latency_cycles / model->loads.in_flight;

    if (lines->ahead)
        cycles /= model->prefetch_factor;
    return fmax(cycles, (double)model->line_bytes / bytes_per_cycle);
}

static double translation_cycles(const struct sim_model *model, const struct point *point,
                                 const struct lines *lines)
{
    double page = (double)(point->layout.pages == PAGES_HUGE ? model->granule_bytes
                                                             : model->page_bytes);
    double pages = fmin(lines->bytes / page, lines->count), cycles = 0;

    if (pages > model->translation.l1_entries)
        cycles += model->translation.l1_miss_cycles;
    if (pages > model->translation.l2_entries)
        cycles += model->translation.walk_cycles;
    return cycles * pages / lines->steps / model->loads.in_flight;
}

struct sim_stride sonde_measure_simulation_stride(const struct sim_model *model,
                                                  struct sim_sets *sets,
                                                  const struct point *point,
                                                  uint64_t base, uint64_t seed)
{
    bool fields = strcmp(point->kernel->name, "fields") == 0;
    struct lines lines =
        fields ? lines_of_fields(model, point) : lines_of_stride(model, point);
    struct sim_stride stride = {lines.loads / model->loads.per_cycle, {0, 0}};
    double miss[SIM_LEVELS_MAX], reach = 1, visits;
    struct layout ring = {.kind = LAYOUT_RING,
                          .order = ORDER_ASCENDING,
                          .pages = point->layout.pages,
                          .nodes = (uint64_t)lines.count,
                          .pitch = (uint64_t)lines.pitch};

    if (!(lines.steps > 0)) { /* no passes: a few words at hand */
        stride.issue_cycles = 1 / model->loads.per_cycle;
        return stride;
    }
    visits = visits_of(point, &lines);
    sonde_measure_simulation_misses(model, sets, &ring, base, seed, miss);
    for (size_t i = 0; i < model->level_count; i++) {
        double on = fmin(reach, miss[i]);

        if (i > 0)
            stride.lines.cycles +=
                visits * (reach - on) *
                line_cycles(model, &lines, model->levels[i].latency_cycles,
                            model->levels[i].bytes_per_cycle);
        reach = on;
    }
    stride.lines.cycles += translation_cycles(model, point, &lines);
    stride.lines.ns = visits * reach * model->memory.latency_ns / model->loads.in_flight /
                      (lines.ahead ? model->prefetch_factor : 1);
    return stride;
}

struct sim_cost sonde_measure_simulation_stride_cost(const struct sim_stride *stride,
                                                     double slowdown, double hz)
{
    double issue = slowdown * stride->issue_cycles;
    double lines = stride->lines.cycles + stride->lines.ns * 1e-9 * hz;

    return issue >= lines ? (struct sim_cost){issue, 0} : stride->lines;
}
