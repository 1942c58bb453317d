/* Signs that this is a virtual machine or a container, each from a place of its own.
 *
 * One function per place, one row per function; the first that speaks names the machine,
 * so the specific ones come first (Firecracker is a KVM guest, but not every KVM guest is
 * Firecracker). All that speak appear among the facts.
 *
 *     uname         gVisor and WSL give themselves away in the kernel's name
 *     acpi          OEM "FIRECK" in the tables, Amazon's clock device
 *     cpuid         the hypervisor's vendor string (x86)
 *     dmi           system vendor and product
 *     device tree   /hypervisor and /compatible (Arm, POWER)
 *     hypervisor    /sys/hypervisor/type, /proc/xen
 *     sysinfo       the control program of an s390 guest
 *     cpuinfo       the "hypervisor" flag: something is there, unnamed
 *
 * What can fool it: a hypervisor may hide all of it. Silence proves nothing, and the
 * notes of a row without any sign say "no sign", never "bare metal". */
#include "arch/arch.h"
#include "base/text.h"
#include "machine/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct pattern {
    const char *sign, *name;
};

/* The name for the first pattern that occurs in `text`; NULL: none. */
static const char *match(const char *text, const struct pattern *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, patterns[i].sign))
            return patterns[i].name;
    return NULL;
}

#define MATCH(text, patterns) match(text, patterns, sizeof patterns / sizeof *patterns)

/* The evidence itself goes into `sign`. */
typedef const char *detector(const struct machine *machine, char *sign, size_t size);

static const char *from_uname(const struct machine *machine, char *sign, size_t size)
{
    /* gVisor's kernel answers with this one build date, always. */
    static const struct pattern patterns[] = {
        {"Sun Jan 10 15:06:54 PST 2016", "gvisor"}, {"icrosoft", "wsl"}, {"WSL2", "wsl"}};
    struct utsname names;
    if (machine->sysroot)
        sonde_machine_read_line(machine, sign, size, "/proc/version");
    else if (uname(&names) == 0)
        snprintf(sign, size, "%s %s", names.release, names.version);
    return MATCH(sign, patterns);
}

/* Firecracker writes "FIRECK" into its ACPI tables (readable by root alone), has an
 * Amazon clock device and no DMI; that together is what others may see. */
static const char *from_acpi(const struct machine *machine, char *sign, size_t size)
{
    char *table = NULL;
    size_t length = 0;
    bool oem = false;
    if (sonde_machine_read_file(machine, &table, &length,
                                "/sys/firmware/acpi/tables/DSDT") == 0)
        oem = length >= 16 && memcmp(table + 10, "FIRECK", 6) == 0;
    free(table);
    if (oem) {
        snprintf(sign, size, "OEM FIRECK in the DSDT");
        return "firecracker";
    }
    if (sonde_machine_exists(machine, "/sys/bus/acpi/devices/AMZNC10C:00") &&
        !sonde_machine_exists(machine, "/sys/class/dmi/id")) {
        snprintf(sign, size, "device AMZNC10C and no DMI");
        return "firecracker";
    }
    return NULL;
}

static const char *from_cpuid(const struct machine *machine, char *sign, size_t size)
{
    static const struct pattern patterns[] = {
        {"KVMKVMKVM", "kvm"},        {"LinuxKVMHv", "kvm"},
        {"Microsoft Hv", "hyper-v"}, {"VMwareVMware", "vmware"},
        {"XenVMMXenVMM", "xen"},     {"TCGTCGTCGTCG", "qemu"},
        {"VBoxVBoxVBox", "oracle"},  {"bhyve bhyve ", "bhyve"},
        {"prl hyperv", "parallels"}, {"lrpepyh", "parallels"},
        {"ACRNACRNACRN", "acrn"},    {"QNXQVMBSQG", "qnx"},
        {"Jailhouse", "jailhouse"},  {"SRESRESRESRE", "lockheed"},
        {"UnisysSpar64", "spar"},
    };
    struct arch_core core;
    if (machine->sysroot)
        return NULL;
    sonde_arch_core(&core);
    snprintf(sign, size, "%s", core.hypervisor);
    return core.hypervisor[0]
               ? (MATCH(sign, patterns) ? MATCH(sign, patterns) : "unknown")
               : NULL;
}

static const char *from_dmi(const struct machine *machine, char *sign, size_t size)
{
    static const struct pattern patterns[] = {
        {".metal", NULL}, /* the bare machines of a cloud carry its name too */
        {"Amazon EC2", "amazon"},
        {"Google Compute Engine", "google"},
        {"Alibaba Cloud", "alibaba"},
        {"DigitalOcean", "kvm"},
        {"OpenStack", "kvm"},
        {"KubeVirt", "kvm"},
        {"Cloud Hypervisor", "cloud-hypervisor"},
        {"VMware", "vmware"},
        {"VirtualBox", "oracle"},
        {"innotek GmbH", "oracle"},
        {"Parallels", "parallels"},
        {"BHYVE", "bhyve"},
        {"Apple Virtualization", "apple"},
        {"Microsoft Corporation Virtual Machine", "hyper-v"},
        {"Xen", "xen"},
        {"Bochs", "bochs"},
        {"KVM", "kvm"},
        {"QEMU", "qemu"},
    };
    char vendor[80] = "", product[80] = "";
    sonde_machine_read_line(machine, vendor, sizeof vendor,
                            "/sys/class/dmi/id/sys_vendor");
    sonde_machine_read_line(machine, product, sizeof product,
                            "/sys/class/dmi/id/product_name");
    snprintf(sign, size, "%s %s", vendor, product);
    return MATCH(sign, patterns);
}

