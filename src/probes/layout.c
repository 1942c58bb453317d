/* Probe `layout`: an array of structures against arrays of their fields.
 *
 * Elements of eight words, as structures of 64 bytes or as eight arrays. Whoever wants
 * one field of all elements is better off with its own array, of which a line holds
 * several; whoever wants all fields of elements here and there is better off with
 * structures, which are a line each. Both are measured, by the same loops on the same
 * numbers:
 *
 *   one_field   one word of each element, in order
 *   all_fields  all words of each, in order and in a fixed random order
 *
 * What can fool it: elements that fit a cache (the smallest number does so on purpose:
 * the control), and arrays that are a power of two apart, whose equal places share a set
 * (they are padded). */
#include "probes/probe.h"

#include "infer/layout.h"
#include "kernels/fields.h"

#include <errno.h>
#include <math.h>

/* As powers of two: 16 KiB of structures, which any first level holds, and 32 MiB. */
static const unsigned elements_near = 8, elements_far = 19;
static const uint64_t word_bytes = 8;
/* Steps of a sample where elements are far: enough that the few which predicting it loads
 * do not count. */
static const uint64_t far_steps = 8192;

static const char *const forms[] = {
    [FORM_STRUCTURES] = "structures", [FORM_ARRAYS] = "arrays"};

static uint64_t bytes_of(unsigned power, enum layout_form form)
{
    uint64_t elements = UINT64_C(1) << power;
    uint64_t pads = form == FORM_ARRAYS ? FIELDS_COUNT - 1 : 0;

    return elements * FIELDS_COUNT * word_bytes + pads * FIELDS_PAD;
}

static int add_one(struct plan *plan, unsigned series, unsigned power,
                   enum layout_form form)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find("stride_words"));
    uint64_t elements = UINT64_C(1) << power;
    uint64_t stride = form == FORM_ARRAYS ? word_bytes : FIELDS_COUNT * word_bytes;

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .pages = PAGES_HUGE,
        .bytes = elements * stride,
        .pitch = stride,
        .pass = elements,
        .content = CONTENT_TILED,
    };
    point->argument = elements << 32 | stride;
    point->at[0] = (double)elements;
    point->at[1] = form;
    point->label = forms[form];
    return 0;
}

static int add_all(struct plan *plan, unsigned series, unsigned power,
                   enum layout_form form, enum layout_visit visit)
{
    struct point *point =
        sonde_measure_plan_point(plan, series, sonde_kernel_find("fields"));
    uint64_t elements = UINT64_C(1) << power;

    if (!point)
        return -ENOMEM;
    point->layout = (struct layout){
        .kind = LAYOUT_BLOCK,
        .pages = PAGES_HUGE,
        .bytes = bytes_of(power, form),
        .pass = elements,
        .warm = elements / 8,
        .content = CONTENT_TILED,
    };
    point->options = POINT_NUMBERED;
    point->argument = power | (form == FORM_ARRAYS ? FIELDS_ARRAYS : 0) |
                      (visit == VISIT_SCATTERED ? FIELDS_SCATTERED : 0);
    point->count = far_steps;
    point->at[0] = (double)elements;
    point->at[1] = form;
    point->at[2] = visit;
    point->label = forms[form];
    return 0;
}

static int add_series(struct plan *plan, const char *name, const char *quantity,
                      unsigned axes)
{
    struct series_plan series = {
        .name = name,
        .axes = {{"elements", "count", "log2"},
                 {"form", "", "category"},
                 {"scattered", "", "category"}},
        .axis_count = axes,
        .place_names = {NULL, "structures|arrays", "in order|scattered"},
        .quantity = quantity,
        .unit = "ns",
        .statistic = STATISTIC_Q25,
    };

    return sonde_measure_plan_series(plan, &series);
}

static int add_elements(struct plan *plan, unsigned one, unsigned all, unsigned power)
{
    int error = 0;

    for (int form = FORM_STRUCTURES; form <= FORM_ARRAYS && !error; form++) {
        error = add_one(plan, one, power, (enum layout_form)form);
        for (int visit = VISIT_IN_ORDER; visit <= VISIT_SCATTERED && !error; visit++)
            error = add_all(plan, all, power, (enum layout_form)form,
                            (enum layout_visit)visit);
    }
    return error;
}

static int plan(const struct probe_context *context, unsigned stage,
                const struct series_list *so_far, struct plan *plan, struct message *why)
{
    unsigned far = elements_far;
    int one, all, error = 0;

    (void)so_far;
    if (stage > 0)
        return 0;
    while (far > elements_near &&
           (double)bytes_of(far, FORM_ARRAYS) > context->memory_bytes)
        far--;
    one = add_series(plan, "one_field", "cost of one field of an element", 2);
    all = add_series(plan, "all_fields", "cost of all fields of an element", 3);
    error = one < 0 ? one : all < 0 ? all : 0;
    if (!error)
        error = add_elements(plan, (unsigned)one, (unsigned)all, elements_near);
    if (!error && far > elements_near)
        error = add_elements(plan, (unsigned)one, (unsigned)all, far);
    return error ? sonde_base_fail(why, error, "out of memory for the plan") : 0;
}

static int infer(const struct probe_context *context, const struct series_list *series,
                 struct findings *findings)
{
    const struct series *one = sonde_measure_series_find(series, "one_field");
    const struct series *all = sonde_measure_series_find(series, "all_fields");

    if (!one || !all)
        return -ENODATA;
    return sonde_infer_layout(one, all, (double)(FIELDS_COUNT * word_bytes),
                              (double)word_bytes, sonde_probe_line_bytes(context),
                              findings);
}

const struct probe sonde_probe_layout = {
    .name = "layout",
    .summary = "structures against arrays: one field of all, all fields of some",
    .asks = "How should data that is used together lie in memory?",
    .seconds = 1.5,
    .plan = plan,
    .infer = infer,
};
