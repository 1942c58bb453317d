/* Declared facts on small trees made by hand, one trap each. */
#include "machine/machine.h"
#include "planted.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define CPU   "/sys/devices/system/cpu"
#define CACHE CPU "/cpu0/cache"
#define MIB   (1024.0 * 1024)

struct opened {
    struct planted tree;
    struct machine machine;
    struct facts facts;
};

static void collect(struct opened *o)
{
    struct message why = {""};
    assert_int_equal(sonde_machine_open(&o->machine, o->tree.root, &why), 0);
    assert_int_equal(sonde_machine_collect(&o->machine, 0, &o->facts), 0);
}

static void finish(struct opened *o)
{
    sonde_machine_facts_free(&o->facts);
    sonde_machine_close(&o->machine);
    planted_close(&o->tree);
}

static const struct fact *find(const struct opened *o, const char *name,
                               const char *source)
{
    for (size_t i = 0; i < o->facts.count; i++)
        if (strcmp(o->facts.rows[i].name, name) == 0 &&
            (!source || strcmp(o->facts.rows[i].source, source) == 0))
            return &o->facts.rows[i];
    return NULL;
}

static double declared(const struct opened *o, const char *name)
{
    return sonde_machine_declared(&o->facts, name).value;
}

static void check_list(const struct cpulist *list, const char *expected)
{
    char text[256];
    assert_string_equal(sonde_base_cpulist_format(list, text, sizeof text), expected);
}

/* One cache index of CPU 0; NULL leaves a file out. */
static void cache(const struct planted *tree, int index, const char *level,
                  const char *type, const char *size, const char *line, const char *ways)
{
    const struct {
        const char *name, *content;
    } files[] = {{"level", level},
                 {"type", type},
                 {"size", size},
                 {"coherency_line_size", line},
                 {"ways_of_associativity", ways},
                 {"shared_cpu_list", "0\n"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, CACHE "/index%d/%s", index, files[i].name);
        if (files[i].content)
            planted_write(tree, path, files[i].content);
    }
}

/* index0 is the instruction cache here: only level and type may decide. */
static void by_type_not_by_index(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    cache(&o.tree, 0, "1\n", "Instruction\n", "64K\n", "64\n", "4\n");
    cache(&o.tree, 1, "1\n", "Data\n", "48K\n", "64\n", "12\n");
    cache(&o.tree, 3, "2\n", "Unified\n", "1280K\n", "64\n", "10\n");
    cache(&o.tree, 10, "3\n", "Unified\n", "24M\n", "64\n", "12\n");
    collect(&o);
    assert_true(declared(&o, "l1i.size") == 64 * 1024);
    assert_true(declared(&o, "l1d.size") == 48 * 1024);
    assert_true(declared(&o, "l1d.ways") == 12);
    assert_true(declared(&o, "l2.size") == 1280 * 1024);
    assert_true(declared(&o, "l3.size") == 24 * MIB);
    assert_true(declared(&o, "line.size") == 64);
    finish(&o);
}

static void unknown_in_every_spelling(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    cache(&o.tree, 0, "1\n", "Data\n", "unknown size\n", "0\n", "0\n");
    cache(&o.tree, 1, "1\n", "Instruction\n", "0K\n", NULL, NULL);
    cache(&o.tree, 2, "2\n", "Unified\n", "-1\n", "-1\n", "x\n");
    cache(&o.tree, 3, "3\n", "Unified\n", "\n", "", "");
    cache(&o.tree, 4, "9\n", "Unified\n", "1K\n", "64\n", "4\n");
    cache(&o.tree, 5, "2\n", "Nonsense\n", "1K\n", "64\n", "4\n");
    collect(&o);
    static const char *const names[] = {"l1d.size", "l1d.line", "l1d.ways", "l1i.size",
                                        "l1i.ways", "l2.size",  "l2.line",  "l2.ways",
                                        "l3.size",  "l3.line",  "line.size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(isnan(declared(&o, names[i])));
        const struct fact *fact = find(&o, names[i], "sysfs");
        assert_true(!fact || (fact->status == FACT_UNKNOWN && isnan(fact->value)));
    }
    assert_string_equal(find(&o, "l1d.size", "sysfs")->note, "unknown size");
    finish(&o);
}

