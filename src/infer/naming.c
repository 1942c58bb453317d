/* Naming levels, and above all: what may be called memory.
 *
 * A curve that ends inside a cache ends on a plateau too, so a plateau alone proves
 * nothing. Memory has a speed of its own: opening a row, reading a column, and the way
 * through the controller take some 45 ns and more on every machine with DRAM, while the
 * slowest last-level caches stay near or below it. A last plateau faster than that is a
 * cache whose end was not reached. */
#include "infer/naming.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double memory_least_ns = 45;
/* Where only cycles are known: first levels take 2 to 5 cycles, last-level caches up to
 * 20 times that on the largest chips, memory more. */
static const double memory_least_times_first = 20;

__attribute__((format(printf, 2, 3))) static bool refuse(struct naming *naming,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(naming->why_not, sizeof naming->why_not, format, arguments);
    va_end(arguments);
    return false;
}

static bool slow_enough(const struct levels *levels, const double *costs_ns,
                        struct naming *naming)
{
    size_t last = levels->count - 1;
    double times = levels->level[last].cost / levels->level[0].cost;
    if (costs_ns && isfinite(costs_ns[last])) {
        if (costs_ns[last] >= memory_least_ns)
            return true;
        return refuse(naming, "the last plateau is a cache's: %.1f ns, memory takes %.0f",
                      costs_ns[last], memory_least_ns);
    }
    if (times >= memory_least_times_first)
        return true;
    return refuse(naming,
                  "the last plateau is a cache's: %.1f times the first level, memory "
                  "takes %.0f",
                  times, memory_least_times_first);
}

static bool is_memory(const struct levels *levels, const struct curve *curve,
                      const double *costs_ns, bool memory_limited, struct naming *naming)
{
    size_t last = levels->count - 1;
    double end = curve->size[curve->count - 1];
    const char *limit = memory_limited ? "; no more memory was granted" : "";
    if (levels->count < 2)
        return refuse(naming, "the curve shows no step up to %.0f KiB%s", end / 1024,
                      limit);
    if (levels->rising_at_end)
        return refuse(naming, "the curve still rises at its end, %.0f KiB%s", end / 1024,
                      limit);
    const struct level *level = &levels->level[last];
    if (level->cost < 2 * level[-1].cost)
        return refuse(naming, "the last plateau is less than twice the level before it");
    if (!(end >= 1.999 * level[-1].capacity_low))
        return refuse(naming, "the curve ends within an octave of the last boundary%s",
                      limit);
    return slow_enough(levels, costs_ns, naming);
}

/* The second of two levels is one of its own, not what all share, when it is as near as
 * second levels are: they take 3 to 5 times as long as the first, last levels 7 and
 * more. */
static bool is_near(const struct levels *levels)
{
    return levels->level[1].cost < 5.5 * levels->level[0].cost;
}

void sonde_infer_name_levels(const struct levels *levels, const struct curve *curve,
                             const double *costs_ns, bool shared_last_level,
                             bool memory_limited, struct naming *naming)
{
    *naming = (struct naming){0};
    if (levels->count == 0)
        return;
    size_t last = levels->count - 1;
    naming->has_memory = is_memory(levels, curve, costs_ns, memory_limited, naming);
    naming->caches = levels->count;
    if (naming->has_memory || (levels->rising_at_end && levels->count > 1))
        naming->caches = last;
    size_t room = sizeof naming->name[0];
    for (size_t i = 0; i < naming->caches && i < LEVELS_MAX; i++)
        snprintf(naming->name[i], room, "l%u", (unsigned)(i + 1) % 10);
    snprintf(naming->name[0], room, "l1d");
    if (naming->caches > 2 ||
        (naming->caches == 2 && shared_last_level && !is_near(levels)))
        snprintf(naming->name[naming->caches - 1], room, "llc");
    if (naming->has_memory)
        snprintf(naming->name[last], room, "memory");
}
