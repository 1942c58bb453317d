/* The table of exports, from export.def. */
#include "report/export_kinds.h"

#include <string.h>

static const struct export_kind kinds[] = {
#define EXPORT(function, name, summary) {name, summary, sonde_report_export_##function},
#include "report/export.def"
#undef EXPORT
};

const struct export_kind *sonde_report_exports(size_t *count)
{
    *count = sizeof kinds / sizeof kinds[0];
    return kinds;
}

const struct export_kind *sonde_report_export_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}