static void sharers_by_map(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    cache(&o.tree, 0, "1\n", "Data\n", "32K\n", "64\n", "8\n");
    planted_write(&o.tree, CACHE "/index0/shared_cpu_list", "\n");
    planted_write(&o.tree, CACHE "/index0/shared_cpu_map", "1,00000000,00000101\n");
    cache(&o.tree, 1, "2\n", "Unified\n", "1M\n", "64\n", "8\n");
    planted_write(&o.tree, CACHE "/index1/shared_cpu_map", "f\n");
    cache(&o.tree, 2, "3\n", "Unified\n", "8M\n", "64\n", "8\n");
    planted_write(&o.tree, CACHE "/index2/shared_cpu_list", "2-3\n");
    collect(&o);
    assert_string_equal(find(&o, "l1d.shared", "sysfs")->text, "0,8,64");
    assert_true(find(&o, "l1d.shared", "sysfs")->value == 3);
    assert_int_equal(find(&o, "l2.shared", "sysfs")->status, FACT_IMPLAUSIBLE);
    assert_int_equal(find(&o, "l3.shared", "sysfs")->status, FACT_IMPLAUSIBLE);
    finish(&o);
}

static void no_cache_folder(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, CPU "/online", "0\n");
    collect(&o);
    const struct fact *fact = find(&o, "l3.size", "sysfs");
    assert_non_null(fact);
    assert_int_equal(fact->status, FACT_UNKNOWN);
    assert_non_null(strstr(fact->note, "no caches"));
    finish(&o);
}

static void implausible_values(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/proc/meminfo",
                  "MemTotal: 25165824 kB\nMemAvailable: 20000000 kB\n");
    planted_write(
        &o.tree, "/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\n"
        "model\t\t: 2\nmodel name\t: AMD EPYC\nflags\t\t: fpu lm sse2 hypervisor\n");
    cache(&o.tree, 0, "1\n", "Data\n", "48K\n", "48\n", "12\n");       /* line */
    cache(&o.tree, 1, "1\n", "Instruction\n", "32K\n", "64\n", "7\n"); /* ways */
    cache(&o.tree, 2, "2\n", "Unified\n", "1024K\n", "64\n", "0\n");   /* 0 ways, CPUID */
    cache(&o.tree, 3, "3\n", "Unified\n", "520192K\n", "64\n", "16\n"); /* 508 MiB */
    cache(&o.tree, 4, "4\n", "Unified\n", "32G\n", "64\n", "16\n"); /* above the memory */
    collect(&o);
    static const char *const doubted[] = {"l1d.line", "l1i.ways", "l2.size", "l3.size",
                                          "l4.size"};
    for (size_t i = 0; i < sizeof doubted / sizeof *doubted; i++) {
        const struct fact *fact = find(&o, doubted[i], "sysfs");
        assert_non_null(fact);
        assert_int_equal(fact->status, FACT_IMPLAUSIBLE);
        assert_non_null(fact->note);
        assert_true(sonde_machine_declared(&o.facts, doubted[i]).implausible);
    }
    assert_non_null(strstr(find(&o, "l3.size", "sysfs")->note, "96 MiB"));
    assert_non_null(strstr(find(&o, "l4.size", "sysfs")->note, "memory"));
    assert_int_equal(find(&o, "l1d.size", "sysfs")->status, FACT_KNOWN);
    assert_string_equal(o.machine.model, "AMD EPYC family 26 model 2");
    assert_string_equal(o.machine.virtualization, "unknown");
    finish(&o);
}

/* On Arm the kernel writes 0 ways where a device tree is silent: no doubt about the size.
 */
static void silent_device_tree(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/proc/cpuinfo",
                  "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                  "CPU part\t: 0xd08\n");
    cache(&o.tree, 0, "1\n", "Data\n", "32K\n", "64\n", "0\n");
    collect(&o);
    assert_int_equal(find(&o, "l1d.size", "sysfs")->status, FACT_KNOWN);
    assert_int_equal(find(&o, "l1d.ways", "sysfs")->status, FACT_UNKNOWN);
    assert_string_equal(find(&o, "l1d.size", "sysfs")->witness, "firmware");
    assert_string_equal(o.machine.isa, "aarch64");
    assert_string_equal(o.machine.model, "Cortex-A72");
    finish(&o);
}

static void list_grammar(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, CPU "/possible", "0-1279\n");
    planted_write(&o.tree, CPU "/present", "0-3\n");
    planted_write(&o.tree, CPU "/online", "0,2-3\n");
    collect(&o);
    check_list(&o.machine.possible, "0-1279");
    check_list(&o.machine.online, "0,2-3");
    check_list(&o.machine.allowed, "0,2-3");
    assert_true(find(&o, "cpus.possible", "sysfs")->value == 1280);
    assert_non_null(strstr(find(&o, "cpus.online", "sysfs")->note, "1"));
    finish(&o);
}

