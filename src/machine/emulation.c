/* Signs that the instructions themselves are not run by the processor but by a program.
 *
 * Under an emulator every timing is the emulator's; no conclusion about hardware holds.
 * So this is asked before anything is measured, from as many sides as there are:
 *   - the kernel's machine or /proc/cpuinfo speak of another instruction set than the one
 *     this program was built for (user-mode QEMU shows the host's files);
 *   - the kernel knows this process under the name of an emulator;
 *   - MIDR_EL1 names implementer 0, which Arm reserves for software (QEMU's "max" CPU);
 *   - the hypervisor leaf says TCG, which is QEMU translating code;
 *   - libraries of Valgrind, Rosetta or Box64 are mapped.
 *
 * What can fool it: an emulator that copies a real machine in all of this. The probes
 * hold the ratio of dependent and independent adds against it as well. */
#include "arch/arch.h"
#include "base/text.h"
#include "config.h"
#include "machine/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

typedef bool sign_finder(const struct machine *machine, char *sign, size_t size);

/* "x86_64" and "i686" are one family for this purpose; "" when not known. */
static const char *family_of(const char *isa)
{
    static const struct {
        const char *prefix, *family;
    } families[] = {{"x86", "x86"},     {"i386", "x86"},    {"i486", "x86"},
                    {"i586", "x86"},    {"i686", "x86"},    {"amd64", "x86"},
                    {"aarch64", "arm"}, {"arm", "arm"},     {"ppc", "ppc"},
                    {"s390", "s390"},   {"riscv", "riscv"}, {"ia64", "ia64"}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(isa, families[i].prefix, strlen(families[i].prefix)) == 0)
            return families[i].family;
    return "";
}

static bool differs(const char *theirs, char *sign, size_t size, const char *where)
{
    const char *ours = family_of(SONDE_ISA);
    const char *other = family_of(theirs);
    if (!*ours || !*other || strcmp(ours, other) == 0)
        return false;
    snprintf(sign, size, "%s speaks of %s, this program is built for %s", where, theirs,
             SONDE_ISA);
    return true;
}

static bool foreign_cpuinfo(const struct machine *machine, char *sign, size_t size)
{
    struct processor processor;
    int cpu = sonde_base_cpulist_next(&machine->allowed, 0);
    sonde_machine_processor(machine, cpu < 0 ? 0 : (unsigned)cpu, &processor);
    if (strstr(processor.name, "VirtualApple")) {
        snprintf(sign, size, "Rosetta: /proc/cpuinfo names %.40s", processor.name);
        return true;
    }
    return differs(processor.isa, sign, size, "/proc/cpuinfo");
}

static bool foreign_uname(const struct machine *machine, char *sign, size_t size)
{
    return differs(machine->isa, sign, size, "the kernel");
}

static bool emulator_name(const struct machine *machine, char *sign, size_t size)
{
    char name[64] = "";
    if (sonde_machine_read_line(machine, name, sizeof name, "/proc/self/comm") < 0)
        return false;
    bool found = strncmp(name, "qemu-", 5) == 0 || strncmp(name, "box64", 5) == 0 ||
                 strncmp(name, "FEX", 3) == 0;
    if (found)
        snprintf(sign, size, "the kernel knows this process as %s", name);
    return found;
}

static bool software_core(const struct machine *machine, char *sign, size_t size)
{
    struct arch_core core;
    (void)machine;
    sonde_arch_core(&core);
    if (strncmp(core.hypervisor, "TCGTCG", 6) == 0) {
        snprintf(sign, size, "QEMU: CPUID names TCG as the hypervisor");
        return true;
    }
    /* On Arm `family` is the implementer; QEMU's "max" core has part 0x051 there. */
    if (strcmp(family_of(SONDE_ISA), "arm") == 0 && core.family == 0 &&
        core.model == 0x051) {
        snprintf(sign, size, "QEMU: MIDR_EL1 names a software implementer");
        return true;
    }
    return false;
}

static bool emulator_mapped(const struct machine *machine, char *sign, size_t size)
{
    static const struct {
        const char *mapping, *name;
    } known[] = {{"vgpreload", "Valgrind"},
                 {"/valgrind/", "Valgrind"},
                 {"/rosetta", "Rosetta"},
                 {"/box64", "Box64"}};
    char *maps = NULL;
    size_t length = 0;
    bool found = false;
    if (sonde_machine_read_file(machine, &maps, &length, "/proc/self/maps") < 0)
        return false;
    for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++) {
        found = strstr(maps, known[i].mapping) != NULL;
        if (found)
            snprintf(sign, size, "%s is mapped into this process", known[i].name);
    }
    free(maps);
    return found;
}

void sonde_machine_open_emulation(struct machine *machine)
{
    static sign_finder *const finders[] = {emulator_name, emulator_mapped,
                                           foreign_cpuinfo, foreign_uname, software_core};
    if (machine->sysroot) /* nothing of a captured tree runs here */
        return;
    for (size_t i = 0; i < sizeof finders / sizeof *finders; i++)
        if (finders[i](machine, machine->emulation, sizeof machine->emulation))
            return;
    machine->emulation[0] = '\0';
}
