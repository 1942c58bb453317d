/* What the machine declares about itself and what it grants this program.
 *
 * Nothing here is measured. Every value says which source it came from; a value that a
 * source does not know is unknown, never 0 and never a default. Everything that is a file
 * is read below `sysroot`, so a captured tree of another machine gives that machine's
 * facts (and then CPUID, sysconf and the affinity of this process are left out, since
 * they would speak of this one). */
#ifndef SONDE_MACHINE_MACHINE_H
#define SONDE_MACHINE_MACHINE_H

#include "base/cpulist.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- facts.c: a list of declared values --------------------------------------------- */

enum fact_status { FACT_KNOWN, FACT_UNKNOWN, FACT_IMPLAUSIBLE };

struct fact {
    char *name;          /* "l1d.size", "memory.granted", "cpu.model", ... */
    char *source;        /* "sysconf", "sysfs", "cpuid.4", "hwloc", "cgroup.v1", ... */
    const char *witness; /* sources that read the same register share it ("cpuid") */
    const char *unit;    /* "bytes", "count", "hz", "ns", "" */
    enum fact_status status;
    double value; /* NaN when unknown or textual */
    char *text;   /* textual value, or NULL */
    char *note;   /* why unknown or implausible, or anything worth saying */
};

struct facts {
    struct fact *rows;
    size_t count, capacity;
};

void sonde_machine_facts_free(struct facts *facts);
/* Appends a row and returns it (NULL: out of memory). The strings are copied; `witness`
 * and `unit` must be literals. */
struct fact *sonde_machine_fact_number(struct facts *facts, const char *name,
                                       const char *source, const char *witness,
                                       const char *unit, double value);
struct fact *sonde_machine_fact_text(struct facts *facts, const char *name,
                                     const char *source, const char *witness,
                                     const char *text);
/* A row that says the source does not know, and why. */
struct fact *sonde_machine_fact_unknown(struct facts *facts, const char *name,
                                        const char *source, const char *witness,
                                        const char *unit, const char *why);
/* Turns a row implausible, with the reason. */
void sonde_machine_fact_doubt(struct fact *fact, const char *why);

/* What the sources together declare of `name`. Rows of one witness count once. */
struct declaration {
    double value; /* the plausible value most witnesses give; NaN: nobody declares it */
    const char *source; /* of the first row with that value, or NULL */
    unsigned witnesses; /* how many stand behind it */
    bool disagreement;  /* another plausible value exists */
    bool implausible; /* only implausible values exist; `value` is then the first of them
                       */
};
struct declaration sonde_machine_declared(const struct facts *facts, const char *name);

/* --- machine.c: the machine as this process sees it ----------------------------------
 */

struct core_kind {
    char name[24]; /* "performance", "efficient", "capacity 446", "" when all alike */
    struct cpulist cpus; /* allowed CPUs of this kind */
};

/* More nodes than these are not looked at. */
enum { SONDE_NODES_MAX = 64 };

/* A node that has memory. */
struct memory_node {
    unsigned number;
    struct cpulist cpus; /* allowed ones that are near it; there may be none */
    double bytes;        /* NaN: not told */
};

struct machine {
    char *sysroot; /* its real path; NULL: the live machine */
    char host[128], kernel[192], model[160], isa[16];
    struct cpulist possible, online, allowed; /* allowed is within online */
    struct core_kind *kinds; /* at least one; in the order of their first CPU */
    size_t kind_count;
    struct memory_node *nodes; /* in the order of their numbers; NULL: not told */
    size_t node_count;
    size_t page_bytes; /* 0: a captured tree that does not tell */
    double memory_installed, memory_available, memory_granted; /* bytes; NaN: unknown */
    char memory_granted_by[96]; /* "the host", "cgroup /a/b (v1)", "RLIMIT_AS", ... */
    double stack_limit;         /* bytes, NaN: none */
    char virtualization[48];    /* "kvm", "firecracker", ...; "" none seen */
    char emulation[96];         /* evidence of an emulator; "" none seen */
    char thp[32];               /* "always", "madvise", "never", "" unknown */
    char clock_source[32], governor[32], smt[16];
    char counters[128]; /* "available", or why not: errno, paranoid level */
    double load1;       /* one-minute load; NaN unknown */
};

/* Fills `machine` for the live machine (sysroot NULL) or a captured tree. Parts that
 * cannot be found stay unknown; fails only for an unreadable sysroot (with one line) or
 * -ENOMEM. */
int sonde_machine_open(struct machine *machine, const char *sysroot, struct message *why);
void sonde_machine_close(struct machine *machine);

/* Every declared fact, as seen from `cpu` (caches are those of that CPU). On the live
 * machine the calling thread is bound to `cpu` while CPUID is read, and its affinity is
 * then put back. */
int sonde_machine_collect(const struct machine *machine, unsigned cpu,
                          struct facts *facts);

/* The most bytes a measurement may use: a quarter of what is granted by the host, every
 * cgroup above and RLIMIT_AS, less what is in use; read anew at each call. Never more
 * than SONDE_MEMORY_CAP where nothing is known. */
#define SONDE_MEMORY_CAP (256.0 * 1024 * 1024)
double sonde_machine_memory_allowed(const struct machine *machine);

/* --- affinity.c ------------------------------------------------------------------------
 */

/* The CPUs the calling thread may use, for any number of CPUs (the mask grows on EINVAL).
 */
int sonde_machine_affinity_get(struct cpulist *list);
/* Binds the calling thread to `cpu` and reads back where it is. 0; -EINVAL etc. from the
 * kernel; -EXDEV when the call succeeded and the thread still is elsewhere. */
int sonde_machine_pin(unsigned cpu);
int sonde_machine_affinity_set(const struct cpulist *list);
/* The CPU the thread is on now, or -1. */
int sonde_machine_current_cpu(void);

/* --- priority.c ------------------------------------------------------------------------
 */

/* Asks for the lowest real-time priority for the calling thread (not for what it starts)
 * and asks back whether it holds. 0, -EPERM and the like, -EXDEV: accepted and not held.
 */
int sonde_machine_priority_raise(void);
/* Back to an ordinary thread. */
void sonde_machine_priority_drop(void);

/* --- memory.c: what backs a range of memory -------------------------------------------
 */

enum page_kind { PAGES_DEFAULT, PAGES_SMALL, PAGES_HUGE };

struct page_backing {
    double mapped_bytes, resident_bytes, huge_bytes; /* from smaps; NaN: unknown */
};
/* Reads /proc/self/smaps for the mappings that overlap [start, start + bytes). 0, or a
 * negative errno when smaps is not there. */
int sonde_machine_backing(const void *start, size_t bytes, struct page_backing *backing);

#endif
