/* The table of reports, from reports.def, and the one that needs no file of its own. */
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int write_json(const struct passport_list *list, const struct report_style *style,
                      struct text *out, struct message *why)
{
    char *json = NULL;
    size_t length = 0;
    int rc = sonde_passport_to_json(list, true, &json, &length);

    (void)style;
    if (rc == 0)
        sonde_base_text_append(out, json, length);
    free(json);
    if (rc || out->failed)
        return sonde_base_fail(why, -ENOMEM, "out of memory for the report");
    return 0;
}

static const struct report reports[] = {
#define REPORT(name, function, summary) {#name, summary, function},
#include "report/reports.def"
#undef REPORT
};

const struct report *sonde_reports(size_t *count)
{
    *count = sizeof reports / sizeof reports[0];
    return reports;
}

const struct report *sonde_report_find(const char *name)
{
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (strcmp(reports[i].name, name) == 0)
            return &reports[i];
    return NULL;
}
