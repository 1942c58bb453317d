/* What an aarch64 core says of itself to a program.
 *
 * CTR_EL0 (cache lines and granules) and DCZID_EL0 (the block that dc zva clears) may be
 * read by any program. MIDR_EL1 and the ID registers belong to the kernel, which emulates
 * reading them only where it says so by HWCAP_CPUID; elsewhere the read would be SIGILL,
 * so it is not tried. Sizes and ways of caches (CCSIDR_EL1) are never given to programs.
 * Sources: Arm Architecture Reference Manual, D19; Linux, arm64/cpu-feature-registers.
 *
 * What can fool it: on parts with several kinds of core CTR_EL0 is that of the whole
 * system, made safe by the kernel; MIDR_EL1 is that of the core the thread is on. */
#include "arch/rows.h"

#include <asm/hwcap.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

/* A macro, since the register's name is part of the instruction. */
#define READ_REGISTER(name, value) __asm__ volatile("mrs %0, " name : "=r"(value))

static unsigned field(uint64_t value, unsigned low, unsigned width)
{
    return (unsigned)(value >> low & ((UINT64_C(1) << width) - 1));
}

static bool kernel_shares_registers(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_CPUID) != 0;
}

/* The implementer codes of MIDR_EL1. */
static const char *implementer_name(unsigned code)
{
    static const struct {
        unsigned code;
        const char *name;
    } known[] = {
        {0x41, "ARM"},       {0x42, "Broadcom"}, {0x43, "Cavium"}, {0x46, "Fujitsu"},
        {0x48, "HiSilicon"}, {0x4e, "NVIDIA"},   {0x50, "APM"},    {0x51, "Qualcomm"},
        {0x53, "Samsung"},   {0x56, "Marvell"},  {0x61, "Apple"},  {0x69, "Intel"},
        {0x6d, "Microsoft"}, {0xc0, "Ampere"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].code == code)
            return known[i].name;
    return "";
}

