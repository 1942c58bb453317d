/* Reading a passport through libsonde: sizes for those who tile and pad.
 *
 * A level is whatever the passport has findings for, nearest to the core first; what was
 * not measured is NaN, and the declared size stands beside it, since a machine may say
 * anything. */
#include "sonde.h"

#include "library/problem.h"
#include "machine/machine.h"
#include "passport/passport.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sonde_passport {
    struct passport_list list;
    const struct passport *chosen;
};

/* From the core outwards; a passport has some of them. */
static const char *const level_names[] = {"l1d", "l2", "l3", "l4", "llc"};

int sonde_passport_open(struct sonde_passport **passport, const char *path, size_t index,
                        char *problem, size_t problem_size)
{
    struct sonde_passport *opened = calloc(1, sizeof *opened);
    struct message why = {{0}};
    int error = opened ? 0 : -ENOMEM;

    *passport = NULL;
    if (!error)
        error = sonde_passport_read(&opened->list, path, NULL, &why);
    if (!error && index >= opened->list.count)
        error =
            sonde_base_fail(&why, -ERANGE, "%s holds %zu passports, none is number %zu",
                            path, opened->list.count, index);
    if (error) {
        sonde_passport_close(opened);
        return library_problem(&why, error, problem, problem_size);
    }
    opened->chosen = &opened->list.rows[index];
    *passport = opened;
    return 0;
}

void sonde_passport_close(struct sonde_passport *passport)
{
    if (!passport)
        return;
    sonde_passport_list_free(&passport->list);
    free(passport);
}

double sonde_passport_value(const struct sonde_passport *passport, const char *name,
                            double *low, double *high)
{
    const struct finding *finding = sonde_passport_finding(passport->chosen, name);

    if (low)
        *low = finding ? finding->low : NAN;
    if (high)
        *high = finding ? finding->high : NAN;
    return finding ? finding->value : NAN;
}

static double declared(const struct sonde_passport *passport, const char *name)
{
    struct declaration said = sonde_machine_declared(&passport->chosen->facts, name);

    return said.implausible ? NAN : said.value;
}

static double part(const struct sonde_passport *passport, const char *level,
                   const char *what)
{
    char name[48];

    snprintf(name, sizeof name, "%s.%s", level, what);
    return sonde_passport_value(passport, name, NULL, NULL);
}

/* Who tiles by it wants what surely fits. */
static double size_least(const struct sonde_passport *passport, const char *level,
                         const char *what)
{
    const struct finding *finding;
    char name[48];

    snprintf(name, sizeof name, "%s.%s", level, what);
    finding = sonde_passport_finding(passport->chosen, name);
    return sonde_report_known(finding) ? sonde_report_size_least(finding) : NAN;
}

static struct sonde_level read_level(const struct sonde_passport *passport,
                                     const char *name)
{
    struct sonde_level level = {0};
    char fact[48];

    snprintf(level.name, sizeof level.name, "%s", name);
    snprintf(fact, sizeof fact, "%s.size", name);
    level.size_bytes = size_least(passport, name, "size");
    if (isnan(level.size_bytes))
        level.size_bytes = size_least(passport, name, "effective");
    level.ways = part(passport, name, "ways");
    level.latency_ns = part(passport, name, "latency");
    level.latency_cycles = part(passport, name, "latency_cycles");
    level.declared_bytes = declared(passport, fact);
    return level;
}

static int known(const struct sonde_level *level)
{
    return !isnan(level->size_bytes) || !isnan(level->latency_ns) ||
           !isnan(level->declared_bytes);
}

size_t sonde_passport_levels(const struct sonde_passport *passport,
                             struct sonde_level *levels, size_t capacity)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof level_names / sizeof level_names[0]; i++) {
        struct sonde_level level = read_level(passport, level_names[i]);

        if (!known(&level))
            continue;
        if (count < capacity)
            levels[count] = level;
        count++;
    }
    return count;
}

double sonde_passport_line(const struct sonde_passport *passport)
{
    double measured = sonde_passport_value(passport, "line.size", NULL, NULL);

    if (isnan(measured))
        measured = declared(passport, "line.size");
    return isnan(measured) ? declared(passport, "l1d.line") : measured;
}

double sonde_passport_page(const struct sonde_passport *passport)
{
    double measured = sonde_passport_value(passport, "page.granule", NULL, NULL);

    return isnan(measured) ? passport->chosen->machine.page_bytes : measured;
}
