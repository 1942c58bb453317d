/* A draft of a machine file for Kerncraft, whose performance models want caches, clocks
 * and transfers.
 *
 * What a passport knows is filled in, with a comment that says whether it was measured;
 * what it cannot know is marked INFORMATION_REQUIRED, the mark Kerncraft's own generator
 * leaves, so that Kerncraft refuses the file until a person has filled the gaps. Of
 * several kinds of core the first is taken. */
#include "report/export_kinds.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

#define GAP "INFORMATION_REQUIRED"

/* A YAML scalar in double quotes. */
static void put_quoted(struct text *out, const char *word)
{
    sonde_base_text_print(out, "\"");
    sonde_report_put_comment(out, word ? word : GAP);
    sonde_base_text_print(out, "\"");
}

static void put_source(struct text *out, const struct sheet_value *value)
{
    sonde_base_text_print(out, "  # ");
    sonde_report_put_comment(out, isfinite(value->value) ? value->source : "not known");
    sonde_base_text_print(out, "\n");
}

static void put_number(struct text *out, const char *key, const struct sheet_value *value,
                       double divisor, const char *unit)
{
    sonde_base_text_print(out, "%s: ", key);
    if (isfinite(value->value))
        sonde_base_text_print(
            out, "%s%s", sonde_report_plain_number(value->value / divisor).text, unit);
    else
        sonde_base_text_print(out, GAP);
    put_source(out, value);
}

struct cache_rows {
    const char *level, *load_from, *store_to, *size, *ways, *cycles;
};

static void put_cache(struct text *out, const struct passport_list *list,
                      const struct cache_rows *rows)
{
    struct sheet_value size = sonde_report_sheet_find(list, rows->size);
    struct sheet_value ways = sonde_report_sheet_find(list, rows->ways);
    struct sheet_value line = sonde_report_sheet_find(list, "line_size");
    struct sheet_value cycles = sonde_report_sheet_find(list, rows->cycles);
    double sets = floor(size.value / (ways.value * line.value));

    sonde_base_text_print(out, "- level: %s\n  size per group: ", rows->level);
    sonde_base_text_print(out, "%s", sonde_report_plain_number(size.value).text);
    sonde_base_text_print(out, " B");
    put_source(out, &size);
    sonde_base_text_print(out, "  cache per group:\n    sets: %s\n",
                          sets >= 1 ? sonde_report_plain_number(sets).text : GAP);
    put_number(out, "    ways", &ways, 1, "");
    put_number(out, "    cl_size", &line, 1, "");
    sonde_base_text_print(out,
                          "    replacement_policy: " GAP "\n    write_allocate: " GAP
                          "\n    write_back: " GAP "\n    load_from: %s\n    store_to: "
                          "%s\n",
                          rows->load_from, rows->store_to);
    put_number(out, "  latency", &cycles, 1, " cy");
    sonde_base_text_print(out, "  cores per group: " GAP "\n  threads per group: " GAP
                               "\n  groups: " GAP "\n  upstream throughput: " GAP
                               "\n  performance counter metrics: " GAP "\n");
}

static void put_memory(struct text *out, const struct passport_list *list)
{
    struct sheet_value cycles = sonde_report_sheet_find(list, "memory_latency_cycles");

    sonde_base_text_print(out, "- level: MEM\n  size per group: null\n");
    put_number(out, "  latency", &cycles, 1, " cy");
    sonde_base_text_print(out, "  cores per group: " GAP "\n  threads per group: " GAP
                               "\n  upstream throughput: " GAP "\n  penalty cycles per "
                               "cacheline: " GAP "\n");
}

/* A machine file is of one kind of core: that of the first passport. */
int sonde_report_export_kerncraft(const struct passport_list *all, struct text *out,
                                  struct message *why)
{
    const struct passport_list first = {all->rows, all->count > 0}, *list = &first;
    struct sheet_value clock = sonde_report_sheet_find(list, "core_hz");
    struct sheet_value line = sonde_report_sheet_find(list, "line_size");
    bool shared = isfinite(sonde_report_sheet_find(list, "l3_size").value),
         second = isfinite(sonde_report_sheet_find(list, "l2_size").value);
    const struct cache_rows rows[] = {
        {"L1", second ? "L2" : "null", second ? "L2" : "null", "l1d_size", "l1d_ways",
         "l1d_latency_cycles"},
        {"L2", shared ? "L3" : "null", shared ? "L3" : "null", "l2_size", "l2_ways",
         "l2_latency_cycles"},
        {"L3", "null", "null", "l3_size", "l3_ways", "llc_latency_cycles"},
    };
    bool any = false;

    sonde_report_export_head(list, "# ", "", out);
    sonde_base_text_print(out, "# A draft: fill in each " GAP ".\n"
                               "kerncraft version: " GAP "\nmodel type: ");
    put_quoted(out, list->count ? list->rows[0].machine.model : NULL);
    sonde_base_text_print(out, "\nmodel name: ");
    put_quoted(out, list->count ? list->rows[0].machine.model : NULL);
    sonde_base_text_print(
        out, "\nsockets: " GAP "\ncores per socket: " GAP "\nthreads per core: " GAP
             "\nNUMA domains per socket: " GAP "\ncores per NUMA domain: " GAP "\n");
    put_number(out, "clock", &clock, 1e9, " GHz");
    put_number(out, "cacheline size", &line, 1, " B");
    sonde_base_text_print(out, "FLOPs per cycle: " GAP "\nmicro-architecture: " GAP
                               "\ncompiler: " GAP "\noverlapping model: " GAP
                               "\nnon-overlapping model: " GAP "\nmemory hierarchy:\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (isfinite(sonde_report_sheet_find(list, rows[i].size).value)) {
            put_cache(out, list, &rows[i]);
            any = true;
        }
    put_memory(out, list);
    sonde_base_text_print(out, "benchmarks: " GAP "\n");
    return sonde_report_export_end(out, any, "kerncraft", why);
}
