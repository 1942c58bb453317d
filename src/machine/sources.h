/* What the files of this room share: reading below the sysroot, the sources of facts, and
 * the parts that fill a `struct machine`. Nothing outside src/machine includes this.
 *
 * A source is one function that appends rows; sonde_machine_collect() calls them in the
 * order in which they are trusted, since the first row wins a tie (see facts.c). */
#ifndef SONDE_MACHINE_SOURCES_H
#define SONDE_MACHINE_SOURCES_H

#include "machine/machine.h"

/* --- tree.c: files below the sysroot
 * ---------------------------------------------------- */

/* Each takes the path as on a live machine ("/sys/devices/...", printf format). Absent,
 * irregular, or leading out of a captured tree through a link: negative errno. */

/* One line without its newline, white space cut at both ends. */
__attribute__((format(printf, 4, 5))) int
sonde_machine_read_line(const struct machine *machine, char *line, size_t size,
                        const char *format, ...);
/* A file whole (at most 8 MiB), NUL appended; `*data` is malloc'd. */
__attribute__((format(printf, 4, 5))) int
sonde_machine_read_file(const struct machine *machine, char **data, size_t *length,
                        const char *format, ...);
/* A whole number in decimal; a sign is refused (a negative value is unknown). */
__attribute__((format(printf, 3, 4))) int
sonde_machine_read_count(const struct machine *machine, double *value, const char *format,
                         ...);
/* A CPU list; an empty file gives an empty list. */
__attribute__((format(printf, 3, 4))) int
sonde_machine_read_cpus(const struct machine *machine, struct cpulist *list,
                        const char *format, ...);
__attribute__((format(printf, 2, 3))) bool
sonde_machine_exists(const struct machine *machine, const char *format, ...);
/* Calls visit for each entry of a folder named <prefix><number><suffix>, in ascending
 * order of the number, until it returns nonzero; returns that, 0, or a negative errno
 * when there is no such folder. */
int sonde_machine_each_numbered(const struct machine *machine, const char *folder,
                                const char *prefix, const char *suffix,
                                int (*visit)(void *context, unsigned long number),
                                void *context);
/* The value of `key` ("MemTotal", up to the colon) in a "key: value" file held in memory:
 * the start of the value, or NULL. The value ends at the newline. */
const char *sonde_machine_field(const char *text, const char *key);
/* The same for "12345 kB", in bytes; NaN when absent or no number. */
double sonde_machine_field_bytes(const char *text, const char *key);

/* --- facts.c
 * ---------------------------------------------------------------------------- */

/* Sets or replaces the note of a row (NULL row: nothing happens). */
__attribute__((format(printf, 2, 3))) void
sonde_machine_fact_note(struct fact *fact, const char *format, ...);
/* The witness behind what the kernel or the C library say of the caches: "cpuid" where
 * they merely repeat CPUID (x86), else "firmware" or "libc". */
const char *sonde_machine_cache_witness(const struct machine *machine,
                                        const char *otherwise);
/* The note of a row whose source said 0 (a ways count of 0 makes plausibility.c doubt the
 * size that the same source gives). */
#define SONDE_NOTE_ZERO "declared as 0"
/* A row about a cache: 0 and negative are unknown, as is NaN (then `missing` says why).
 */
struct fact *sonde_machine_fact_cache(struct facts *facts, const char *name,
                                      const char *source, const char *witness,
                                      const char *unit, double value,
                                      const char *missing);

/* --- the sources
 * ------------------------------------------------------------------------ */

int sonde_machine_source_sysfs(const struct machine *machine, unsigned cpu,
                               struct facts *facts);
int sonde_machine_source_registers(const struct machine *machine, unsigned cpu,
                                   struct facts *facts);
int sonde_machine_source_hwloc(const struct machine *machine, unsigned cpu,
                               struct facts *facts);
int sonde_machine_source_sysconf(const struct machine *machine, unsigned cpu,
                                 struct facts *facts);
int sonde_machine_source_procfs(const struct machine *machine, unsigned cpu,
                                struct facts *facts);
int sonde_machine_source_topology(const struct machine *machine, unsigned cpu,
                                  struct facts *facts);
int sonde_machine_source_memory(const struct machine *machine, unsigned cpu,
                                struct facts *facts);
