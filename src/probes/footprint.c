/* How large a ladder should be: a declared size decides how far to look, never what is
 * found, and is capped, since declarations can be absurd. */
#include "probes/probe.h"

#include <math.h>

static double effort_cap(const struct effort *effort)
{
    switch (effort->level) {
    case EFFORT_QUICK:
        return 64.0 * 1024 * 1024;
    case EFFORT_DEFAULT:
        return 256.0 * 1024 * 1024;
    case EFFORT_FULL:
        return 2048.0 * 1024 * 1024;
    }
    return NAN;
}

double sonde_probe_largest_footprint(const struct probe_context *context)
{
    static const char *const names[] = {"l4.size", "l3.size", "l2.size"};
    double last_level = NAN, wanted;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct declaration declared = sonde_machine_declared(context->facts, names[i]);

        if (!declared.implausible && declared.value > 0) {
            last_level = declared.value;
            break;
        }
    }
    /* Nothing plausible declared: beyond the last level of almost all machines. */
    wanted = last_level > 0 ? 4 * last_level : 128.0 * 1024 * 1024;
    /* Even a small last level leaves translation and prefetching to be seen. */
    wanted = fmax(wanted, 16.0 * 1024 * 1024);
    return fmin(fmin(wanted, effort_cap(&context->effort)), context->memory_bytes);
}

double sonde_probe_huge_bytes(const struct probe_context *context)
{
    struct declaration declared = sonde_machine_declared(context->facts, "thp.size");
    double page = (double)context->machine->page_bytes;

    if (declared.value > 0 && !declared.implausible)
        return declared.value;
    /* Entries of 8 bytes, a table to a page: 2 MiB of 4 KiB pages, 32 MiB of 16 KiB. */
    return page * page / 8;
}
