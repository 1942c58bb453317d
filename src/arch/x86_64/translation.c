/* Address translation as CPUID declares it: how many entries the data TLBs hold.
 *
 * AMD gives L1 and L2 for pages of 4 KiB, 2 MiB and 1 GiB in three leaves; Intel lists
 * its TLBs one by one in leaf 0x18 (and older parts by descriptors in leaf 2). Only data
 * and unified TLBs are told; those for loads alone count as data.
 *
 * What can fool it: hypervisors pass these on unchanged, while a guest's translations
 * also need the host's, whose page size is not known here. */
#include "arch/x86_64/cpuid.h"

#include <math.h>

enum { SUBLEAVES_MAX = 32 };

struct tlb_names {
    const char *small, *medium, *large;
};
static const struct tlb_names first_names = {"dtlb.l1.entries", "dtlb.l1.entries_2m",
                                             "dtlb.l1.entries_1g"};
static const struct tlb_names second_names = {"tlb.l2.entries", "tlb.l2.entries_2m",
                                              "tlb.l2.entries_1g"};

static void add_entries(struct arch_rows *rows, const char *name, const char *source,
                        uint32_t entries)
{
    if (entries != 0)
        sonde_arch_rows_number(rows, name, source, "count", entries, NULL);
}

/* Leaf 0x80000006 and 0x80000019 hold ways in the upper 4 of 16 bits, entries below. */
static void add_amd(struct arch_rows *rows)
{
    struct cpuid first = sonde_arch_cpuid(0x80000005, 0);
    struct cpuid second = sonde_arch_cpuid(0x80000006, 0);
    struct cpuid large = sonde_arch_cpuid(0x80000019, 0);

    add_entries(rows, first_names.small, "cpuid.0x80000005",
                sonde_arch_bits(first.ebx, 16, 8));
    add_entries(rows, first_names.medium, "cpuid.0x80000005",
                sonde_arch_bits(first.eax, 16, 8));
    add_entries(rows, second_names.small, "cpuid.0x80000006",
                sonde_arch_bits(second.ebx, 16, 12));
    add_entries(rows, second_names.medium, "cpuid.0x80000006",
                sonde_arch_bits(second.eax, 16, 12));
    add_entries(rows, first_names.large, "cpuid.0x80000019",
                sonde_arch_bits(large.eax, 16, 12));
    add_entries(rows, second_names.large, "cpuid.0x80000019",
                sonde_arch_bits(large.ebx, 16, 12));
}

/* Types of leaf 0x18: 1 data, 3 unified, 4 load only, 5 store only. */
static void add_listed(struct arch_rows *rows, const struct cpuid *leaf)
{
    unsigned type = sonde_arch_bits(leaf->edx, 0, 5);
    unsigned level = sonde_arch_bits(leaf->edx, 5, 3);
    uint32_t entries = sonde_arch_bits(leaf->ebx, 16, 16) * leaf->ecx;
    const struct tlb_names *names = level == 1 ? &first_names : &second_names;

    if ((type != 1 && type != 3 && type != 4) || level < 1 || level > 2)
        return;
    if (sonde_arch_bits(leaf->ebx, 0, 1))
        add_entries(rows, names->small, "cpuid.0x18", entries);
    if (sonde_arch_bits(leaf->ebx, 1, 1))
        add_entries(rows, names->medium, "cpuid.0x18", entries);
    if (sonde_arch_bits(leaf->ebx, 3, 1))
        add_entries(rows, names->large, "cpuid.0x18", entries);
}

void sonde_arch_rows_translation(struct arch_rows *rows)
{
    struct cpuid list = sonde_arch_cpuid(0x18, 0);

    if (sonde_arch_is_amd())
        add_amd(rows);
    for (uint32_t subleaf = 0; subleaf <= list.eax && subleaf < SUBLEAVES_MAX;
         subleaf++) {
        struct cpuid leaf = sonde_arch_cpuid(0x18, subleaf);

        add_listed(rows, &leaf);
    }
}
