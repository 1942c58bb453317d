/* The processor as /proc/cpuinfo names it.
 *
 * Every architecture writes this file its own way: x86 a block per CPU with a brand
 * string, Arm the numbers of MIDR_EL1, POWER "cpu", s390 one line per CPU, ia64 "family".
 * Old Arm kernels put what all CPUs share behind the last block. So the fields of the
 * block of the CPU asked for and those outside any block are taken, by name.
 *
 * What can fool it: hypervisors shorten the brand ("AMD EPYC"), and "cache size" is the
 * L2 on AMD and the last level on Intel. Under user-mode emulation the file may be the
 * host's, which is how emulation.c notices. */
#include "arch/arch.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part numbers of MIDR_EL1 by implementer, from the vendors' technical reference manuals.
 */
static const struct arm_part {
    unsigned implementer, part;
    const char *name;
} arm_parts[] = {
    {0x41, 0xc09, "Cortex-A9"},      {0x41, 0xc07, "Cortex-A7"},
    {0x41, 0xc0f, "Cortex-A15"},     {0x41, 0xd03, "Cortex-A53"},
    {0x41, 0xd04, "Cortex-A35"},     {0x41, 0xd05, "Cortex-A55"},
    {0x41, 0xd07, "Cortex-A57"},     {0x41, 0xd08, "Cortex-A72"},
    {0x41, 0xd09, "Cortex-A73"},     {0x41, 0xd0a, "Cortex-A75"},
    {0x41, 0xd0b, "Cortex-A76"},     {0x41, 0xd0c, "Neoverse N1"},
    {0x41, 0xd0d, "Cortex-A77"},     {0x41, 0xd40, "Neoverse V1"},
    {0x41, 0xd41, "Cortex-A78"},     {0x41, 0xd44, "Cortex-X1"},
    {0x41, 0xd46, "Cortex-A510"},    {0x41, 0xd47, "Cortex-A710"},
    {0x41, 0xd48, "Cortex-X2"},      {0x41, 0xd49, "Neoverse N2"},
    {0x41, 0xd4d, "Cortex-A715"},    {0x41, 0xd4e, "Cortex-X3"},
    {0x41, 0xd4f, "Neoverse V2"},    {0x41, 0xd80, "Cortex-A520"},
    {0x41, 0xd81, "Cortex-A720"},    {0x41, 0xd82, "Cortex-X4"},
    {0x41, 0xd84, "Neoverse V3"},    {0x41, 0xd8e, "Neoverse N3"},
    {0x48, 0xd01, "Kunpeng TSV110"}, {0xc0, 0xac3, "Ampere-1"},
};

static const struct {
    unsigned code;
    const char *name;
} arm_implementers[] = {
    {0x41, "ARM"},       {0x42, "Broadcom"}, {0x43, "Cavium"}, {0x46, "Fujitsu"},
    {0x48, "HiSilicon"}, {0x4e, "NVIDIA"},   {0x50, "APM"},    {0x51, "Qualcomm"},
    {0x53, "Samsung"},   {0x56, "Marvell"},  {0x61, "Apple"},  {0x6d, "Microsoft"},
    {0x70, "Phytium"},   {0xc0, "Ampere"},
};

struct reader {
    struct processor *processor;
    unsigned cpu;
    long block; /* the CPU whose block is being read; -1: none */
    unsigned implementer, part;
    bool arm, got_arm, found; /* found: the block of `cpu` was there */
};

/* Keeps the first value of a field, with runs of blanks (brand strings have them) as one.
 */
static void keep(char *to, size_t size, const char *value)
{
    if (*to)
        return;
    size_t length = 0;
    for (; *value && length + 1 < size; value++)
        if (*value != ' ' || (length && to[length - 1] != ' '))
            to[length++] = *value;
    to[length] = '\0';
}

