/* Page sizes, transparent huge pages, and the pools of reserved huge pages.
 *
 * The page size is asked for, never assumed: 16 KiB and 64 KiB kernels exist. Of a
 * captured tree it is known only where the capture holds smaps. "Transparent" says what
 * the kernel may do, "reserved" what it has set aside; neither says what backs any given
 * memory, which only smaps can show (memory.c), and neither says what a host does beneath
 * a guest.
 *
 * What can fool it: a pool may be full, or closed to this process by a hugetlb limit;
 * that comes out when memory is asked for and touched. */
#include "base/pages.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define POOL_FOLDER "/sys/kernel/mm/hugepages"
#define THP_FOLDER  "/sys/kernel/mm/transparent_hugepage"

static double captured_page_bytes(const struct machine *machine)
{
    char *data = NULL;
    size_t length = 0;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/self/smaps") < 0)
        return NAN;
    double bytes = sonde_machine_field_bytes(data, "KernelPageSize");
    free(data);
    return bytes;
}

/* "always [madvise] never": the word in brackets. */
static bool bracketed(const char *line, char *word, size_t size)
{
    const char *open = strchr(line, '[');
    const char *close = open ? strchr(open, ']') : NULL;
    if (!close)
        return false;
    snprintf(word, size, "%.*s", (int)(close - open - 1), open + 1);
    return true;
}

void sonde_machine_open_pages(struct machine *machine)
{
    char line[96];
    if (machine->sysroot) {
        double bytes = captured_page_bytes(machine);
        machine->page_bytes = bytes > 0 ? (size_t)bytes : 0;
    } else {
        machine->page_bytes = sonde_base_page_bytes();
    }
    if (sonde_machine_read_line(machine, line, sizeof line, THP_FOLDER "/enabled") == 0)
        bracketed(line, machine->thp, sizeof machine->thp);
}

static int add_page_size(const struct machine *machine, struct facts *facts)
{
    const char *source = machine->sysroot ? "smaps" : "sysconf";
    double bytes =
        machine->sysroot ? (double)machine->page_bytes : (double)sysconf(_SC_PAGESIZE);
    struct fact *fact = bytes > 0
                            ? sonde_machine_fact_number(facts, "page.size", source,
                                                        "kernel", "bytes", bytes)
                            : sonde_machine_fact_unknown(
                                  facts, "page.size", source, "kernel", "bytes",
                                  machine->sysroot ? "the captured tree does not tell"
                                                   : "the C library does not tell");
    if (!fact)
        return -ENOMEM;
    unsigned long announced = machine->sysroot ? 0 : getauxval(AT_PAGESZ);
    if (announced && !sonde_machine_fact_number(facts, "page.size", "auxv", "kernel",
                                                "bytes", (double)announced))
        return -ENOMEM;
    return 0;
}

struct pools {
    const struct machine *machine;
    struct text sizes, detail;
    double reserved; /* bytes in all pools; NaN when one does not tell */
    size_t count;
};

static int add_pool(void *context, unsigned long kib)
{
    struct pools *pools = context;
    double pages = NAN;
    double bytes = (double)kib * 1024;
    const char *comma = pools->count++ ? ", " : "";
    struct number_text size = sonde_base_format_bytes(bytes);
    if (sonde_machine_read_count(pools->machine, &pages,
                                 POOL_FOLDER "/hugepages-%lukB/nr_hugepages", kib) < 0)
        pages = NAN;
    sonde_base_text_print(&pools->sizes, "%s%s", comma, size.text);
    if (isnan(pages))
        sonde_base_text_print(&pools->detail, "%sunknown of %s", comma, size.text);
    else
        sonde_base_text_print(&pools->detail, "%s%.0f of %s", comma, pages, size.text);
    pools->reserved += pages * bytes;
    return pools->sizes.failed || pools->detail.failed ? -ENOMEM : 0;
}

static int report_pools(struct pools *pools, struct facts *facts)
{
    if (pools->count == 0)
        return sonde_machine_fact_unknown(facts, "hugepages.reserved", "sysfs", "kernel",
                                          "bytes", "no pools in " POOL_FOLDER)
                   ? 0
                   : -ENOMEM;
    if (!sonde_machine_fact_text(facts, "hugepages.sizes", "sysfs", "kernel",
                                 pools->sizes.data))
        return -ENOMEM;
    struct fact *fact = sonde_machine_fact_number(facts, "hugepages.reserved", "sysfs",
                                                  "kernel", "bytes", pools->reserved);
    if (!fact)
        return -ENOMEM;
    sonde_machine_fact_note(fact, "%s", pools->detail.data);
    return 0;
}

static int add_pools(const struct machine *machine, struct facts *facts)
{
    struct pools pools = {.machine = machine};
    int rc = sonde_machine_each_numbered(machine, POOL_FOLDER, "hugepages-", "kB",
                                         add_pool, &pools);
    if (rc != -ENOMEM)
        rc = report_pools(&pools, facts);
    sonde_base_text_free(&pools.sizes);
    sonde_base_text_free(&pools.detail);
    return rc;
}

/* "Hugetlb:" covers the pools of all sizes (kernels since 4.17). */
static int add_meminfo_pool(const struct machine *machine, struct facts *facts)
{
    char *data = NULL;
    size_t length = 0;
    if (sonde_machine_read_file(machine, &data, &length, "/proc/meminfo") < 0)
        return 0;
    double bytes = sonde_machine_field_bytes(data, "Hugetlb");
    free(data);
    if (isnan(bytes))
        return 0;
    return sonde_machine_fact_number(facts, "hugepages.reserved", "meminfo", "kernel",
                                     "bytes", bytes)
               ? 0
               : -ENOMEM;
}

static int add_thp(const struct machine *machine, struct facts *facts)
{
    double bytes;
    struct fact *fact =
        machine->thp[0]
            ? sonde_machine_fact_text(facts, "thp.mode", "sysfs", "kernel", machine->thp)
            : sonde_machine_fact_unknown(facts, "thp.mode", "sysfs", "kernel", "",
                                         "no " THP_FOLDER "/enabled");
    if (!fact)
        return -ENOMEM;
    if (sonde_machine_read_count(machine, &bytes, THP_FOLDER "/hpage_pmd_size") == 0 &&
        !sonde_machine_fact_number(facts, "thp.size", "sysfs", "kernel", "bytes", bytes))
        return -ENOMEM;
    return 0;
}

int sonde_machine_source_pages(const struct machine *machine, unsigned cpu,
                               struct facts *facts)
{
    (void)cpu;
    int rc = add_page_size(machine, facts);
    if (rc == 0)
        rc = add_thp(machine, facts);
    if (rc == 0)
        rc = add_pools(machine, facts);
    return rc == 0 ? add_meminfo_pool(machine, facts) : rc;
}
