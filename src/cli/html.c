/* Where pages go: what the page says of each probe comes from the probes' descriptors,
 * and whether a page can be written at all is asked before anything is measured. */
#include "cli/cli.h"

#include "probes/probe.h"
#include "report/page.h"

#include <stdlib.h>

int sonde_cli_pages_check(void)
{
    if (sonde_report_page_available())
        return EXIT_DONE;
    sonde_cli_complain(
        "this sonde cannot write pages: it was built without Node.js or the "
        "modules of web/; install them and build again");
    return EXIT_FAILED;
}

static struct page_probe *describe_probes(size_t *count)
{
    const struct probe *const *probes = sonde_probes(count);
    struct page_probe *rows = calloc(*count + 1, sizeof *rows);

    for (size_t i = 0; rows && i < *count; i++)
        rows[i] =
            (struct page_probe){probes[i]->name, probes[i]->summary, probes[i]->asks};
    return rows;
}

int sonde_cli_pages_write(const struct targets *targets, const struct passport_list *list,
                          const char *const *sources)
{
    struct page_options options = {.sources = sources};
    struct page_probe *probes;
    struct message why = {{0}};
    struct text page = {0};
    int status = EXIT_FAILED;

    if (!targets->count)
        return EXIT_DONE;
    probes = describe_probes(&options.probe_count);
    options.probes = probes;
    if (!probes)
        sonde_cli_complain("out of memory for the page");
    else if (sonde_report_page(list, &options, &page, &why))
        sonde_cli_complain("%s", why.text);
    else
        status = sonde_cli_targets_put(targets, page.data, page.length, true);
    free(probes);
    sonde_base_text_free(&page);
    return status;
}
