/* KEY=VALUE lines: what a shell sources, systemd reads as EnvironmentFile= and a
 * container as --env-file. No quotes are needed, since all values are numbers or words,
 * and comments stand on lines of their own, which all three allow. */
#include "report/export_kinds.h"

#include "base/units.h"

static void put_row(const struct sheet_row *row, const struct sheet_value *value,
                    struct text *out)
{
    sonde_base_text_print(out, "# %s; ", row->unit);
    sonde_report_put_comment(out, value->source);
    sonde_base_text_print(out, "\n");
    sonde_report_put_macro(out, row->key);
    sonde_base_text_print(out, "=%s\n", sonde_report_plain_number(value->value).text);
    sonde_report_put_macro(out, row->key);
    sonde_base_text_print(out, "_ORIGIN=%s\n", sonde_report_origin_name(value->origin));
}

int sonde_report_export_env(const struct passport_list *list, struct text *out,
                            struct message *why)
{
    bool any;

    sonde_report_export_head(list, "# ", "", out);
    any = sonde_report_sheet_each(list, out, put_row);
    return sonde_report_export_end(out, any, "an environment", why);
}
