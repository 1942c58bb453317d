/* Caches as the C library declares them through sysconf().
 *
 * On x86 glibc reads CPUID itself, at start-up and on whichever CPU that happened to be,
 * so it is no witness beside CPUID; and for the last level of AMD parts it gives the
 * total of the package. Elsewhere it mostly says 0. 0 and -1 are unknown; a C library
 * without these names (musl) gives one row that says so.
 *
 * What can fool it: on hybrid parts the values are those of the start-up CPU, whichever
 * CPU they are asked for. */
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#ifdef _SC_LEVEL1_DCACHE_SIZE

static const struct level {
    const char *size, *line, *ways;
    int size_key, line_key, ways_key;
} levels[] = {
    {"l1i.size", "l1i.line", "l1i.ways", _SC_LEVEL1_ICACHE_SIZE,
     _SC_LEVEL1_ICACHE_LINESIZE, _SC_LEVEL1_ICACHE_ASSOC},
    {"l1d.size", "l1d.line", "l1d.ways", _SC_LEVEL1_DCACHE_SIZE,
     _SC_LEVEL1_DCACHE_LINESIZE, _SC_LEVEL1_DCACHE_ASSOC},
    {"l2.size", "l2.line", "l2.ways", _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_LINESIZE,
     _SC_LEVEL2_CACHE_ASSOC},
    {"l3.size", "l3.line", "l3.ways", _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_LINESIZE,
     _SC_LEVEL3_CACHE_ASSOC},
    {"l4.size", "l4.line", "l4.ways", _SC_LEVEL4_CACHE_SIZE, _SC_LEVEL4_CACHE_LINESIZE,
     _SC_LEVEL4_CACHE_ASSOC},
};

/* Lines and ways are shown only where a size is, or where they say something themselves:
 * three rows of nothing for a level that is not there help nobody. */
static int add_level(const struct machine *machine, struct facts *facts,
                     const struct level *level)
{
    const char *witness = sonde_machine_cache_witness(machine, "libc");
    const char *missing = "the C library does not tell";
    double size = (double)sysconf(level->size_key);
    double line = (double)sysconf(level->line_key);
    double ways = (double)sysconf(level->ways_key);
    if (!sonde_machine_fact_cache(facts, level->size, "sysconf", witness, "bytes", size,
                                  missing))
        return -ENOMEM;
    if ((size > 0 || line > 0) &&
        !sonde_machine_fact_cache(facts, level->line, "sysconf", witness, "bytes", line,
                                  missing))
        return -ENOMEM;
    if ((size > 0 || ways > 0) &&
        !sonde_machine_fact_cache(facts, level->ways, "sysconf", witness, "count", ways,
                                  missing))
        return -ENOMEM;
    return 0;
}

int sonde_machine_source_sysconf(const struct machine *machine, unsigned cpu,
                                 struct facts *facts)
{
    (void)cpu;
    if (machine->sysroot)
        return 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof levels / sizeof *levels; i++)
        rc = add_level(machine, facts, &levels[i]);
    return rc;
}

#else

static int add_unsupported(struct facts *facts, const char *why)
{
    static const char *const names[] = {"l1d.size", "l2.size", "l3.size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!sonde_machine_fact_unknown(facts, names[i], "sysconf", "libc", "bytes", why))
            return -ENOMEM;
    return 0;
}

int sonde_machine_source_sysconf(const struct machine *machine, unsigned cpu,
                                 struct facts *facts)
{
    (void)cpu;
    return machine->sysroot ? 0
                            : add_unsupported(facts, "this C library has no such names");
}

#endif
