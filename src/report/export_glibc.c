/* GLIBC_TUNABLES for the C library's memcpy and memset, as an environment file.
 *
 * glibc sizes its string functions by what CPUID declares, which in a virtual machine is
 * the whole chip's cache. The size of the shared cache and the threshold of non-temporal
 * stores are two tunables, and setting the first does not move the second; the threshold
 * here is three quarters of the shared size, glibc's own rule from 2.32 to 2.37. Only
 * x86 has these tunables, and only values from 0x4040 on are taken as a threshold. */
#include "report/export_kinds.h"

#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* glibc's lower bound of x86_non_temporal_threshold. */
static const double least_threshold = 0x4040;

static void put_tunable(struct text *tunables, struct text *out, const char *name,
                        double value, const char *source)
{
    sonde_base_text_print(out, "# %s: ", name);
    sonde_report_put_comment(out, source);
    sonde_base_text_print(out, "\n");
    sonde_base_text_print(tunables, "%sglibc.cpu.%s=%.0f", tunables->length ? ":" : "",
                          name, floor(value));
}

static bool all_x86(const struct passport_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->rows[i].tool.isa && strcmp(list->rows[i].tool.isa, "x86_64") != 0)
            return false;
    return true;
}

int sonde_report_export_glibc(const struct passport_list *list, struct text *out,
                              struct message *why)
{
    struct sheet_value data = sonde_report_sheet_find(list, "l1d_size");
    struct sheet_value shared = sonde_report_sheet_find(list, "llc_effective");
    struct text tunables = {0};
    char source[160];
    bool any;

    if (!all_x86(list))
        return sonde_base_fail(why, -ENODATA,
                               "glibc has tunables for caches on x86-64 alone");
    if (!isfinite(shared.value))
        shared = sonde_report_sheet_find(list, "l3_size");
    shared.value = floor(shared.value);
    sonde_report_export_head(list, "# ", "", out);
    if (isfinite(data.value))
        put_tunable(&tunables, out, "x86_data_cache_size", data.value, data.source);
    if (isfinite(shared.value)) {
        put_tunable(&tunables, out, "x86_shared_cache_size", shared.value, shared.source);
        snprintf(source, sizeof source, "three quarters of the shared cache, %s",
                 shared.source);
        if (0.75 * shared.value >= least_threshold)
            put_tunable(&tunables, out, "x86_non_temporal_threshold", 0.75 * shared.value,
                        source);
    }
    any = tunables.length > 0;
    if (any)
        sonde_base_text_print(out, "GLIBC_TUNABLES=%s\n", tunables.data);
    out->failed = out->failed || tunables.failed;
    sonde_base_text_free(&tunables);
    return sonde_report_export_end(out, any, "glibc", why);
}
