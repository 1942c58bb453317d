/* Probe `fault`: what the first touch of a page costs.
 *
 *   first     memory mapped for the purpose and never touched
 *   recycled  memory that was used and given back to the system
 *   calloc    zeroed memory from the C library
 *   huge      a huge page, recycled
 *   second    pages that are there: the control
 *
 * Each sample but those of the last is one store to one page, and the next goes to the
 * next page: the harness times pages one by one, so that a median and a 90th percentile
 * are those of pages and not of blocks.
 *
 * What can fool it: a page that needs a new table as well (one in 512 does; it is in the
 * tail); a host that backs the memory only when the guest touches it; huge pages that are
 * asked for and not granted, which smaps tells. */
#include "probes/probe.h"

#include "infer/fault.h"

#include <errno.h>
#include <math.h>

enum { VISIT_PAGES = 32, PAGES = 7 * VISIT_PAGES, HUGE_VISIT_PAGES = 2 };

/* Samples that are refused take a page each, and up to three times as many are tried. */
static const uint64_t tries = 3;

static struct point *add_point(struct plan *plan, const char *label, uint64_t page,
                               uint64_t pages)
{
    struct point *point = sonde_measure_plan_point(plan, 0, sonde_kernel_find("put"));

    if (!point)
        return NULL;
    point->label = label;
    point->at[0] = (double)(plan->count - 1);
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK, .pages = PAGES_SMALL, .bytes = pages * page, .zero = true};
    point->argument = page;
    point->samples = PAGES;
    point->per_visit = VISIT_PAGES;
    return point;
}

/* A point of which each sample is the first touch of one page. */
static int add_first(struct plan *plan, const char *label, uint64_t page,
                     enum layout_source source, enum page_kind kind)
{
    unsigned visit = kind == PAGES_HUGE ? HUGE_VISIT_PAGES : VISIT_PAGES;
    struct point *point = add_point(plan, label, page, tries * visit);

    if (!point)
        return -ENOMEM;
    point->layout.pages = kind;
    point->layout.source = source;
    point->layout.cold = source == SOURCE_ARENA;
    point->layout.align = kind == PAGES_HUGE ? page : 0;
    point->layout.advance = true;
    point->count = 1;
    point->per_visit = visit;
    if (kind == PAGES_HUGE)
        point->samples = 14 * HUGE_VISIT_PAGES;
    return 0;
}

static int add_second(struct plan *plan, uint64_t page)
{
    struct point *point = add_point(plan, "second", page, VISIT_PAGES);

    if (!point)
        return -ENOMEM;
    point->count = VISIT_PAGES;
    point->samples = 21;
    point->per_visit = 0;
    return 0;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    static const struct series_plan faults = {.name = "faults",
                                              .axes = {{"memory", "", "category"}},
                                              .axis_count = 1,
                                              .quantity = "time per page",
                                              .unit = "ns",
                                              .statistic = STATISTIC_MEDIAN};
    uint64_t page = context->machine->page_bytes,
             huge = (uint64_t)sonde_probe_huge_bytes(context);
    int error;

    (void)so_far;
    if (stage > 0)
        return 0;
    error = sonde_measure_plan_series(plan, &faults) < 0 ? -ENOMEM : 0;
    if (!error)
        error = add_first(plan, "first", page, SOURCE_FRESH, PAGES_SMALL);
    if (!error)
        error = add_first(plan, "recycled", page, SOURCE_ARENA, PAGES_SMALL);
    if (!error)
        error = add_first(plan, "calloc", page, SOURCE_CALLOC, PAGES_SMALL);
    /* Where small pages are large, a huge one may be more than there is memory for. */
    if (!error && (double)(tries * HUGE_VISIT_PAGES * huge) <= context->memory_bytes)
        error = add_first(plan, "huge", huge, SOURCE_ARENA, PAGES_HUGE);
    if (!error)
        error = add_second(plan, page);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *faults = sonde_measure_series_find(series, "faults");

    if (!faults)
        return -ENODATA;
    return sonde_infer_fault(faults, (double)context->machine->page_bytes,
                             sonde_probe_huge_bytes(context), context->huge_share,
                             findings);
}

const struct probe sonde_probe_fault = {
    .name = "fault",
    .summary = "first touch of new, recycled, zeroed and huge pages",
    .asks = "What does memory cost that was not touched before?",
    .seconds = 0.3,
    .plan = plan,
    .infer = infer,
};
