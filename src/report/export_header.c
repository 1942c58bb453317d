/* Macros for a C or C++ program: the value, and whether it was measured.
 *
 * Times and frequencies come as floating literals, sizes and counts as integers, so that
 * sizes serve in #if and as array bounds. Test with #ifdef: what is unknown is absent. */
#include "report/export_kinds.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

static const char *literal_suffix(const char *unit, double value)
{
    bool whole = strcmp(unit, "bytes") == 0 || strcmp(unit, "count") == 0;

    if (whole)
        return value > 2147483647.0 ? "ULL" : "";
    return value == floor(value) ? ".0" : "";
}

static void put_row(const struct sheet_row *row, const struct sheet_value *value,
                    struct text *out)
{
    bool whole = strcmp(row->unit, "bytes") == 0 || strcmp(row->unit, "count") == 0;
    double number = whole ? floor(value->value) : value->value;

    sonde_base_text_print(out, "\n/* %s; ", row->unit);
    sonde_report_put_comment(out, value->source);
    sonde_base_text_print(out, " */\n#define ");
    sonde_report_put_macro(out, row->key);
    sonde_base_text_print(out, " %s%s\n#define ", sonde_report_plain_number(number).text,
                          literal_suffix(row->unit, number));
    sonde_report_put_macro(out, row->key);
    sonde_base_text_print(out, "_MEASURED %d\n", value->origin == ORIGIN_MEASURED);
}

int sonde_report_export_header(const struct passport_list *list, struct text *out,
                               struct message *why)
{
    bool any;

    sonde_report_export_head(list, "/* ", " */", out);
    sonde_base_text_print(out, "#ifndef SONDE_MACHINE_H\n#define SONDE_MACHINE_H\n");
    any = sonde_report_sheet_each(list, out, put_row);
    sonde_base_text_print(out, "\n#endif\n");
    return sonde_report_export_end(out, any, "a C program", why);
}
