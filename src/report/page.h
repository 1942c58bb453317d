/* The page: passports as one HTML file that needs nothing else. */
#ifndef SONDE_REPORT_PAGE_H
#define SONDE_REPORT_PAGE_H

#include "base/text.h"
#include "passport/passport.h"

#include <stdbool.h>
#include <stddef.h>

/* What the page says of a probe above its figures. */
struct page_probe {
    const char *name, *summary, *asks;
};

struct page_options {
    const struct page_probe *probes;
    size_t probe_count;
    /* Where each passport came from, as many as there are passports; NULL: not said. */
    const char *const *sources;
};

/* Was the template of the page built in? */
bool sonde_report_page_available(void);
/* Appends the page to `out`. 0, -ENOSYS when the template was not built in, -ENOMEM; all
 * with one line. */
int sonde_report_page(const struct passport_list *list,
                      const struct page_options *options, struct text *out,
                      struct message *why);

#endif
