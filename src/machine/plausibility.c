/* Rules that a declared value must not break.
 *
 * A value that breaks one stays in its row, marked implausible with the reason, and is
 * left out of the consensus: declared values come from firmware tables and hypervisors
 * that nobody checks. Each rule is one function and one row of the table at the end.
 *
 * The bounds on sizes are those of the largest parts sold, by vendor and family, so that
 * a reason can name its ground. Families that are not listed get the bound of all
 * processors, since a part newer than this table must not be called impossible.
 *
 * What can fool it: a wrong value that is possible. Only measuring helps then. */
#include "base/units.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY_TEXT = 240 };

#define KIB 1024.0
#define MIB (1024.0 * 1024)
#define GIB (1024.0 * 1024 * 1024)

struct subject {
    const struct machine *machine;
    const struct facts *facts;
    struct processor processor;
    unsigned cpu;
};

/* --- helpers
 * ------------------------------------------------------------------------------ */

static bool ends(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

/* The level in "l2.size", "l1d.ways"; 0 for names that are no cache's. */
static int cache_level(const char *name)
{
    bool cache = name[0] == 'l' && name[1] >= '1' && name[1] <= '4' &&
                 (name[2] == '.' || name[2] == 'd' || name[2] == 'i');
    return cache ? name[1] - '0' : 0;
}

static bool is_cache_size(const struct fact *fact)
{
    return cache_level(fact->name) && ends(fact->name, ".size");
}

/* The row of the same source on `what` of the same cache ("ways" beside "l3.size"). */
static const struct fact *beside(const struct subject *subject, const struct fact *fact,
                                 const char *what)
{
    size_t stem = strcspn(fact->name, ".") + 1;
    for (size_t i = 0; i < subject->facts->count; i++) {
        const struct fact *row = &subject->facts->rows[i];
        if (strcmp(row->source, fact->source) == 0 &&
            strncmp(row->name, fact->name, stem) == 0 &&
            strcmp(row->name + stem, what) == 0)
            return row;
    }
    return NULL;
}

static bool power_of_two(double value)
{
    return value >= 1 && value < 0x1p53 && fmod(log2(value), 1) == 0;
}

/* --- the rules
 * ------------------------------------------------------------------------------ */

/* A CPUID leaf that knows a size and has no ways was filled in by hand. Outside x86 the
 * kernel writes 0 where a device tree does not tell, which says nothing of the size. */
static bool zero_ways(const struct subject *subject, const struct fact *fact, char *why)
{
    if (!is_cache_size(fact) || !fact->witness || strcmp(fact->witness, "cpuid") != 0)
        return false;
    const struct fact *ways = beside(subject, fact, "ways");
    if (!ways || ways->status != FACT_UNKNOWN || !ways->note ||
        strcmp(ways->note, SONDE_NOTE_ZERO) != 0)
        return false;
    snprintf(why, WHY_TEXT, "0 ways: no cache has none");
    return true;
}

/* sysconf and an old leaf of AMD give the sum over a package where one CPU sees one part.
 */
static bool package_total(const struct subject *subject, const struct fact *fact,
                          char *why)
{
    if (strcmp(fact->name, "l3.size") != 0 || strcmp(fact->source, "sysfs") == 0)
        return false;
    for (size_t i = 0; i < subject->facts->count; i++) {
        const struct fact *row = &subject->facts->rows[i];
        if (strcmp(row->name, "l3.size") != 0 || strcmp(row->source, "sysfs") != 0 ||
            row->status != FACT_KNOWN)
            continue;
        double parts = fact->value / row->value;
        if (parts < 2 || parts != floor(parts))
            return false;
        snprintf(why, WHY_TEXT,
                 "%.0f times the %s that sysfs gives for CPU %u: a total, not "
                 "what one CPU sees",
                 parts, sonde_base_format_bytes(row->value).text, subject->cpu);
        return true;
    }
    return false;
}

static const struct bound {
    const char *vendor; /* NULL: any */
    unsigned family_low, family_high, model_high;
    int level;
    double bytes;
    const char *kind, *ground;
} bounds[] = {
    /* AMD documents one L3 per core complex; a core reaches no other. */
    {"AuthenticAMD", 0, 0x16, ~0u, 3, 8 * MIB, "AMD before Zen", "Opteron 6200"},
    {"AuthenticAMD", 0x17, 0x17, ~0u, 3, 16 * MIB, "AMD family 17h",
     "a complex of Zen 2"},
    {"AuthenticAMD", 0x19, 0x19, ~0u, 3, 96 * MIB, "AMD family 19h",
     "a complex of Zen 3 or 4 with stacked cache"},
    {"AuthenticAMD", 0x1a, 0x1a, 0x4f, 3, 96 * MIB, "AMD family 1Ah",
     "a complex of Zen 5 with stacked cache"},
    {"AuthenticAMD", 0, 0x1a, ~0u, 2, 2 * MIB, "AMD up to family 1Ah",
     "a module of family 15h"},
    {"HygonGenuine", 0x18, 0x18, ~0u, 3, 16 * MIB, "Hygon family 18h", "Dhyana"},
    {"GenuineIntel", 6, 6, ~0u, 2, 6 * MIB, "Intel family 6", "Penryn"},
    {"GenuineIntel", 6, 6, ~0u, 4, 128 * MIB, "Intel family 6", "Broadwell with eDRAM"},
    {NULL, 0, ~0u, ~0u, 1, 256 * KIB, "processor", "192 KiB: Apple's first level"},
    {NULL, 0, ~0u, ~0u, 2, 36 * MIB, "processor", "IBM z17"},
    {NULL, 0, ~0u, ~0u, 3, 576 * MIB, "processor", "Intel Clearwater Forest"},
    {NULL, 0, ~0u, ~0u, 4, 4 * GIB, "processor", "2.9 GiB: a drawer of IBM z17"},
};

static bool applies(const struct bound *bound, const struct processor *processor,
                    int level)
{
    if (bound->level != level)
        return false;
    if (!bound->vendor)
        return true;
    return strcmp(bound->vendor, processor->vendor) == 0 &&
           processor->family >= bound->family_low &&
           processor->family <= bound->family_high &&
           processor->model <= bound->model_high;
}

static bool beyond_any_part(const struct subject *subject, const struct fact *fact,
                            char *why)
{
    if (!is_cache_size(fact))
        return false;
    int level = cache_level(fact->name);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct bound *bound = &bounds[i];
        if (!applies(bound, &subject->processor, level))
            continue;
        if (fact->value <= bound->bytes)
            return false;
        snprintf(why, WHY_TEXT, "no %s has more than %s in one L%d (%s)", bound->kind,
                 sonde_base_format_bytes(bound->bytes).text, level, bound->ground);
        return true;
    }
    return false;
}