static void take_x86(struct processor *processor, const char *key, const char *value)
{
    bool flags = strcmp(key, "flags") == 0;
    if (strcmp(key, "vendor_id") == 0)
        keep(processor->vendor, sizeof processor->vendor, value);
    else if (strcmp(key, "cpu family") == 0)
        processor->family = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(key, "model") == 0 && isdigit((unsigned char)*value))
        processor->model = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(key, "model name") == 0)
        keep(processor->name, sizeof processor->name, value);
    else if (strcmp(key, "cache size") == 0)
        processor->cache_bytes = strtod(value, NULL) * 1024;
    else if (strcmp(key, "clflush size") == 0)
        processor->line_bytes = strtod(value, NULL);
    else if (strcmp(key, "cpu MHz") == 0)
        processor->hz = strtod(value, NULL) * 1e6;
    else if (strcmp(key, "address sizes") == 0)
        processor->address_bits = strtod(value, NULL);
    if (flags) {
        bool long_mode = strstr(value, " lm ") != NULL;
        keep(processor->isa, sizeof processor->isa, long_mode ? "x86_64" : "x86");
        processor->hypervisor = strstr(value, " hypervisor") != NULL;
    }
}

static void take_arm(struct reader *reader, const char *key, const char *value)
{
    struct processor *processor = reader->processor;
    if (strcmp(key, "CPU implementer") == 0) {
        reader->implementer = (unsigned)strtoul(value, NULL, 16);
        reader->arm = true;
    } else if (strcmp(key, "CPU part") == 0) {
        reader->part = (unsigned)strtoul(value, NULL, 16);
        reader->got_arm = true;
    } else if (strcmp(key, "CPU architecture") == 0) {
        bool wide = strcmp(value, "AArch64") == 0 || strtoul(value, NULL, 10) >= 8;
        keep(processor->isa, sizeof processor->isa, wide ? "aarch64" : "arm");
    } else if (strcmp(key, "Hardware") == 0) {
        keep(processor->platform, sizeof processor->platform, value);
    } else if (strcmp(key, "Processor") == 0) {
        keep(processor->name, sizeof processor->name, value);
    }
}

static void take_others(struct processor *processor, const char *key, const char *value)
{
    if (strcmp(key, "cpu") == 0) { /* POWER */
        keep(processor->name, sizeof processor->name, value);
        keep(processor->isa, sizeof processor->isa, "ppc64");
    } else if (strcmp(key, "clock") == 0) {
        processor->hz = strtod(value, NULL) * 1e6;
    } else if (strcmp(key, "machine") == 0) {
        keep(processor->platform, sizeof processor->platform, value);
    } else if (strcmp(key, "vendor") == 0) { /* ia64 */
        keep(processor->vendor, sizeof processor->vendor, value);
    } else if (strcmp(key, "family") == 0) {
        keep(processor->name, sizeof processor->name, value);
    } else if (strcmp(key, "arch") == 0) {
        keep(processor->isa, sizeof processor->isa,
             strcmp(value, "IA-64") == 0 ? "ia64" : value);
    } else if (strcmp(key, "isa") == 0) {
        keep(processor->isa, sizeof processor->isa, "riscv64");
    } else if (strcmp(key, "uarch") == 0) {
        keep(processor->name, sizeof processor->name, value);
    }
}

/* One "key : value" line. Returns false when nothing further can be of use. */
static bool take_line(struct reader *reader, const char *key, const char *value)
{
    if (strcmp(key, "processor") == 0 && isdigit((unsigned char)*value)) {
        reader->block = strtol(value, NULL, 10);
        reader->found |= reader->block == (long)reader->cpu;
        bool named = reader->processor->isa[0] || reader->got_arm;
        return !(reader->found && reader->block != (long)reader->cpu && named);
    }
    if (reader->block >= 0 && reader->block != (long)reader->cpu)
        return true;
    take_x86(reader->processor, key, value);
    take_arm(reader, key, value);
    take_others(reader->processor, key, value);
    return true;
}

static void scan(struct reader *reader, char *data)
{
    for (char *line = data, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *colon = strchr(line, ':');
        if (!colon) {
            if (*sonde_base_trim(line) == '\0')
                reader->block = -1;
            continue;
        }
        *colon = '\0';
        if (!take_line(reader, sonde_base_trim(line), sonde_base_trim(colon + 1)))
            return;
    }
}

