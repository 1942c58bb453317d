/* From findings to verdicts.
 *
 * A passport that is read again goes the same way as one that was just measured: the same
 * inference, the same judgement. What can fool it: a stored passport does not say how
 * much of its memory lay on huge pages, so the granule is inferred without that witness.
 */
#include "probes/verdicts.h"

#include "infer/injected.h"
#include "probes/probe.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Declared and measured sizes agree within this: the grid is an eighth of an octave. */
static const double judge_tolerance = 0.06;

/* What is effective of the last level is held against the declared last level; the first
 * translation level, which serves data alone, is declared as such. */
static const char *declared_name(const struct facts *facts, const char *name)
{
    if (strcmp(name, "tlb.l1.entries") == 0)
        return "dtlb.l1.entries";
    if (strcmp(name, "tlb.huge.entries") == 0)
        return "dtlb.l1.entries_2m";
    if (strcmp(name, "llc.effective") != 0)
        return name;
    if (sonde_machine_declared(facts, "l4.size").value > 0)
        return "l4.size";
    return sonde_machine_declared(facts, "l3.size").value > 0 ? "l3.size" : "l2.size";
}

/* Under an emulator times are the emulator's: every conclusion about hardware is refused.
 */
static void refuse(struct finding *finding, const char *emulation)
{
    finding->value = finding->low = finding->high = finding->confidence = NAN;
    finding->verdict = VERDICT_NOT_MEASURABLE;
    free(finding->text);
    finding->text = NULL;
    sonde_infer_explain(finding, "emulated (%s): this would describe the emulator",
                        emulation);
}

void sonde_probe_judge(const struct passport *passport, struct findings *findings)
{
    const struct facts *facts = &passport->facts;
    const char *emulation = passport->environment.emulation;

    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->rows[i];
        const char *name = declared_name(facts, finding->name);

        if (emulation)
            refuse(finding, emulation);
        else
            sonde_infer_judge(finding, sonde_machine_declared(facts, name).value,
                              judge_tolerance);
    }
}

/* --- a stored passport -----------------------------------------------------------------
 */

static struct probe_result *result_of(struct passport *passport, const char *name)
{
    for (size_t i = 0; i < passport->probe_count; i++)
        if (passport->probes[i].name && strcmp(passport->probes[i].name, name) == 0)
            return &passport->probes[i];
    return NULL;
}

/* A granule is told in pages; without the size of a page there is none. */
static void forget_granule(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->rows[i];

        if (strcmp(finding->name, "page.granule") != 0)
            continue;
        finding->value = finding->low = finding->high = finding->confidence = NAN;
        finding->verdict = VERDICT_NOT_MEASURABLE;
        sonde_infer_explain(finding, "the file does not say how large a page is");
    }
}

static int reconsider(struct passport *passport, const struct probe *probe,
                      struct probe_result *result)
{
    double page_bytes = passport->machine.page_bytes;
    bool page_known = page_bytes >= 1 && page_bytes <= 0x1p40;
    struct machine machine = {.page_bytes = page_known ? (size_t)page_bytes : 0};
    struct findings fresh = {0};
    struct probe_context context = {
        .machine = &machine,
        .facts = &passport->facts,
        .passport = passport,
        .effort = {EFFORT_DEFAULT, 1},
        .memory_bytes = INFINITY,
        .huge_share = NAN,
        .seed = 1,
    };
    int error = probe->infer(&context, &result->series, &fresh);

    if (error == -ENODATA) /* nothing to infer from: what it has stays */
        error = 0;
    else if (!error) {
        if (!page_known)
            forget_granule(&fresh);
        sonde_probe_judge(passport, &fresh);
        sonde_infer_findings_free(&result->findings);
        result->findings = fresh;
        return 0;
    }
    sonde_infer_findings_free(&fresh);
    return error;
}

int sonde_probe_reconsider(struct passport *passport)
{
    /* In the order of a run: the ladder reads what the conflicts found. */
    static const char *const names[] = {"ways",   "latency", "mountain",
                                        "stride", "layout",  "c2c"};
    struct probe_result *loaded = result_of(passport, "loaded");
    int error = 0;

    for (size_t i = 0; !error && i < sizeof names / sizeof names[0]; i++) {
        struct probe_result *result = result_of(passport, names[i]);
        const struct probe *probe = sonde_probe_find(names[i]);

        /* Those that need more than their series are inferred only where nothing is. */
        if (strcmp(names[i], "c2c") == 0 && result && result->findings.count)
            continue;
        if (result && probe && result->series.count)
            error = reconsider(passport, probe, result);
    }
    if (!error && loaded && !loaded->findings.count)
        error = sonde_infer_injected(&loaded->series, &loaded->findings);
    return error;
}
