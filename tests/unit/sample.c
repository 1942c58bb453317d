/* The passports the tests share; the figures are those of a machine that exists nowhere.
 */
#include "sample.h"

#include "base/text.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    char *out = sonde_base_copy(text);

    if (text && !out)
        abort();
    return out;
}

static void put_head(struct passport *passport, const char *kind)
{
    passport->tool = (struct passport_tool){
        .version = copy("0.1.0"),
        .compiler = copy("gcc 12.2.0"),
        .flags = copy("release"),
        .isa = copy("x86_64"),
        .features = copy("sse2 avx2"),
    };
    passport->machine = (struct passport_machine){
        .host = copy("sample"),
        .date = copy("2024-02-29T12:00:00Z"),
        .kernel = copy("Linux 6.1.0"),
        .model = copy("Example Core 9000"),
        .allowed = copy("0-1"),
        .online = copy("0-1"),
        .possible = copy("0-7"),
        .cpus_allowed = 2,
        .cpus_online = 2,
        .memory_installed = 25232932864.0,
        .memory_available = 9007199254740991.0, /* 2^53 - 1 must come back exactly */
        .memory_granted = NAN,
        .memory_granted_by = copy("cgroup /a/b (v1)"),
        .page_bytes = 4096,
    };
    passport->vantage = (struct passport_vantage){
        .cpu = kind && strcmp(kind, "efficient") == 0 ? 4 : 0,
        .kind = copy(kind),
        .cpus = copy("0-1"),
    };
    passport->environment = (struct passport_environment){
        .virtualization = copy("firecracker"),
        .clock_source = copy("tsc"),
        .thp = copy("madvise"),
        .counters = copy("ENOENT: no hardware counters"),
        .load1 = 0.1,
        .core_hz = 3.69e9,
        .core_hz_low = 3.66e9,
        .core_hz_high = 3.73e9,
        .lost_share = 0.105,
        .timer = copy("tsc"),
        .timer_step_ns = 10,
        .timer_cost_ns = 28,
        .pages = copy("100 % of the measured memory on huge pages by smaps"),
    };
}

static void put_facts(struct facts *facts)
{
    sonde_machine_fact_number(facts, "l1d.size", "cpuid.0x8000001d", "cpuid", "bytes",
                              49152);
    sonde_machine_fact_number(facts, "l1d.ways", "cpuid.0x8000001d", "cpuid", "count",
                              12);
    sonde_machine_fact_number(facts, "l2.size", "cpuid.0x80000006", "cpuid", "bytes",
                              1048576);
    sonde_machine_fact_number(facts, "l2.ways", "cpuid.0x80000006", "cpuid", "count", 8);
    sonde_machine_fact_doubt(sonde_machine_fact_number(facts, "l3.size",
                                                       "cpuid.0x80000006", "cpuid",
                                                       "bytes", 508.0 * 1024 * 1024),
                             "no part has one of that size");
    sonde_machine_fact_unknown(facts, "l3.ways", "sysfs", NULL, "count", "absent");
    sonde_machine_fact_text(facts, "cpu.brand", "cpuid.0x80000002", "cpuid",
                            "Example Core 9000");
}

struct plain {
    const char *name, *unit;
    double value, low, high, confidence, declared;
    enum verdict verdict;
    const char *reason;
};

