/* Variables for CMake: include(FILE), then test if(DEFINED SONDE_L1D_SIZE).
 *
 * Each comes with a second variable, SONDE_..._ORIGIN, "measured" or "declared". */
#include "report/export_kinds.h"

#include "base/units.h"

static void put_row(const struct sheet_row *row, const struct sheet_value *value,
                    struct text *out)
{
    sonde_base_text_print(out, "# %s; ", row->unit);
    sonde_report_put_comment(out, value->source);
    sonde_base_text_print(out, "\nset(");
    sonde_report_put_macro(out, row->key);
    sonde_base_text_print(out, " \"%s\")\nset(",
                          sonde_report_plain_number(value->value).text);
    sonde_report_put_macro(out, row->key);
    sonde_base_text_print(out, "_ORIGIN \"%s\")\n",
                          sonde_report_origin_name(value->origin));
}

int sonde_report_export_cmake(const struct passport_list *list, struct text *out,
                              struct message *why)
{
    bool any;

    sonde_report_export_head(list, "# ", "", out);
    any = sonde_report_sheet_each(list, out, put_row);
    return sonde_report_export_end(out, any, "cmake", why);
}
