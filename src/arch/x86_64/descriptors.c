/* Leaf 2: caches and TLBs as single bytes, each of which stands for one.
 *
 * Intel's first way to describe them, and on parts before 2004 the only one. A byte of
 * 255 sends the reader to leaf 4; 0x40 says that there is no further level. The table
 * holds the bytes of parts that may still be met. Source: Intel SDM volume 2A, table
 * "Encoding of CPUID leaf 2 descriptors".
 *
 * What can fool it: a byte that the table does not hold says nothing, and is passed over;
 * a byte whose meaning depends on the model (0x49) is left out. */
#include "arch/x86_64/cpuid.h"

struct cache_descriptor {
    unsigned char byte, level, type, ways, line;
    unsigned short kibibytes;
};

#define L1D 1, CACHE_DATA
#define L1I 1, CACHE_INSTRUCTION
#define L2  2, CACHE_UNIFIED
#define L3  3, CACHE_UNIFIED

static const struct cache_descriptor caches[] = {
    {0x06, L1I, 4, 32, 8},     {0x08, L1I, 4, 32, 16},    {0x09, L1I, 4, 64, 32},
    {0x0a, L1D, 2, 32, 8},     {0x0c, L1D, 4, 32, 16},    {0x0d, L1D, 4, 64, 16},
    {0x0e, L1D, 6, 64, 24},    {0x1d, L2, 2, 64, 128},    {0x21, L2, 8, 64, 256},
    {0x24, L2, 16, 64, 1024},  {0x2c, L1D, 8, 64, 32},    {0x30, L1I, 8, 64, 32},
    {0x41, L2, 4, 32, 128},    {0x42, L2, 4, 32, 256},    {0x43, L2, 4, 32, 512},
    {0x44, L2, 4, 32, 1024},   {0x45, L2, 4, 32, 2048},   {0x48, L2, 12, 64, 3072},
    {0x4a, L3, 12, 64, 6144},  {0x4b, L3, 16, 64, 8192},  {0x4c, L3, 12, 64, 12288},
    {0x4d, L3, 16, 64, 16384}, {0x4e, L2, 24, 64, 6144},  {0x60, L1D, 8, 64, 16},
    {0x66, L1D, 4, 64, 8},     {0x67, L1D, 4, 64, 16},    {0x68, L1D, 4, 64, 32},
    {0x78, L2, 4, 64, 1024},   {0x7d, L2, 8, 64, 2048},   {0x7f, L2, 2, 64, 512},
    {0x80, L2, 8, 64, 512},    {0x82, L2, 8, 32, 256},    {0x83, L2, 8, 32, 512},
    {0x84, L2, 8, 32, 1024},   {0x85, L2, 8, 32, 2048},   {0x86, L2, 4, 64, 512},
    {0x87, L2, 8, 64, 1024},   {0xd0, L3, 4, 64, 512},    {0xd1, L3, 4, 64, 1024},
    {0xd2, L3, 4, 64, 2048},   {0xd6, L3, 8, 64, 1024},   {0xd7, L3, 8, 64, 2048},
    {0xd8, L3, 8, 64, 4096},   {0xdc, L3, 12, 64, 1536},  {0xdd, L3, 12, 64, 3072},
    {0xde, L3, 12, 64, 6144},  {0xe2, L3, 16, 64, 2048},  {0xe3, L3, 16, 64, 4096},
    {0xe4, L3, 16, 64, 8192},  {0xea, L3, 24, 64, 12288}, {0xeb, L3, 24, 64, 18432},
    {0xec, L3, 24, 64, 24576},
};

/* Data and shared TLBs for pages of 4 KiB. */
static const struct {
    unsigned char byte;
    unsigned short entries;
    const char *name;
} translations[] = {
    {0x03, 64, "dtlb.l1.entries"},  {0x5b, 64, "dtlb.l1.entries"},
    {0x59, 16, "dtlb.l1.entries"},  {0xa0, 32, "dtlb.l1.entries"},
    {0xb3, 128, "dtlb.l1.entries"}, {0xb4, 256, "dtlb.l1.entries"},
    {0xba, 64, "dtlb.l1.entries"},  {0xc1, 1024, "tlb.l2.entries"},
    {0xc3, 1536, "tlb.l2.entries"}, {0xca, 512, "tlb.l2.entries"},
};

static void add_byte(struct arch_rows *rows, unsigned byte)
{
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        const struct cache_descriptor *found = &caches[i];
        struct arch_cache cache = {
            .level = found->level,
            .type = found->type,
            .bytes = (uint64_t)found->kibibytes << 10,
            .line = found->line,
            .ways = found->ways,
        };

        if (found->byte == byte)
            sonde_arch_rows_cache(rows, "cpuid.2", &cache);
    }
    for (size_t i = 0; i < sizeof translations / sizeof translations[0]; i++)
        if (translations[i].byte == byte)
            sonde_arch_rows_number(rows, translations[i].name, "cpuid.2", "count",
                                   translations[i].entries, NULL);
}

void sonde_arch_rows_descriptors(struct arch_rows *rows)
{
    struct cpuid leaf = sonde_arch_cpuid(2, 0);
    uint32_t registers[4] = {leaf.eax & ~0xffU, leaf.ebx, leaf.ecx, leaf.edx};

    for (int i = 0; i < 4; i++) {
        if (sonde_arch_bits(registers[i], 31, 1)) /* set: holds no descriptors */
            continue;
        for (unsigned low = 0; low < 32; low += 8)
            add_byte(rows, sonde_arch_bits(registers[i], low, 8));
    }
}