static void put_findings(struct findings *findings, const struct plain *rows,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct plain *row = &rows[i];
        struct finding *finding =
            sonde_infer_find(findings, row->name, row->unit, row->value, row->low,
                             row->high, row->confidence, "made up for a test");

        finding->declared = row->declared;
        finding->verdict = row->verdict;
        if (row->reason)
            sonde_infer_explain(finding, "%s", row->reason);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void put_clock(struct passport *passport)
{
    static const struct plain rows[] = {
        {"clock.core_hz", "hz", 3.69e9, 3.66e9, 3.73e9, 1, NAN, VERDICT_UNDECLARED, NULL},
        {"clock.drift", "ratio", 0.02, NAN, NAN, NAN, NAN, VERDICT_UNDECLARED, NULL},
        {"clock.step", "ns", 10, NAN, NAN, NAN, NAN, VERDICT_UNDECLARED, NULL},
        {"clock.read_cost", "ns", 28, NAN, NAN, NAN, NAN, VERDICT_UNDECLARED, NULL},
        {"clock.tick_hz", "hz", 2.1e9, 2.0999e9, 2.1001e9, 1, NAN, VERDICT_UNDECLARED,
         NULL},
        {"clock.lost_share", "ratio", 0.105, NAN, NAN, NAN, NAN, VERDICT_UNDECLARED,
         NULL},
    };
    struct findings *findings = &sonde_passport_probe_add(passport, "clock")->findings;
    struct finding *timer;

    put_findings(findings, rows, COUNT(rows));
    timer = sonde_infer_find(findings, "clock.timer", "", NAN, NAN, NAN, 1, "chosen");
    timer->text = copy("tsc");
    sonde_infer_control(findings, true, "a multiply takes a whole number of adds",
                        "within 1 %", "%.3f", 3.0);
}

static void put_traps(struct passport *passport)
{
    static const struct plain rows[] = {
        {"traps.deleted_work", "ratio", 1e6, NAN, NAN, NAN, NAN, VERDICT_UNDECLARED,
         NULL},
        {"traps.first_round", "ratio", 443, 393, 478, NAN, NAN, VERDICT_UNDECLARED, NULL},
        {"traps.mean_error", "ratio", 1.03, NAN, NAN, NAN, NAN, VERDICT_UNDECLARED, NULL},
    };

    put_findings(&sonde_passport_probe_add(passport, "traps")->findings, rows,
                 COUNT(rows));
}

static const struct plain ladder[] = {
    {"l1d.size", "bytes", 49152, 49152, 49152, 0.97, 49152, VERDICT_AGREES, NULL},
    {"l1d.ways", "count", 12, 12, 12, 1, 12, VERDICT_AGREES, NULL},
    {"l1d.latency", "ns", 1.0841, 1.08, 1.09, 1, NAN, VERDICT_UNDECLARED, NULL},
    {"l1d.latency_cycles", "cycles", 4.0002, 3.99, 4.01, 1, NAN, VERDICT_UNDECLARED,
     NULL},
    {"l2.size", "bytes", 1020000, 960000, 1130000, 0.9, 1048576, VERDICT_AGREES, NULL},
    {"l2.ways", "count", 16, 16, 16, 0.8, 8, VERDICT_CONTRADICTS,
     "40 groups of lines, 9 of 10 alike"},
    {"l2.latency", "ns", 3.79, 3.7, 3.9, 1, NAN, VERDICT_UNDECLARED, NULL},
    {"l2.latency_cycles", "cycles", 14.02, 13.9, 14.1, 1, NAN, VERDICT_UNDECLARED, NULL},
    {"llc.effective", "bytes", NAN, 4194304, 6291456, 0.6, 532676608, VERDICT_CONTRADICTS,
     "a range: what others leave of a shared level moves"},
    {"llc.latency", "ns", 15, 14, 17, 0.9, NAN, VERDICT_UNDECLARED, NULL},
    {"llc.latency_cycles", "cycles", 55.1, 53, 60, 0.9, NAN, VERDICT_UNDECLARED, NULL},
    {"memory.latency", "ns", 141, 138, 150, 0.9, NAN, VERDICT_UNDECLARED, NULL},
    {"memory.latency_cycles", "cycles", 520.4, 510, 550, 0.9, NAN, VERDICT_UNDECLARED,
     NULL},
    {"page.granule", "bytes", 4096, 4096, 4096, 0.9, NAN, VERDICT_UNDECLARED,
     "granted as huge, not huge below"},
    {"line.size", "bytes", 64, 64, 64, 1, 64, VERDICT_AGREES, NULL},
};

static void put_points(struct series *series)
{
    series->axis_count = 1;
    series->axes[0] = (struct axis){"size", "bytes", "log2"};
    series->quantity = "latency";
    series->unit = "ns";
    series->statistic = STATISTIC_MEDIAN;
    for (unsigned i = 0; i < 3; i++) {
        struct series_point *point = sonde_measure_point_add(series);

        point->at[0] = 4096 << i;
        if (i == 2) { /* never measured */
            point->flags = POINT_UNREACHED | POINT_CUT;
            continue;
        }
        point->n = 12;
        point->rejected = i ? 5 : 0;
        point->apart = i ? 2 : 0;
        point->samples = calloc(point->n, sizeof *point->samples);
        for (unsigned s = 0; s < point->n; s++)
            point->samples[s] = (struct sample){
                .value = 1 + (s % 5) / 10.0,
                .cycles = i == 0 ? 3.7 + (s % 5) / 3.0 : NAN,
                .round = s / 3,
            };
        sonde_measure_summarise(point, series->statistic);
    }
    for (unsigned bit = 0; sonde_measure_flag_name(bit); bit++)
        series->points[1].flags |= 1u << bit;
    series->points[1].label = copy("a remark");
}

static void put_ladder(struct passport *passport)
{
    struct probe_result *probe = sonde_passport_probe_add(passport, "latency");

    probe->seconds = 6.25;
    put_points(sonde_measure_series_add(&probe->series, "windowed"));
    put_findings(&probe->findings, ladder, COUNT(ladder));
    sonde_infer_control(&probe->findings, false, "the same walk at twice the stride",
                        "the boundary lies at the same bytes",
                        "boundary at %d KiB is 0.51 octaves off", 2511);
    sonde_infer_control(&probe->findings, false, "the same walk at twice the stride",
                        "the boundary lies at the same bytes",
                        "boundary at %d KiB is 1.59 octaves off", 10780);
}

/* A smaller and slower first level; all else alike. */
static void make_little(struct passport *passport)
{
    struct findings *findings = &passport->probes[passport->probe_count - 1].findings;

    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->rows[i];

        if (strcmp(finding->name, "l1d.size") == 0) {
            finding->value = finding->low = finding->high = 32768;
            finding->verdict = VERDICT_CONTRADICTS;
        }
        if (strcmp(finding->name, "l1d.latency") == 0)
            finding->value = 2;
    }
}

