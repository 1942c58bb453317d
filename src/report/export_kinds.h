/* The writers that export.def names, one file each; see struct export_kind. */
#ifndef SONDE_REPORT_EXPORT_KINDS_H
#define SONDE_REPORT_EXPORT_KINDS_H

#include "report/export.h"

#define EXPORT(function, name, summary)                                                  \
    int sonde_report_export_##function(const struct passport_list *list,                 \
                                       struct text *out, struct message *why);
#include "report/export.def"
#undef EXPORT

#endif
