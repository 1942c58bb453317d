/* Caches as CPUID describes them.
 *
 * Leaf 4 (Intel) and leaf 0x8000001d (AMD) list caches one by one, in the same form;
 * which is which comes from level and type, never from the order. Leaves 0x80000005 and
 * 0x80000006 are AMD's older form, with the ways in codes; Intel fills the L2 of the
 * latter only. Sources: Intel SDM volume 2A, CPUID; AMD APM volume 3, appendix E.
 *
 * What can fool it: hypervisors, which may empty a leaf and fill another with the values
 * of the whole host, or with ways of 0. Both are passed on with a note, unjudged. */
#include "arch/x86_64/cpuid.h"

#include <math.h>

enum { SUBLEAVES_MAX = 32 }; /* far more than any core has caches; ends a broken list */

/* One subleaf of leaf 4 or 0x8000001d; false at the end of the list. */
static bool add_listed_cache(struct arch_rows *rows, const char *source,
                             const struct cpuid *leaf)
{
    uint64_t sets = (uint64_t)leaf->ecx + 1;
    struct arch_cache cache = {
        .type = sonde_arch_bits(leaf->eax, 0, 5),
        .level = sonde_arch_bits(leaf->eax, 5, 3),
        .shared = sonde_arch_bits(leaf->eax, 14, 12) + 1,
        .line = sonde_arch_bits(leaf->ebx, 0, 12) + 1,
        .ways = sonde_arch_bits(leaf->ebx, 22, 10) + 1,
    };
    uint64_t partitions = sonde_arch_bits(leaf->ebx, 12, 10) + 1;

    if (cache.type == 0)
        return false;
    cache.bytes = cache.ways * partitions * cache.line * sets;
    if (sonde_arch_bits(leaf->eax, 9, 1))
        cache.ways_note = "fully associative";
    sonde_arch_rows_cache(rows, source, &cache);
    return true;
}

static void add_listed_caches(struct arch_rows *rows, uint32_t number, const char *source)
{
    uint32_t subleaf = 0;

    for (; subleaf < SUBLEAVES_MAX; subleaf++) {
        struct cpuid leaf = sonde_arch_cpuid(number, subleaf);

        if (!add_listed_cache(rows, source, &leaf))
            break;
    }
    if (subleaf == 0)
        sonde_arch_rows_number(rows, "l1d.size", source, "bytes", NAN,
                               "the leaf is empty");
}

/* --- the older form --- */

/* L1: 8 bits that are the number of ways itself, 255 for fully associative. */
static void add_first_level(struct arch_rows *rows, unsigned type, uint32_t value)
{
    uint64_t ways = sonde_arch_bits(value, 16, 8);
    struct arch_cache cache = {
        .level = 1,
        .type = type,
        .bytes = (uint64_t)sonde_arch_bits(value, 24, 8) << 10,
        .line = sonde_arch_bits(value, 0, 8),
        .ways = ways,
    };

    if (ways == 255) {
        cache.ways = cache.line != 0 ? cache.bytes / cache.line : 0;
        cache.ways_note = "fully associative";
    } else if (ways == 0) {
        cache.ways_note = "0 ways, which is a reserved value";
    }
    sonde_arch_rows_cache(rows, "cpuid.0x80000005", &cache);
}

/* The codes of leaf 0x80000006; 0 for those that name no number. */
static unsigned ways_of_code(unsigned code)
{
    static const unsigned char ways[16] = {
        [1] = 1,  [2] = 2,    [3] = 3,    [4] = 4,    [5] = 6,    [6] = 8,
        [8] = 16, [0xa] = 32, [0xb] = 48, [0xc] = 64, [0xd] = 96, [0xe] = 128,
    };

    return ways[code & 15];
}

static const char *note_of_code(unsigned code)
{
    switch (code) {
    case 0:
        return "0 ways: said to be disabled";
    case 7:
        return "a reserved code, or said to be in leaf 4";
    case 9:
        return "said to be in leaf 0x8000001d";
    case 15:
        return "fully associative";
    default:
        return NULL;
    }
}

static void add_coded_cache(struct arch_rows *rows, unsigned level, uint64_t bytes,
                            uint32_t value)
{
    unsigned code = sonde_arch_bits(value, 12, 4);
    struct arch_cache cache = {
        .level = level,
        .type = CACHE_UNIFIED,
        .bytes = bytes,
        .line = sonde_arch_bits(value, 0, 8),
        .ways = ways_of_code(code),
        .ways_note = note_of_code(code),
    };

    if (code == 15 && cache.line != 0)
        cache.ways = cache.bytes / cache.line;
    if (code == 0 && bytes != 0)
        cache.size_note = "a size, with 0 ways";
    if (code == 9 && bytes != 0)
        cache.size_note = "may be all instances together: see leaf 0x8000001d";
    sonde_arch_rows_cache(rows, "cpuid.0x80000006", &cache);
}

static void add_coded_caches(struct arch_rows *rows)
{
    struct cpuid first = sonde_arch_cpuid(0x80000005, 0);
    struct cpuid later = sonde_arch_cpuid(0x80000006, 0);
    bool amd = sonde_arch_is_amd();

    if (amd) {
        add_first_level(rows, CACHE_DATA, first.ecx);
        add_first_level(rows, CACHE_INSTRUCTION, first.edx);
    }
    if (amd || later.ecx != 0)
        add_coded_cache(rows, 2, (uint64_t)sonde_arch_bits(later.ecx, 16, 16) << 10,
                        later.ecx);
    if (amd) /* in units of 512 KiB */
        add_coded_cache(rows, 3, (uint64_t)sonde_arch_bits(later.edx, 18, 14) << 19,
                        later.edx);
}

void sonde_arch_rows_caches(struct arch_rows *rows)
{
    if (sonde_arch_cpuid(0, 0).eax >= 4)
        add_listed_caches(rows, 4, "cpuid.4");
    if (sonde_arch_bits(sonde_arch_cpuid(0x80000001, 0).ecx, 22, 1)) /* TOPOEXT */
        add_listed_caches(rows, 0x8000001d, "cpuid.0x8000001d");
    add_coded_caches(rows);
}
