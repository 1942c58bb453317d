/* What a finding's name and unit say of a difference: which way is better, and whether it
 * belongs to the machine at all.
 *
 * What can fool it: a finding of a kind that is not known here has no better way, so a
 * regression in it is shown and fails nothing. */
#include "infer/compare.h"

#include <string.h>

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool ends(const char *name, const char *with)
{
    size_t length = strlen(name), own = strlen(with);

    return length >= own && strcmp(name + length - own, with) == 0;
}

bool sonde_infer_circumstance(const char *name)
{
    return begins(name, "traps.") ||
           (begins(name, "clock.") && strcmp(name, "clock.core_hz") != 0);
}

bool sonde_infer_structure(const char *name, const char *unit)
{
    /* What others leave of a level moves, and so does what is counted off a slope. */
    static const char *const moving[] = {"llc.effective", "mlp.",    "mountain.",
                                         "prefetch.",     "layout.", "stride."};

    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++)
        if (begins(name, moving[i]))
            return false;
    return strcmp(unit, "bytes") == 0 || strcmp(unit, "count") == 0;
}

enum better sonde_infer_better(const char *name, const char *unit)
{
    static const char *const lower[] = {"ns", "cycles"};
    static const char *const higher[] = {"bytes/s", "per cycle", "hz", "words/cycle",
                                         "loads/cycle"};

    if (sonde_infer_circumstance(name))
        return BETTER_NEITHER;
    for (size_t i = 0; i < sizeof lower / sizeof lower[0]; i++)
        if (strcmp(unit, lower[i]) == 0)
            return BETTER_LOWER;
    for (size_t i = 0; i < sizeof higher / sizeof higher[0]; i++)
        if (strcmp(unit, higher[i]) == 0)
            return BETTER_HIGHER;
    if (ends(name, ".size") && strcmp(name, "line.size") != 0)
        return BETTER_HIGHER;
    if (ends(name, ".effective") || ends(name, ".entries") || ends(name, ".reach") ||
        ends(name, ".fairness") || begins(name, "history.") ||
        (begins(name, "mlp.") && !ends(name, ".chains")))
        return BETTER_HIGHER;
    if (begins(name, "denormal.") || begins(name, "sharing.cost"))
        return BETTER_LOWER;
    return BETTER_NEITHER;
}