int sonde_machine_source_pages(const struct machine *machine, unsigned cpu,
                               struct facts *facts);
int sonde_machine_source_cgroup(const struct machine *machine, unsigned cpu,
                                struct facts *facts);
int sonde_machine_source_environment(const struct machine *machine, unsigned cpu,
                                     struct facts *facts);
/* Every sign of a virtual machine or container, one row each. */
int sonde_machine_virtualization_rows(const struct machine *machine, struct facts *facts);
/* Applies the table of rules to all rows; call it last. */
int sonde_machine_check(const struct machine *machine, unsigned cpu, struct facts *facts);

/* --- parts of sonde_machine_open()
 * ------------------------------------------------------ */

/* ISA, host, kernel and processor model; after topology. */
void sonde_machine_open_identity(struct machine *machine);
/* possible, online, allowed; first of all. */
int sonde_machine_open_topology(struct machine *machine);
/* kinds of core; after topology. */
int sonde_machine_open_kinds(struct machine *machine);
/* Page size, THP mode. */
void sonde_machine_open_pages(struct machine *machine);
/* Installed, available, granted, stack limit. */
void sonde_machine_open_memory(struct machine *machine);
/* The nodes of memory; after topology. */
void sonde_machine_open_nodes(struct machine *machine);
void sonde_machine_close_nodes(struct machine *machine);
/* What a node has; NaN: not told. */
double sonde_machine_node_bytes(const struct machine *machine, unsigned long node);
/* All CPUs of a node, allowed or not, are added to `cpus`. */
void sonde_machine_node_cpus(const struct machine *machine, unsigned long node,
                             struct cpulist *cpus);
void sonde_machine_open_environment(struct machine *machine);
void sonde_machine_open_virtualization(struct machine *machine);
void sonde_machine_open_emulation(struct machine *machine);

/* The processor as its sources name it; vendor "" and family 0: unknown. */
struct processor {
    char vendor[16]; /* "GenuineIntel", "ARM", ... */
    unsigned family, model;
    char name[128];      /* "AMD EPYC 9654", "Cortex-A72" */
    char isa[16];        /* "x86_64", "aarch64", ...: told from the file's fields; "" */
    char platform[96];   /* board or machine ("PowerNV 8335-GTW"); "" */
    bool hypervisor;     /* the x86 flag of that name */
    double address_bits; /* physical; NaN unknown */
    double cache_bytes, line_bytes; /* "cache size", "clflush size"; NaN unknown */
    double hz;                      /* "cpu MHz" or "clock"; NaN unknown */
};
/* From /proc/cpuinfo, the block of `cpu` (the first block where that CPU has none). */
int sonde_machine_processor(const struct machine *machine, unsigned cpu,
                            struct processor *processor);

/* --- cgroup.c, cgroup_mounts.c
 * ---------------------------------------------------------- */

/* One level of a hierarchy that this process belongs to. */
struct cgroup_level {
    const char *folder; /* as on a live machine: "/sys/fs/cgroup/memory/a/b" */
    const char *path;   /* below the mount point: "/a/b", "/" */
    bool unified;       /* cgroup v2 */
    bool noprefix;      /* the old cpuset file system: "cpus" for "cpuset.cpus" */
};
/* Visits every level from the own cgroup up to the mount point, for each hierarchy that
 * holds `controller` ("memory", "cpu", "cpuset"); stops at a nonzero return. */
int sonde_machine_cgroup_each(const struct machine *machine, const char *controller,
                              int (*visit)(void *context,
                                           const struct cgroup_level *level),
                              void *context);

struct memory_limit {
    double bytes;    /* the least limit; NaN: none */
    double headroom; /* the least of limit - usage over all levels; NaN: none */
    char by[96];     /* "cgroup /a/b (v1)" */
};
int sonde_machine_cgroup_memory(const struct machine *machine,
                                struct memory_limit *limit);
/* CPUs that the cpuset allows: the list of the nearest level that has one. -ENOENT: none.
 */
int sonde_machine_cgroup_cpus(const struct machine *machine, struct cpulist *list);
/* The least CPU bandwidth of all levels, in CPUs; NaN: no limit. */
double sonde_machine_cgroup_quota(const struct machine *machine);

#endif
