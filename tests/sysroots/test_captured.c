/* Declared facts on trees captured from real machines, against what is known of them.
 *
 * The trees are in the shared folder named by SONDE_SHARED; without it the test is
 * skipped. Every tree must open, give facts for each of its CPUs, and declare nothing
 * impossible. */
#include "console.h"
#include "machine/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB (1024.0 * 1024)

static const char *trees_folder(void)
{
    static const char *const below = "sysroots/linux";
    static char path[512]; /* one per program, set once */
    const char *shared = getenv("SONDE_SHARED");
    if (!path[0] && shared)
        snprintf(path, sizeof path, "%s/%s", shared, below);
    return path[0] && access(path, R_OK) == 0 ? path : NULL;
}

/* --- unpacking
 * --------------------------------------------------------------------------- */

struct unpacked {
    char folder[64]; /* temporary; holds one folder, the root of the tree */
    char root[400];
};

/* Only what is read is unpacked; a capture without some of it makes tar complain (on a
 * standard error that nobody needs), not fail. */
static int run_tar(const char *archive, const char *folder)
{
    const char *const arguments[] = {"tar",
                                     "-xjf",
                                     archive,
                                     "-C",
                                     folder,
                                     "--exclude=cpuidle",
                                     "--exclude=memory[0-9]*",
                                     "--exclude=power",
                                     "--exclude=thermal_throttle",
                                     "--exclude=acpi_cppc",
                                     "--wildcards",
                                     "*/proc/*",
                                     "*/sys/devices/system/cpu/*",
                                     "*/sys/devices/system/node/*",
                                     "*/sys/kernel/mm/*",
                                     "*/sys/fs/cgroup/*",
                                     "*/sys/class/dmi/*",
                                     "*/dev/cpuset/*",
                                     NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    int rc = posix_spawnp(&child, "tar", &quiet, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (rc != 0)
        return -rc;
    if (waitpid(child, &status, 0) < 0)
        return -errno;
    return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? 0 : -ENOENT;
}

static void unpack(struct unpacked *tree, const char *name)
{
    char archive[700];
    snprintf(archive, sizeof archive, "%s/%s.tar.bz2", trees_folder(), name);
    /* Thousands of tiny files: memory is many times faster than a disk. */
    snprintf(tree->folder, sizeof tree->folder, "%s/sonde-captured-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(tree->folder));
    assert_int_equal(run_tar(archive, tree->folder), 0);
    DIR *folder = opendir(tree->folder);
    assert_non_null(folder);
    const struct dirent *entry;
    tree->root[0] = '\0';
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            snprintf(tree->root, sizeof tree->root, "%s/%s", tree->folder, entry->d_name);
    closedir(folder);
    assert_true(tree->root[0]);
}

static int remove_entry(const char *path, const struct stat *status, int kind,
                        struct FTW *where)
{
    (void)where;
    if (kind == FTW_DNR)
        chmod(path, 0700);
    (void)status;
    remove(path); /* what cannot be removed must not keep the rest */
    return 0;
}

static void discard(struct unpacked *tree)
{
    nftw(tree->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void open_tree(struct unpacked *tree, struct machine *machine, const char *name)
{
    struct message why = {""};
    unpack(tree, name);
    assert_int_equal(sonde_machine_open(machine, tree->root, &why), 0);
}

static void close_tree(struct unpacked *tree, struct machine *machine)
{
    sonde_machine_close(machine);
    discard(tree);
}

/* --- facts of one CPU
 * ----------------------------------------------------------------------- */

static double value_of(const struct machine *machine, unsigned cpu, const char *name)
{
    struct facts facts = {0};
    assert_int_equal(sonde_machine_collect(machine, cpu, &facts), 0);
    struct declaration d = sonde_machine_declared(&facts, name);
    sonde_machine_facts_free(&facts);
    return d.implausible ? NAN : d.value;
}

static bool ends(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

/* No known row may hold what no machine can have. */
static void check_possible(const char *tree, const struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->rows[i];
        bool cache = fact->name[0] == 'l' && fact->name[1] >= '1' && fact->name[1] <= '4';
        bool fine = true;
        if (fact->status != FACT_KNOWN)
            continue;
        if (cache && ends(fact->name, ".size"))
            fine = fact->value >= 1024 && fact->value <= 600.0 * 1024 * 1024;
        else if (ends(fact->name, ".line"))
            fine = fact->value >= 8 && fact->value <= 1024;
        else if (ends(fact->name, ".ways"))
            fine = fact->value >= 1 && fact->value <= 1024;
        else if (strcmp(fact->name, "memory.installed") == 0)
            fine = fact->value > 0 && fact->value < 64 * 0x1p40;
        else if (!fact->text)
            fine = isfinite(fact->value) && fact->value >= 0;
        if (!fine)
            fail_msg("%s: %s of %s is %g", tree, fact->name, fact->source, fact->value);
    }
}

static void check_figure(const char *tree, const struct facts *facts, unsigned cpu,
                         const char *cache, const char *what, double expected)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%s", cache, what);
    struct declaration d = sonde_machine_declared(facts, name);
    /* One CPU's sharers of this L3 contradict each other (on purpose); the lister then
     * left it out for all CPUs, where we doubt that one row. */
    if (expected == 0 && strcmp(name, "l3.size") == 0 &&
        strcmp(tree, "40intel64-4n10c+pci-conflicts") == 0)
        return;
    if (d.implausible && d.value != expected)
        return; /* a wrong figure that was doubted, as it should be */
    /* The listing rounds what is 10 MiB and more to whole MiB. */
    double rounded = d.value >= 10 * MIB ? round(d.value / MIB) * MIB : d.value;
    if (expected == 0 ? isnan(d.value) : rounded == expected && !d.implausible)
        return;
    fail_msg("%s: CPU %u: %s is %g, the truth is %g", tree, cpu, name, d.value, expected);
}

/* Lines and ways that the truth leaves out or calls 0 are not held against us. */
static void check_cpu(const char *tree, const struct facts *facts,
                      const struct truth_cpu *cpu)
{
    for (int i = 0; i < TRUTH_CACHES; i++) {
        const struct truth_cache *cache = &cpu->caches[i];
        check_figure(tree, facts, cpu->number, truth_names[i], "size", cache->size);
        if (cache->line > 0)
            check_figure(tree, facts, cpu->number, truth_names[i], "line", cache->line);
        if (cache->ways > 0)
            check_figure(tree, facts, cpu->number, truth_names[i], "ways", cache->ways);
    }
}

/* CPUs of the large trees are alike by the dozen; about this many of them tell all. */
enum { CPUS_CHECKED = 10 };

static void check_tree(const char *name, const struct truth *truth)
{
    struct unpacked tree;
    struct machine machine;
    open_tree(&tree, &machine, name);
    size_t step = truth->count / CPUS_CHECKED + 1;
    for (size_t i = 0; i < truth->count; i += step) {
        struct facts facts = {0};
        assert_int_equal(sonde_machine_collect(&machine, truth->cpus[i].number, &facts),
                         0);
        check_possible(name, &facts);
        check_cpu(name, &facts, &truth->cpus[i]);
        sonde_machine_facts_free(&facts);
    }
    if (truth->count == 0) {
        struct facts facts = {0};
        assert_int_equal(sonde_machine_collect(&machine, 0, &facts), 0);
        check_possible(name, &facts);
        sonde_machine_facts_free(&facts);
    }
    close_tree(&tree, &machine);
}

/* --- the tests
 * -------------------------------------------------------------------------------- */

static void every_tree_tells_the_truth(void **state)
{
    (void)state;
    char pattern[600];
    glob_t found;
    struct truth *truth = calloc(1, sizeof *truth);
    assert_non_null(truth);
    snprintf(pattern, sizeof pattern, "%s/*.tar.bz2", trees_folder());
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[128], console[700];
        snprintf(name, sizeof name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        name[strlen(name) - strlen(".tar.bz2")] = '\0';
        snprintf(console, sizeof console, "%s/%s.console", trees_folder(), name);
        truth->count = 0;
        int rc = truth_read(truth, console);
        assert_true(rc == 0 || rc == -ENOENT);
        check_tree(name, truth);
        print_message("%s: %zu CPUs known\n", name, truth->count);
    }
    globfree(&found);
    free(truth);
}

static void check_cpus(const struct cpulist *list, const char *expected)
{
    char text[256];
    assert_string_equal(sonde_base_cpulist_format(list, text, sizeof text), expected);
}

static void hybrid_has_two_kinds(void **state)
{
    (void)state;
    struct unpacked tree;
    struct machine machine;
    open_tree(&tree, &machine, "20em64t-hybrid-1p6c2t+2ca4co1t");
    assert_int_equal(machine.kind_count, 2);
    assert_string_equal(machine.kinds[0].name, "performance");
    check_cpus(&machine.kinds[0].cpus, "0-11");
    assert_string_equal(machine.kinds[1].name, "efficient");
    check_cpus(&machine.kinds[1].cpus, "12-19");
    assert_true(value_of(&machine, 0, "l1d.size") == 48 * 1024);
    assert_true(value_of(&machine, 12, "l1d.size") == 32 * 1024);
    assert_true(value_of(&machine, 0, "l2.size") == 1280 * 1024);
    assert_true(value_of(&machine, 12, "l2.size") == 2048 * 1024);
    close_tree(&tree, &machine);
}

static void cpusets_limit_what_is_allowed(void **state)
{
    (void)state;
    struct unpacked tree;
    struct machine machine;
    open_tree(&tree, &machine, "16amd64-8n2c-cpusets");
    check_cpus(&machine.online, "0-3,5-15");
    check_cpus(&machine.allowed, "0-3,5-6,12-15");
    close_tree(&tree, &machine);
    open_tree(&tree, &machine, "4fake-4gr1nu1pu");
    check_cpus(&machine.possible, "0-3");
    check_cpus(&machine.allowed, "0-1");
    close_tree(&tree, &machine);
}

static void strange_nodes(void **state)
{
    (void)state;
    struct unpacked tree;
    struct machine machine;
    open_tree(&tree, &machine, "nvidiagpunumanodes");
    assert_true(value_of(&machine, 0, "numa.nodes") == 2); /* six more are of devices */
    assert_true(machine.node_count >= 2 && machine.nodes[0].number == 0);
    assert_true(sonde_base_cpulist_count(&machine.nodes[0].cpus) > 0);
    assert_true(isnan(value_of(&machine, 0, "l2.line")));
    close_tree(&tree, &machine);
    open_tree(&tree, &machine, "48amd64-4pa2n6c-sparse");
    assert_true(value_of(&machine, 0, "numa.nodes") == 8);
    assert_int_equal(machine.node_count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(sonde_base_cpulist_count(&machine.nodes[i].cpus), 6);
    close_tree(&tree, &machine);
    open_tree(&tree, &machine, "8em64t-2s2ca2c-buggynuma");
    assert_true(isnan(value_of(&machine, 0, "numa.nodes")));
    assert_int_equal(machine.node_count, 0);
    close_tree(&tree, &machine);
}

static void contradictory_sharers(void **state)
{
    (void)state;
    struct unpacked tree;
    struct machine machine;
    struct facts facts = {0};
    open_tree(&tree, &machine, "40intel64-4n10c+pci-conflicts");
    assert_int_equal(sonde_machine_collect(&machine, 2, &facts), 0);
    assert_true(sonde_machine_declared(&facts, "l3.shared").implausible);
    assert_true(sonde_machine_declared(&facts, "l3.size").value == 30720 * 1024);
    sonde_machine_facts_free(&facts);
    close_tree(&tree, &machine);
}

static void nothing_is_invented(void **state)
{
    (void)state;
    struct unpacked tree;
    struct machine machine;
    open_tree(&tree, &machine, "2arm-2c");
    static const char *const names[] = {"l1i.size", "l1d.size",  "l2.size",
                                        "l3.size",  "line.size", "page.size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(isnan(value_of(&machine, 0, names[i])));
    assert_string_equal(machine.isa, "arm");
    close_tree(&tree, &machine);
    open_tree(&tree, &machine, "2i386-2t-hugepagesizecount");
    assert_true(isnan(value_of(&machine, 0, "memory.installed"))); /* 373 TiB, 36 bits */
    assert_true(value_of(&machine, 0, "hugepages.reserved") ==
                16.0 * 0x1p30 + 2.0 * 0x1p20);
    close_tree(&tree, &machine);
}

int main(void)
{
    if (!trees_folder()) {
        printf(
            "skipped: no captured trees (SONDE_SHARED names no folder that has them)\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_tells_the_truth),
        cmocka_unit_test(hybrid_has_two_kinds),
        cmocka_unit_test(cpusets_limit_what_is_allowed),
        cmocka_unit_test(strange_nodes),
        cmocka_unit_test(contradictory_sharers),
        cmocka_unit_test(nothing_is_invented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