/* A property of the device tree: strings with a NUL between them, made one line. */
static bool read_property(const struct machine *machine, const char *path, char *out,
                          size_t size)
{
    char *data = NULL;
    size_t length = 0;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/device-tree/%s", path) <
        0)
        return false;
    size_t kept = length < size ? length : size - 1;
    for (size_t i = 0; i < kept; i++)
        out[i] = data[i] ? data[i] : ' ';
    out[kept] = '\0';
    free(data);
    return true;
}

static const char *from_device_tree(const struct machine *machine, char *sign,
                                    size_t size)
{
    static const struct pattern hypervisors[] = {
        {"linux,kvm", "kvm"}, {"xen", "xen"}, {"vmware", "vmware"}, {"gunyah", "gunyah"}};
    static const struct pattern boards[] = {{"linux,dummy-virt", "qemu"},
                                            {"qemu", "qemu"}};
    if (read_property(machine, "hypervisor/compatible", sign, size))
        return MATCH(sign, hypervisors) ? MATCH(sign, hypervisors) : "unknown";
    if (!read_property(machine, "compatible", sign, size))
        return NULL;
    return MATCH(sign, boards);
}

static const char *from_hypervisor(const struct machine *machine, char *sign, size_t size)
{
    char capabilities[64];
    if (sonde_machine_read_line(machine, capabilities, sizeof capabilities,
                                "/proc/xen/capabilities") == 0) {
        bool control = strstr(capabilities, "control_d") != NULL;
        snprintf(sign, size, "/proc/xen says %s", control ? "control_d" : "guest");
        return control ? "xen dom0" : "xen";
    }
    if (sonde_machine_read_line(machine, sign, size, "/sys/hypervisor/type") < 0)
        return NULL;
    return strcmp(sign, "xen") == 0 ? "xen" : "unknown";
}

static const char *from_sysinfo(const struct machine *machine, char *sign, size_t size)
{
    char *data = NULL;
    size_t length = 0;
    const char *name = NULL;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/sysinfo") < 0)
        return NULL;
    const char *program = sonde_machine_field(data, "VM00 Control Program");
    if (program) {
        snprintf(sign, size, "%.*s", (int)strcspn(program, "\n"), program);
        name = strstr(sign, "KVM") ? "kvm" : "z/vm";
    }
    free(data);
    return name;
}

static const char *from_cpuinfo(const struct machine *machine, char *sign, size_t size)
{
    struct processor processor;
    int cpu = sonde_base_cpulist_next(&machine->allowed, 0);
    sonde_machine_processor(machine, cpu < 0 ? 0 : (unsigned)cpu, &processor);
    if (!processor.hypervisor)
        return NULL;
    snprintf(sign, size, "the hypervisor flag");
    return "unknown";
}

static const struct place {
    const char *source;
    detector *detect;
} places[] = {
    {"uname", from_uname},           {"acpi", from_acpi},
    {"cpuid", from_cpuid},           {"dmi", from_dmi},
    {"hypervisor", from_hypervisor}, {"device tree", from_device_tree},
    {"sysinfo", from_sysinfo},       {"cpuinfo", from_cpuinfo},
};

enum { SIGN_TEXT = 160 };

void sonde_machine_open_virtualization(struct machine *machine)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char sign[SIGN_TEXT] = "";
        const char *name = places[i].detect(machine, sign, sizeof sign);
        if (!name)
            continue;
        snprintf(machine->virtualization, sizeof machine->virtualization, "%s", name);
        if (strcmp(name, "unknown") != 0)
            return; /* one that names it is better than one that only sees something */
    }
}

/* --- containers ------------------------------------------------------------------------
 */

static const char *container(const struct machine *machine, char *sign, size_t size)
{
    static const struct pattern groups[] = {{"docker", "docker"},
                                            {"kubepods", "kubernetes"},
                                            {"libpod", "podman"},
                                            {"lxc", "lxc"},
                                            {"containerd", "containerd"}};
    if (sonde_machine_exists(machine, "/.dockerenv")) {
        snprintf(sign, size, "/.dockerenv is there");
        return "docker";
    }
    if (sonde_machine_exists(machine, "/run/.containerenv")) {
        snprintf(sign, size, "/run/.containerenv is there");
        return "podman";
    }
    if (sonde_machine_read_line(machine, sign, size, "/run/systemd/container") == 0 &&
        *sign)
        return "systemd";
    char *data = NULL;
    size_t length = 0;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/self/cgroup") < 0)
        return NULL;
    const char *name = MATCH(data, groups);
    snprintf(sign, size, "its name is in /proc/self/cgroup");
    free(data);
    return name;
}

static int add_row(struct facts *facts, const char *fact_name, const char *source,
                   const char *name, const char *sign)
{
    struct fact *fact = sonde_machine_fact_text(facts, fact_name, source, source, name);
    if (!fact)
        return -ENOMEM;
    sonde_machine_fact_note(fact, "%s", sign);
    return 0;
}

int sonde_machine_virtualization_rows(const struct machine *machine, struct facts *facts)
{
    char sign[SIGN_TEXT];
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof places / sizeof *places; i++) {
        sign[0] = '\0';
        const char *name = places[i].detect(machine, sign, sizeof sign);
        if (name)
            rc = add_row(facts, "virtualization", places[i].source, name, sign);
    }
    sign[0] = '\0';
    const char *name = rc == 0 ? container(machine, sign, sizeof sign) : NULL;
    return name ? add_row(facts, "container", "files", name, sign) : rc;
}