/* Part numbers of Arm's own cores, from their technical reference manuals. */
static const char *part_name(unsigned implementer, unsigned part)
{
    static const struct {
        unsigned part;
        const char *name;
    } known[] = {
        {0xd03, "Cortex-A53"},  {0xd04, "Cortex-A35"},  {0xd05, "Cortex-A55"},
        {0xd07, "Cortex-A57"},  {0xd08, "Cortex-A72"},  {0xd09, "Cortex-A73"},
        {0xd0a, "Cortex-A75"},  {0xd0b, "Cortex-A76"},  {0xd0c, "Neoverse N1"},
        {0xd0d, "Cortex-A77"},  {0xd40, "Neoverse V1"}, {0xd41, "Cortex-A78"},
        {0xd44, "Cortex-X1"},   {0xd46, "Cortex-A510"}, {0xd47, "Cortex-A710"},
        {0xd48, "Cortex-X2"},   {0xd49, "Neoverse N2"}, {0xd4a, "Neoverse E1"},
        {0xd4d, "Cortex-A715"}, {0xd4e, "Cortex-X3"},   {0xd4f, "Neoverse V2"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (implementer == 0x41 && known[i].part == part)
            return known[i].name;
    return "";
}

/* Fields that are the logarithm of a number of words of four bytes. */
static double words_in_bytes(unsigned logarithm)
{
    return ldexp(4, (int)logarithm);
}

static void add_lines(struct arch_rows *rows)
{
    uint64_t ctr;
    unsigned reservation, write_back;

    READ_REGISTER("ctr_el0", ctr);
    reservation = field(ctr, 20, 4);
    write_back = field(ctr, 24, 4);
    sonde_arch_rows_number(rows, "line.size", "ctr_el0", "bytes",
                           words_in_bytes(field(ctr, 16, 4)),
                           "the smallest line of all data and unified caches");
    sonde_arch_rows_number(rows, "l1i.line", "ctr_el0", "bytes",
                           words_in_bytes(field(ctr, 0, 4)),
                           "the smallest line of all instruction caches");
    sonde_arch_rows_number(rows, "line.write_back", "ctr_el0", "bytes",
                           write_back != 0 ? words_in_bytes(write_back) : NAN,
                           write_back != 0 ? "the most memory one write-back may touch"
                                           : "the register holds 0");
    sonde_arch_rows_number(rows, "line.exclusive", "ctr_el0", "bytes",
                           reservation != 0 ? words_in_bytes(reservation) : NAN,
                           reservation != 0 ? "the most memory one reservation may cover"
                                            : "the register holds 0");
    sonde_arch_rows_number(rows, "cache.idc", "ctr_el0", "", field(ctr, 28, 1),
                           "1: new code needs no cleaning of data caches");
    sonde_arch_rows_number(rows, "cache.dic", "ctr_el0", "", field(ctr, 29, 1),
                           "1: new code needs no invalidation of instruction caches");
}

static void add_zero_block(struct arch_rows *rows)
{
    uint64_t dczid;
    bool prohibited;

    READ_REGISTER("dczid_el0", dczid);
    prohibited = field(dczid, 4, 1) != 0;
    sonde_arch_rows_number(rows, "line.zero_block", "dczid_el0", "bytes",
                           prohibited ? NAN : words_in_bytes(field(dczid, 0, 4)),
                           prohibited ? "dc zva is prohibited" : "cleared by one dc zva");
}

static void add_hex(struct arch_rows *rows, const char *name, const char *source,
                    uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "0x%016llx", (unsigned long long)value);
    sonde_arch_rows_text(rows, name, source, text,
                         "as far as the kernel lets programs see it");
}

static void add_processor(struct arch_rows *rows)
{
    struct arch_core core;
    char text[96];
    uint64_t midr;

    sonde_arch_core(&core);
    READ_REGISTER("midr_el1", midr);
    sonde_arch_rows_text(rows, "cpu.vendor", "midr_el1", core.vendor, NULL);
    sonde_arch_rows_text(rows, "cpu.brand", "midr_el1",
                         part_name(core.family, core.model), NULL);
    snprintf(text, sizeof text, "implementer 0x%02x part 0x%03x r%up%u", core.family,
             core.model, field(midr, 20, 4), field(midr, 0, 4));
    sonde_arch_rows_text(rows, "cpu.model", "midr_el1", text, NULL);
}

static void add_kernel_registers(struct arch_rows *rows)
{
    uint64_t value;

    READ_REGISTER("id_aa64pfr0_el1", value);
    add_hex(rows, "cpu.id_aa64pfr0", "id_aa64pfr0_el1", value);
    READ_REGISTER("id_aa64isar0_el1", value);
    add_hex(rows, "cpu.id_aa64isar0", "id_aa64isar0_el1", value);
    READ_REGISTER("id_aa64isar1_el1", value);
    add_hex(rows, "cpu.id_aa64isar1", "id_aa64isar1_el1", value);
    READ_REGISTER("id_aa64mmfr0_el1", value);
    add_hex(rows, "cpu.id_aa64mmfr0", "id_aa64mmfr0_el1", value);
}

/* Asked of the kernel, since rdvl is an illegal instruction on a core without SVE. */
static void add_vector_length(struct arch_rows *rows)
{
    int length = prctl(PR_SVE_GET_VL);

    if (length > 0)
        sonde_arch_rows_number(rows, "sve.length", "prctl", "bytes",
                               length & PR_SVE_VL_LEN_MASK, NULL);
}

size_t sonde_arch_identity(struct arch_fact *facts, size_t capacity)
{
    static const char *const sizes[] = {"l1d.size", "l1i.size", "l2.size"};
    struct arch_rows rows = {facts, capacity, 0};

    if (kernel_shares_registers()) {
        add_processor(&rows);
        add_kernel_registers(&rows);
    } else {
        sonde_arch_rows_number(&rows, "cpu.model", "midr_el1", "", NAN,
                               "the kernel does not let programs read it");
    }
    add_lines(&rows);
    add_zero_block(&rows);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        sonde_arch_rows_number(&rows, sizes[i], "ccsidr_el1", "bytes", NAN,
                               "not readable by programs");
    add_vector_length(&rows);
    return rows.count;
}

void sonde_arch_core(struct arch_core *core)
{
    uint64_t midr;

    memset(core, 0, sizeof *core);
    if (!kernel_shares_registers())
        return;
    READ_REGISTER("midr_el1", midr);
    core->family = field(midr, 24, 8);
    core->model = field(midr, 4, 12);
    core->stepping = field(midr, 20, 4) << 4 | field(midr, 0, 4);
    snprintf(core->vendor, sizeof core->vendor, "%s", implementer_name(core->family));
}
