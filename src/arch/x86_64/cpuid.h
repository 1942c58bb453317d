/* CPUID, bounded by the leaves that exist; used by this folder only. */
#ifndef SONDE_ARCH_X86_64_CPUID_H
#define SONDE_ARCH_X86_64_CPUID_H

#include "arch/rows.h"

struct cpuid {
    uint32_t eax, ebx, ecx, edx;
};

/* All zero for a leaf above the highest of its range (where a processor would answer with
 * another leaf's content). */
struct cpuid sonde_arch_cpuid(uint32_t leaf, uint32_t subleaf);
/* `width` bits of `value` from bit `low` up. */
uint32_t sonde_arch_bits(uint32_t value, unsigned low, unsigned width);
/* Does the vendor string say AMD or Hygon, who share the leaves 0x8000xxxx? */
bool sonde_arch_is_amd(void);

/* caches.c: leaves 4, 0x8000001d, 0x80000005, 0x80000006 */
void sonde_arch_rows_caches(struct arch_rows *rows);
/* descriptors.c: leaf 2 */
void sonde_arch_rows_descriptors(struct arch_rows *rows);
/* translation.c: leaves 0x18, 0x80000005, 0x80000006, 0x80000019 */
void sonde_arch_rows_translation(struct arch_rows *rows);

#endif