static void degrades_without_sys(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/proc/cpuinfo", "processor : 0\n\nprocessor : 1\n\n");
    planted_write(&o.tree, "/proc/self/status", "Name:\tx\nCpus_allowed_list:\t1\n");
    collect(&o);
    check_list(&o.machine.online, "0-1");
    check_list(&o.machine.allowed, "1");
    const struct fact *fact = find(&o, "cpus.online", "fallback");
    assert_non_null(fact);
    assert_non_null(strstr(fact->note, "/proc/cpuinfo"));
    assert_int_equal(o.machine.kind_count, 1);
    finish(&o);
}

static void empty_tree(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    collect(&o);
    assert_true(isnan(o.machine.memory_installed));
    assert_true(isnan(o.machine.memory_granted));
    assert_int_equal(o.machine.page_bytes, 0);
    assert_true(sonde_machine_memory_allowed(&o.machine) == SONDE_MEMORY_CAP);
    for (size_t i = 0; i < o.facts.count; i++)
        assert_true(o.facts.rows[i].status == FACT_UNKNOWN || o.facts.rows[i].text);
    finish(&o);
}

/* --- control groups
 * ---------------------------------------------------------------------- */

#define V1 "/sys/fs/cgroup/memory"
#define V2 "/sys/fs/cgroup/unified"

static void mount_both(const struct planted *tree)
{
    planted_write(tree, "/proc/meminfo",
                  "MemTotal: 1048576 kB\nMemAvailable: 900000 kB\n");
    planted_write(
        tree, "/proc/self/mountinfo",
        "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 master:1 - cgroup cgroup "
        "rw,memory\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
    planted_write(tree, "/proc/self/cgroup",
                  "4:memory:/a/b\n1:name=systemd:/x\n0::/u/v\n");
    planted_write(tree, V1 "/memory.limit_in_bytes", "9223372036854771712\n");
    planted_write(tree, V1 "/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    planted_write(tree, V2 "/u/memory.max", "max\n");
    planted_write(tree, V2 "/u/v/memory.max", "max\n");
    planted_write(tree, V2 "/u/v/cpu.max", "max 100000\n");
}

static void unlimited_groups(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    mount_both(&o.tree);
    /* The same with 64 KiB pages. */
    planted_write(&o.tree, V1 "/a/memory.limit_in_bytes", "9223372036854710272\n");
    collect(&o);
    assert_true(o.machine.memory_granted == 1024 * MIB);
    assert_string_equal(o.machine.memory_granted_by, "the host");
    assert_int_equal(find(&o, "memory.limit", NULL)->status, FACT_UNKNOWN);
    assert_string_equal(find(&o, "cpu.quota", NULL)->text, "none");
    finish(&o);
}

static void limit_of_a_grandparent(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    mount_both(&o.tree);
    planted_write(&o.tree, V1 "/a/memory.limit_in_bytes", "67108864\n");
    planted_write(&o.tree, V1 "/a/memory.usage_in_bytes", "33554432\n");
    planted_write(&o.tree, V1 "/a/memory.stat",
                  "cache 1\ntotal_inactive_file 16777216\n");
    planted_write(&o.tree, V2 "/u/memory.high", "268435456\n");
    planted_write(&o.tree, V2 "/u/cpu.max", "150000 100000\n");
    collect(&o);
    assert_true(o.machine.memory_granted == 64 * MIB);
    assert_string_equal(o.machine.memory_granted_by, "cgroup /a (v1)");
    /* A quarter of 64 - (32 - 16). */
    assert_true(sonde_machine_memory_allowed(&o.machine) == 12 * MIB);
    assert_true(find(&o, "memory.limit", "cgroup.v2")->value == 256 * MIB);
    assert_true(find(&o, "cpu.quota", NULL)->value == 1.5);
    finish(&o);
}

/* A container sees its own group as the root of the mount; the limits above it show only
 * in memory.stat. */
static void mount_with_a_root(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/proc/meminfo", "MemTotal: 1048576 kB\n");
    planted_write(
        &o.tree, "/proc/self/mountinfo",
        "35 31 0:32 /docker/0\\0401 /sys/fs/cgroup/memory ro - cgroup c rw,memory\n");
    planted_write(&o.tree, "/proc/self/cgroup", "4:cpu,memory:/docker/0 1/inner\n");
    planted_write(&o.tree, V1 "/inner/memory.limit_in_bytes", "134217728\n");
    planted_write(&o.tree, V1 "/memory.limit_in_bytes", "9223372036854771712\n");
    planted_write(&o.tree, V1 "/memory.stat", "hierarchical_memory_limit 100663296\n");
    collect(&o);
    assert_true(o.machine.memory_granted == 96 * MIB);
    assert_string_equal(o.machine.memory_granted_by, "cgroup / (v1)");
    finish(&o);
}

static void path_outside_the_namespace(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/proc/self/mountinfo",
                  "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    planted_write(&o.tree, "/proc/self/cgroup", "0::/../../../etc\n");
    planted_write(&o.tree, "/sys/fs/cgroup/memory.max", "50331648\n");
    planted_write(&o.tree, "/sys/fs/cgroup/cpuset.cpus.effective", "2-3\n");
    planted_write(&o.tree, CPU "/online", "0-3\n");
    collect(&o);
    assert_true(o.machine.memory_granted == 48 * MIB);
    check_list(&o.machine.allowed, "2-3");
    finish(&o);
}

/* --- kinds of core
 * ------------------------------------------------------------------------ */

static void kinds_by_capacity(void **state)
{
    (void)state;
    static const char *const capacities[] = {"446\n", "446\n", "1024\n", "1009\n",
                                             "871\n"};
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, CPU "/online", "0-4\n");
    for (int i = 0; i < 5; i++) {
        char path[96];
        snprintf(path, sizeof path, CPU "/cpu%d/cpu_capacity", i);
        planted_write(&o.tree, path, capacities[i]);
    }
    collect(&o);
    assert_int_equal(o.machine.kind_count, 3);
    assert_string_equal(o.machine.kinds[0].name, "capacity 446");
    check_list(&o.machine.kinds[0].cpus, "0-1");
    check_list(&o.machine.kinds[1].cpus, "2-3"); /* a favoured core is no other kind */
    check_list(&o.machine.kinds[2].cpus, "4");
    finish(&o);
}

static void kinds_by_kernel_lists(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, CPU "/online", "0-7\n");
    planted_write(&o.tree, "/sys/devices/cpu_core/cpus", "0-3\n");
    planted_write(&o.tree, "/sys/devices/cpu_atom/cpus", "4-7\n");
    planted_write(&o.tree, "/proc/self/status", "Cpus_allowed_list:\t3-5\n");
    collect(&o);
    assert_int_equal(o.machine.kind_count, 2);
    assert_string_equal(o.machine.kinds[0].name, "performance");
    check_list(&o.machine.kinds[0].cpus, "3");
    check_list(&o.machine.kinds[1].cpus, "4-5");
    finish(&o);
}

