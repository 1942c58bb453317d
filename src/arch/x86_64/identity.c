/* What an x86 core says of itself: names, kinds, clocks, widths.
 *
 * All of it is CPUID, read on the CPU the thread runs on; on hybrid parts the answers
 * differ from CPU to CPU. Caches, descriptors and TLBs have files of their own. Sources:
 * Intel SDM volume 2A, CPUID; AMD APM volume 3, appendix E.
 *
 * What can fool it: a hypervisor answers instead of the core wherever it likes, and the
 * brand string is whatever it wrote there; hence the model is also composed from the
 * signature in leaf 1. Clock rates in leaf 0x16 are nominal, never what the core runs at.
 */
#include "arch/x86_64/cpuid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_text(char *out, uint32_t value)
{
    memcpy(out, &value, sizeof value);
}

/* Bytes that are no printable ASCII would spoil a terminal. */
static void make_printable(char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

/* Vendors stand in EBX, EDX, ECX in leaf 0 and in EBX, ECX, EDX at a hypervisor's. */
static void read_vendor(char out[13], uint32_t first, uint32_t second, uint32_t third)
{
    put_text(out, first);
    put_text(out + 4, second);
    put_text(out + 8, third);
    out[12] = '\0';
    make_printable(out);
}

static void read_signature(struct arch_core *core)
{
    uint32_t signature = sonde_arch_cpuid(1, 0).eax;
    unsigned family = sonde_arch_bits(signature, 8, 4);

    core->stepping = sonde_arch_bits(signature, 0, 4);
    core->model = sonde_arch_bits(signature, 4, 4);
    core->family = family;
    if (family == 6 || family == 15)
        core->model |= sonde_arch_bits(signature, 16, 4) << 4;
    if (family == 15)
        core->family += sonde_arch_bits(signature, 20, 8);
}

static const char *read_kind(void)
{
    struct cpuid amd = sonde_arch_cpuid(0x80000026, 0);

    if (sonde_arch_bits(sonde_arch_cpuid(7, 0).edx, 15, 1)) { /* hybrid */
        switch (sonde_arch_bits(sonde_arch_cpuid(0x1a, 0).eax, 24, 8)) {
        case 0x20:
            return "efficient";
        case 0x40:
            return "performance";
        }
    }
    if (sonde_arch_bits(amd.eax, 30, 1)) /* heterogeneous cores */
        return sonde_arch_bits(amd.ebx, 28, 4) == 0 ? "performance" : "efficient";
    return "";
}

static bool under_hypervisor(void)
{
    return sonde_arch_bits(sonde_arch_cpuid(1, 0).ecx, 31, 1) != 0;
}

/* Without the hypervisor bit these leaves hold something else. */
static void read_hypervisor(uint32_t leaf, char out[13])
{
    struct cpuid answer;

    out[0] = '\0';
    if (!under_hypervisor())
        return;
    answer = sonde_arch_cpuid(leaf, 0);
    read_vendor(out, answer.ebx, answer.ecx, answer.edx);
}

void sonde_arch_core(struct arch_core *core)
{
    struct cpuid leaf = sonde_arch_cpuid(0, 0);

    memset(core, 0, sizeof *core);
    read_vendor(core->vendor, leaf.ebx, leaf.edx, leaf.ecx);
    read_signature(core);
    snprintf(core->kind, sizeof core->kind, "%s", read_kind());
    read_hypervisor(0x40000000, core->hypervisor);
}

static void add_names(struct arch_rows *rows)
{
    struct arch_core core;
    char brand[49] = "", model[96], second[13];

    sonde_arch_core(&core);
    for (uint32_t i = 0; i < 3; i++) {
        struct cpuid leaf = sonde_arch_cpuid(0x80000002 + i, 0);

        put_text(brand + 16 * i, leaf.eax);
        put_text(brand + 16 * i + 4, leaf.ebx);
        put_text(brand + 16 * i + 8, leaf.ecx);
        put_text(brand + 16 * i + 12, leaf.edx);
    }
    make_printable(brand);
    snprintf(model, sizeof model, "%s family %u model %u stepping %u", core.vendor,
             core.family, core.model, core.stepping);
    sonde_arch_rows_text(rows, "cpu.vendor", "cpuid.0", core.vendor, NULL);
    sonde_arch_rows_text(rows, "cpu.brand", "cpuid.0x80000002", brand, NULL);
    sonde_arch_rows_text(rows, "cpu.model", "cpuid.1", model, NULL);
    sonde_arch_rows_text(rows, "cpu.kind",
                         sonde_arch_is_amd() ? "cpuid.0x80000026" : "cpuid.0x1a",
                         core.kind, NULL);
    sonde_arch_rows_text(rows, "hypervisor.vendor", "cpuid.0x40000000", core.hypervisor,
                         NULL);
    read_hypervisor(0x40000100, second); /* one that also speaks another's language */
    sonde_arch_rows_text(rows, "hypervisor.vendor", "cpuid.0x40000100", second, NULL);
}

static void add_megahertz(struct arch_rows *rows, const char *name, uint32_t value)
{
    uint32_t megahertz = sonde_arch_bits(value, 0, 16);

    if (megahertz != 0)
        sonde_arch_rows_number(rows, name, "cpuid.0x16", "hz", megahertz * 1e6,
                               "nominal");
}

static void add_clocks(struct arch_rows *rows)
{
    struct cpuid leaf = sonde_arch_cpuid(0x16, 0);
    bool crystal = sonde_arch_cpuid(0x15, 0).ecx != 0;
    double announced = sonde_arch_tick_announced_hz();

    add_megahertz(rows, "cpu.base_hz", leaf.eax);
    add_megahertz(rows, "cpu.max_hz", leaf.ebx);
    add_megahertz(rows, "bus.hz", leaf.ecx);
    if (announced > 0)
        sonde_arch_rows_number(rows, "tick.hz",
                               crystal ? "cpuid.0x15" : "cpuid.0x40000010", "hz",
                               announced, NULL);
}

static void add_widths(struct arch_rows *rows)
{
    struct cpuid first = sonde_arch_cpuid(1, 0), widths = sonde_arch_cpuid(0x80000008, 0);
    uint32_t line = sonde_arch_bits(first.ebx, 8, 8) * 8; /* in units of 8 bytes */

    if (sonde_arch_bits(first.edx, 19, 1) && line != 0)
        sonde_arch_rows_number(rows, "line.size", "cpuid.1", "bytes", line,
                               "what clflush flushes");
    if (widths.eax == 0)
        return;
    sonde_arch_rows_number(rows, "address.physical_bits", "cpuid.0x80000008", "count",
                           sonde_arch_bits(widths.eax, 0, 8), NULL);
    sonde_arch_rows_number(rows, "address.virtual_bits", "cpuid.0x80000008", "count",
                           sonde_arch_bits(widths.eax, 8, 8), NULL);
}

size_t sonde_arch_identity(struct arch_fact *facts, size_t capacity)
{
    struct arch_rows rows = {facts, capacity, 0};

    add_names(&rows);
    sonde_arch_rows_descriptors(&rows);
    sonde_arch_rows_caches(&rows);
    add_clocks(&rows);
    add_widths(&rows);
    sonde_arch_rows_translation(&rows);
    return rows.count;
}
