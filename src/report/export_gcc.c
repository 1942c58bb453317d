/* What GCC's cost models believe of caches, as options: gcc @FILE, or on the command line
 * by $(sonde export --to gcc ...).
 *
 * Such a file has no comments, so where a value comes from is said by a definition beside
 * it, -DSONDE_GCC_..._measured or ..._declared, which no program looks at. l1-cache-size
 * and l2-cache-size are in KiB, lines in bytes (GCC's manual, "Optimize Options"). The
 * interference sizes are what std::hardware_destructive_interference_size and its
 * constructive twin become, since GCC 12: what two threads' data must be apart, and what
 * comes in together. */
#include "report/export_kinds.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *parameter;
    const char *keys[2]; /* of the sheet, the first known one */
    double divisor;
} rows[] = {
    {"l1-cache-size", {"l1d_size", NULL}, 1024},
    {"l1-cache-line-size", {"line_size", NULL}, 1},
    {"l2-cache-size", {"l2_size", NULL}, 1024},
    {"destructive-interference-size", {"sharing_granule", "line_size"}, 1},
    {"constructive-interference-size", {"line_size", NULL}, 1},
};

/* Padding below a line is refused by the language's own rules. */
static double at_least(const char *parameter, double value)
{
    return strstr(parameter, "interference") ? fmax(value, 16) : value;
}

int sonde_report_export_gcc(const struct passport_list *list, struct text *out,
                            struct message *why)
{
    bool any = false;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sheet_value value = sonde_report_sheet_find(list, rows[i].keys[0]);

        if (!isfinite(value.value) && rows[i].keys[1])
            value = sonde_report_sheet_find(list, rows[i].keys[1]);
        if (!isfinite(value.value))
            continue;
        value.value = floor(at_least(rows[i].parameter, value.value / rows[i].divisor));
        if (value.value < 1 || value.value > 1e9)
            continue;
        sonde_base_text_print(out, "--param=%s=%.0f -D", rows[i].parameter, value.value);
        sonde_report_put_macro(out, "gcc_");
        for (const char *c = rows[i].parameter; *c; c++)
            sonde_base_text_append(out, *c == '-' ? "_" : c, 1);
        sonde_base_text_print(out, "_%s\n", sonde_report_origin_name(value.origin));
        any = true;
    }
    return sonde_report_export_end(out, any, "gcc", why);
}