/* --- trees that mean no good
 * ---------------------------------------------------------------- */

static void links_out_are_absent(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_link(&o.tree, "/proc/meminfo", "/proc/meminfo");
    planted_link(&o.tree, "/sys/devices", "/sys/devices");
    planted_link(&o.tree, "/proc/cpuinfo", "../../../../../../proc/cpuinfo");
    planted_link(&o.tree, "/sys/kernel/mm/hugepages", "/sys/kernel/mm/hugepages");
    collect(&o);
    assert_true(isnan(o.machine.memory_installed));
    assert_string_equal(o.machine.model, "");
    assert_int_equal(sonde_base_cpulist_count(&o.machine.online), 0);
    finish(&o);
}

static void pipes_do_not_hang(void **state)
{
    (void)state;
    struct opened o = {0};
    char path[128];
    planted_open(&o.tree);
    snprintf(path, sizeof path, "%s/proc/meminfo", o.tree.root);
    assert_int_equal(mkfifo(path, 0600), 0);
    collect(&o);
    assert_true(isnan(o.machine.memory_installed));
    finish(&o);
}

static void garbage(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, CPU "/possible", "0-99999999999\n");
    planted_write(&o.tree, CPU "/online", "3-1,,x\n");
    planted_write(&o.tree, "/proc/meminfo", "MemTotal:\nMemAvailable: kB\nMemTotal");
    planted_write(&o.tree, "/proc/cpuinfo",
                  ":::\nprocessor:\n\n: x\nprocessor : 99999999999\n");
    planted_write(&o.tree, "/proc/self/mountinfo",
                  "a b c d e f\n1 2 3 4 5 - cgroup\n - \n");
    planted_write(&o.tree, "/proc/self/cgroup", "::::\n0:\n:\n");
    planted_write(&o.tree, "/proc/loadavg", "nan nan\n");
    collect(&o);
    assert_true(isnan(o.machine.load1));
    assert_true(isnan(o.machine.memory_installed));
    for (size_t i = 0; i < o.facts.count; i++)
        assert_true(o.facts.rows[i].status != FACT_KNOWN || o.facts.rows[i].text ||
                    isfinite(o.facts.rows[i].value));
    finish(&o);
}