static void name_arm(const struct reader *reader)
{
    struct processor *processor = reader->processor;
    const char *vendor = NULL, *part = NULL;
    for (size_t i = 0; i < sizeof arm_implementers / sizeof *arm_implementers; i++)
        if (arm_implementers[i].code == reader->implementer)
            vendor = arm_implementers[i].name;
    for (size_t i = 0; i < sizeof arm_parts / sizeof *arm_parts; i++)
        if (arm_parts[i].implementer == reader->implementer &&
            arm_parts[i].part == reader->part)
            part = arm_parts[i].name;
    keep(processor->vendor, sizeof processor->vendor, vendor ? vendor : "");
    processor->family = reader->implementer;
    processor->model = reader->part;
    if (part)
        snprintf(processor->name, sizeof processor->name, "%s", part);
    else if (!processor->name[0])
        snprintf(processor->name, sizeof processor->name, "%s part %#x",
                 vendor ? vendor : "implementer unknown,", reader->part);
}

/* What /proc does not tell (or is not there to tell), from the registers. */
static void fill_from_registers(struct processor *processor)
{
    struct arch_core core;
    if (processor->vendor[0])
        return;
    sonde_arch_core(&core);
    snprintf(processor->vendor, sizeof processor->vendor, "%s", core.vendor);
    processor->family = core.family;
    processor->model = core.model;
}

int sonde_machine_processor(const struct machine *machine, unsigned cpu,
                            struct processor *processor)
{
    char *data = NULL;
    size_t length = 0;
    *processor = (struct processor){
        .address_bits = NAN, .cache_bytes = NAN, .line_bytes = NAN, .hz = NAN};
    int rc = sonde_machine_read_file(machine, &data, &length, "/proc/cpuinfo");
    struct reader reader = {.processor = processor, .cpu = cpu, .block = -1};
    if (rc == 0)
        scan(&reader, data);
    if (reader.arm)
        name_arm(&reader);
    if (strcmp(processor->vendor, "IBM/S390") == 0)
        keep(processor->isa, sizeof processor->isa, "s390x");
    if (!machine->sysroot)
        fill_from_registers(processor);
    free(data);
    return rc;
}

/* --- the rows
 * --------------------------------------------------------------------------- */

static int add_number(struct facts *facts, const char *name, const char *witness,
                      const char *unit, double value, const char *note)
{
    if (!(value > 0))
        return 0;
    struct fact *fact =
        sonde_machine_fact_number(facts, name, "cpuinfo", witness, unit, value);
    if (!fact)
        return -ENOMEM;
    if (note)
        sonde_machine_fact_note(fact, "%s", note);
    return 0;
}

static int add_cache(const struct machine *machine, struct facts *facts,
                     const struct processor *processor)
{
    const char *witness = sonde_machine_cache_witness(machine, "kernel");
    bool amd = strcmp(processor->vendor, "AuthenticAMD") == 0 ||
               strcmp(processor->vendor, "HygonGenuine") == 0;
    int rc = add_number(facts, amd ? "l2.size" : "llc.size", witness, "bytes",
                        processor->cache_bytes,
                        amd ? NULL : "the last level, whichever that is");
    if (rc == 0)
        rc =
            add_number(facts, "line.size", witness, "bytes", processor->line_bytes, NULL);
    return rc;
}

int sonde_machine_source_procfs(const struct machine *machine, unsigned cpu,
                                struct facts *facts)
{
    struct processor processor;
    if (sonde_machine_processor(machine, cpu, &processor) < 0)
        return sonde_machine_fact_unknown(facts, "cpu.model", "cpuinfo", "kernel", "",
                                          "no /proc/cpuinfo")
                   ? 0
                   : -ENOMEM;
    struct fact *fact =
        sonde_machine_fact_text(facts, "cpu.model", "cpuinfo", "kernel", processor.name);
    if (!fact)
        return -ENOMEM;
    if (fact->status == FACT_UNKNOWN)
        sonde_machine_fact_note(fact, "/proc/cpuinfo has no name");
    if (processor.platform[0] && !sonde_machine_fact_text(facts, "platform", "cpuinfo",
                                                          "kernel", processor.platform))
        return -ENOMEM;
    int rc = add_cache(machine, facts, &processor);
    if (rc == 0)
        rc = add_number(facts, "cpu.clock", "kernel", "hz", processor.hz,
                        "as the kernel puts it; not measured");
    return rc;
}
