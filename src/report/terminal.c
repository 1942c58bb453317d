/* The passport that fits a screen.
 *
 * Passports of one machine seen from several kinds of core share a header and stand side
 * by side in the table of levels; passports of different machines follow one another. The
 * parts are in terminal_*.c; this file orders them. */
#include "report/report.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* One machine, another kind of core. */
static bool belongs(const struct passport *first, const struct passport *other)
{
    return first->vantage.kind && other->vantage.kind &&
           !same(first->vantage.kind, other->vantage.kind) &&
           same(first->machine.host, other->machine.host) &&
           same(first->machine.model, other->machine.model);
}

/* Who measured few probes wants all of them; of many, what matters. */
enum { FEW_PROBES = 3 };

static bool is_few(const struct vantages *vantages)
{
    for (size_t i = 0; i < vantages->count; i++)
        if (vantages->rows[i].probe_count > FEW_PROBES)
            return false;
    return true;
}

static void write_machine(struct canvas *canvas, const struct vantages *vantages)
{
    sonde_report_header(canvas, vantages);
    sonde_report_levels(canvas, vantages);
    if (vantages->whole) {
        sonde_report_surfaces(canvas, vantages);
        sonde_report_strides(canvas, vantages);
        sonde_report_arithmetic(canvas, vantages);
    }
    sonde_report_findings(canvas, vantages);
    sonde_report_gaps(canvas, vantages);
    sonde_report_warnings(canvas, vantages);
    sonde_report_advice(canvas, vantages);
}

int sonde_report_terminal(const struct passport_list *list,
                          const struct report_style *style, struct text *out,
                          struct message *why)
{
    struct canvas canvas = sonde_report_canvas(style, out);

    for (size_t first = 0, next; first < list->count; first = next) {
        struct vantages vantages;

        for (next = first + 1; next < list->count; next++)
            if (!belongs(&list->rows[first], &list->rows[next]))
                break;
        vantages = (struct vantages){&list->rows[first], next - first, false};
        vantages.whole = style->verbose || is_few(&vantages);
        if (first > 0)
            sonde_base_text_append(out, "\n", 1);
        write_machine(&canvas, &vantages);
    }
    if (out->failed)
        return sonde_base_fail(why, -ENOMEM, "out of memory for the report");
    return 0;
}