#define NODES "/sys/devices/system/node"

/* Two nodes with CPUs, one of memory alone, one that has nothing, one whose CPUs another
 * cpuset has. */
static void nodes_of_memory(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/sys/devices/system/cpu/possible", "0-7\n");
    planted_write(&o.tree, "/sys/devices/system/cpu/online", "0-5\n");
    planted_write(&o.tree, NODES "/node0/cpulist", "0-1,4\n");
    planted_write(&o.tree, NODES "/node0/meminfo", "Node 0 MemTotal:  1024 kB\n");
    planted_write(&o.tree, NODES "/node1/cpulist", "2-3\n");
    planted_write(&o.tree, NODES "/node1/meminfo", "Node 1 MemTotal:  2048 kB\n");
    planted_write(&o.tree, NODES "/node2/cpulist", "\n");
    planted_write(&o.tree, NODES "/node2/meminfo", "Node 2 MemTotal:  4096 kB\n");
    planted_write(&o.tree, NODES "/node3/cpulist", "5\n");
    planted_write(&o.tree, NODES "/node3/meminfo", "Node 3 MemTotal:  0 kB\n");
    planted_write(&o.tree, NODES "/node10/cpulist", "6-7\n");
    collect(&o);
    assert_int_equal(o.machine.node_count, 4);
    assert_int_equal(o.machine.nodes[1].number, 1);
    assert_true(o.machine.nodes[1].bytes == 2048.0 * 1024);
    check_list(&o.machine.nodes[0].cpus, "0-1,4");
    check_list(&o.machine.nodes[1].cpus, "2-3");
    check_list(&o.machine.nodes[2].cpus, "");
    assert_int_equal(o.machine.nodes[3].number, 10);
    assert_true(isnan(o.machine.nodes[3].bytes));
    check_list(&o.machine.nodes[3].cpus, ""); /* off line */
    finish(&o);
}

/* CPUs in two nodes: neither is believed. */
static void nodes_that_overlap(void **state)
{
    (void)state;
    struct opened o = {0};
    planted_open(&o.tree);
    planted_write(&o.tree, "/sys/devices/system/cpu/possible", "0-3\n");
    planted_write(&o.tree, NODES "/node0/cpulist", "0-3\n");
    planted_write(&o.tree, NODES "/node1/cpulist", "2-3\n");
    collect(&o);
    assert_int_equal(o.machine.node_count, 0);
    finish(&o);
}

static void unreadable_root(void **state)
{
    (void)state;
    struct machine machine;
    struct message why = {""};
    assert_int_equal(sonde_machine_open(&machine, "/nonexistent/tree", &why), -ENOENT);
    assert_non_null(strstr(why.text, "/nonexistent/tree"));
    assert_null(strchr(why.text, '\n'));
    assert_int_equal(sonde_machine_open(&machine, "/dev/null", &why), -ENOTDIR);
    assert_true(sonde_machine_open(&machine, "", &why) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_type_not_by_index),
        cmocka_unit_test(unknown_in_every_spelling),
        cmocka_unit_test(sharers_by_map),
        cmocka_unit_test(no_cache_folder),
        cmocka_unit_test(implausible_values),
        cmocka_unit_test(silent_device_tree),
        cmocka_unit_test(list_grammar),
        cmocka_unit_test(degrades_without_sys),
        cmocka_unit_test(empty_tree),
        cmocka_unit_test(unlimited_groups),
        cmocka_unit_test(limit_of_a_grandparent),
        cmocka_unit_test(mount_with_a_root),
        cmocka_unit_test(path_outside_the_namespace),
        cmocka_unit_test(kinds_by_capacity),
        cmocka_unit_test(kinds_by_kernel_lists),
        cmocka_unit_test(links_out_are_absent),
        cmocka_unit_test(pipes_do_not_hang),
        cmocka_unit_test(garbage),
        cmocka_unit_test(unreadable_root),
        cmocka_unit_test(nodes_of_memory),
        cmocka_unit_test(nodes_that_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