struct passport *sample_full(struct passport_list *list, const char *kind)
{
    struct passport *passport = sonde_passport_add(list);
    struct probe_result *probe;

    put_head(passport, kind);
    put_facts(&passport->facts);
    put_clock(passport);
    put_traps(passport);
    put_ladder(passport);
    if (kind && strcmp(kind, "efficient") == 0)
        make_little(passport);
    probe = sonde_passport_probe_add(passport, "mountain");
    probe->status = PROBE_PARTIAL;
    probe->reason = copy("interrupted");
    probe->remedy = copy("run it again");
    sonde_passport_warn(
        passport, "virtual-machine",
        "believe what is measured; caches may be shared with neighbours",
        "a virtual machine: what it declares is what its host chose to say");
    return passport;
}

struct passport *sample_unmeasured(struct passport_list *list)
{
    struct passport *passport = sonde_passport_add(list);
    struct findings *findings;

    passport->tool.version = copy("0.1.0");
    findings = &sonde_passport_probe_add(passport, "latency")->findings;
    for (size_t i = 0; i < COUNT(ladder); i++)
        sonde_infer_give_up(findings, ladder[i].name, ladder[i].unit, "%s",
                            i % 2
                                ? "the curve still rises at its end, 262144 KiB; no more "
                                  "memory was granted"
                                : "11 usable points; levels need more");
    sonde_passport_probe_add(passport, "counters")->status = PROBE_UNAVAILABLE;
    return passport;
}

struct passport *sample_hostile(struct passport_list *list)
{
    static const char nasty[] =
        "\x1b[31mred\a\r\nnext\t\"quoted\\\" </script> "
        "\xff\xfe \xc0\x80 \xe2\x80\xae"
        "evil \xed\xa0\x80 \xf0\x9f\x92\xa9 \xe6\xbc\xa2\xe5\xad\x97 "
        "e\xcc\x81\x7f";
    struct passport *passport = sonde_passport_add(list);
    struct probe_result *probe;
    char *longest = malloc(1001);
    struct finding *finding;

    memset(longest, 'w', 1000);
    longest[1000] = '\0';
    passport->tool.version = copy("0.1.0");
    passport->machine.host = copy(nasty);
    passport->machine.model = copy(nasty);
    passport->environment.virtualization = copy(longest);
    passport->environment.pages = copy(longest);
    sonde_machine_fact_text(&passport->facts, nasty, nasty, NULL, nasty);
    sonde_passport_warn(passport, nasty, nasty, "%s", longest);
    probe = sonde_passport_probe_add(passport, "latency");
    probe->status = PROBE_FAILED;
    probe->reason = copy(nasty);
    probe->remedy = longest;
    finding =
        sonde_infer_find(&probe->findings, "odd.text", "", NAN, NAN, NAN, NAN, nasty);
    finding->text = copy(nasty);
    sonde_infer_give_up(&probe->findings, "odd.gap", "ns", "%s", nasty);
    sonde_infer_find(&probe->findings, "twice", "bytes/s", 1e300, -1e300, INFINITY, NAN,
                     NULL);
    sonde_infer_find(&probe->findings, "twice", "ns", 5e-324, NAN, NAN, 0.5, NULL);
    sonde_infer_control(&probe->findings, false, nasty, longest, "%s", nasty);
    return passport;
}