static bool beyond_memory(const struct subject *subject, const struct fact *fact,
                          char *why)
{
    double memory = subject->machine->memory_installed;
    if (!is_cache_size(fact) || isnan(memory) || fact->value <= memory)
        return false;
    snprintf(why, WHY_TEXT, "larger than the memory (%s)",
             sonde_base_format_bytes(memory).text);
    return true;
}

/* Lines of 16 to 256 bytes have been built; s390 has 256, and a sector may be twice that.
 */
static bool odd_line(const struct subject *subject, const struct fact *fact, char *why)
{
    (void)subject;
    if (!ends(fact->name, ".line") && strcmp(fact->name, "line.size") != 0)
        return false;
    if (power_of_two(fact->value) && fact->value >= 8 && fact->value <= 1024)
        return false;
    snprintf(why, WHY_TEXT, "a line is a power of two between 8 and 1024 bytes");
    return true;
}

/* Size, line and ways of one source must fit; the ways are doubted, since the size is
 * what most sources and most users agree on. */
static bool odd_ways(const struct subject *subject, const struct fact *fact, char *why)
{
    if (!cache_level(fact->name) || !ends(fact->name, ".ways"))
        return false;
    const struct fact *size = beside(subject, fact, "size");
    const struct fact *line = beside(subject, fact, "line");
    if (!size || !line || !(size->value > 0) || !(line->value > 0) ||
        fmod(size->value, line->value * fact->value) == 0)
        return false;
    snprintf(why, WHY_TEXT, "%s is no whole number of %.0f ways of %.0f B lines",
             sonde_base_format_bytes(size->value).text, fact->value, line->value);
    return true;
}

/* A CPU that does not share its own cache: the list is another CPU's. */
static bool shared_without_us(const struct subject *subject, const struct fact *fact,
                              char *why)
{
    struct cpulist list = {0};
    if (!cache_level(fact->name) || !ends(fact->name, ".shared") || !fact->text ||
        sonde_base_cpulist_parse(&list, fact->text, NULL) < 0)
        return false;
    bool with_us = sonde_base_cpulist_has(&list, subject->cpu);
    bool cut = strstr(fact->text, "...") != NULL;
    sonde_base_cpulist_free(&list);
    if (with_us || cut)
        return false;
    snprintf(why, WHY_TEXT, "CPU %u is not among those that share its cache",
             subject->cpu);
    return true;
}

static bool memory_beyond_reach(const struct subject *subject, const struct fact *fact,
                                char *why)
{
    double bits = subject->processor.address_bits;
    bool memory = strcmp(fact->name, "memory.installed") == 0 ||
                  strcmp(fact->name, "memory.granted") == 0;
    if (!memory || !(bits > 0) || fact->value <= exp2(bits))
        return false;
    snprintf(why, WHY_TEXT, "addresses of %.0f bits reach %s", bits,
             sonde_base_format_bytes(exp2(bits)).text);
    return true;
}

static bool memory_beyond_installed(const struct subject *subject,
                                    const struct fact *fact, char *why)
{
    double installed = subject->machine->memory_installed;
    if (strcmp(fact->name, "memory.available") != 0 || isnan(installed) ||
        fact->value <= installed)
        return false;
    snprintf(why, WHY_TEXT, "more than is installed");
    return true;
}

static bool odd_page(const struct subject *subject, const struct fact *fact, char *why)
{
    (void)subject;
    if (strcmp(fact->name, "page.size") != 0 ||
        (power_of_two(fact->value) && fact->value >= 1024 && fact->value <= GIB))
        return false;
    snprintf(why, WHY_TEXT, "a page is a power of two between 1 KiB and 1 GiB");
    return true;
}

static bool too_many_cpus(const struct subject *subject, const struct fact *fact,
                          char *why)
{
    double possible = (double)sonde_base_cpulist_count(&subject->machine->possible);
    if ((strcmp(fact->name, "cpus.online") != 0 &&
         strcmp(fact->name, "cpus.allowed") != 0) ||
        fact->value <= possible)
        return false;
    snprintf(why, WHY_TEXT, "more than the %.0f that are possible", possible);
    return true;
}

/* The first rule that is broken gives the reason, so the most telling come first. */
static bool (*const rules[])(const struct subject *, const struct fact *, char *) = {
    package_total,
    beyond_memory,
    beyond_any_part,
    zero_ways,
    odd_line,
    odd_ways,
    shared_without_us,
    memory_beyond_reach,
    memory_beyond_installed,
    odd_page,
    too_many_cpus,
};

int sonde_machine_check(const struct machine *machine, unsigned cpu, struct facts *facts)
{
    struct subject subject = {.machine = machine, .facts = facts, .cpu = cpu};
    sonde_machine_processor(machine, cpu, &subject.processor);
    for (size_t i = 0; i < facts->count; i++) {
        struct fact *fact = &facts->rows[i];
        char why[WHY_TEXT];
        if (fact->status != FACT_KNOWN || isnan(fact->value))
            continue;
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
            if (!rules[k](&subject, fact, why))
                continue;
            sonde_machine_fact_doubt(fact, why);
            break;
        }
    }
    return 0;
}
