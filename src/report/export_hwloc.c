/* A topology that lstopo -i reads, in hwloc's XML of version 2.
 *
 *     Machine ─ NUMA node
 *       └ L3 ─ L2 ─ L1d ─ core ─ PU     each where a passport knows of it
 *
 * The CPUs are those the program was allowed; which of them share a level is what the
 * machine declares from the CPU measured on, tiled over the CPUs of its kind where that
 * comes out even. Sizes and ways are measured where they were, else declared; the
 * attributes Sonde... of each object say which. Latency and bandwidth of memory are
 * hwloc's memory attributes, and what a line takes between CPUs is a matrix of distances,
 * in picoseconds, since hwloc has whole numbers alone. */
#include "report/export_kinds.h"

#include "report/hwloc_tree.h"
#include "report/terminal_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The words of a bitmap, the highest first: "0x00000001,0x0000000f". */
static void put_set(struct text *out, const char *key, const struct cpulist *set)
{
    unsigned highest = 0;

    for (int cpu = sonde_base_cpulist_next(set, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(set, (unsigned)cpu + 1))
        highest = (unsigned)cpu;
    sonde_base_text_print(out, " %s=\"", key);
    for (unsigned word = highest / 32 + 1; word-- > 0;) {
        unsigned long bits = 0;

        for (unsigned bit = 0; bit < 32; bit++)
            if (sonde_base_cpulist_has(set, 32 * word + bit))
                bits |= 1ul << bit;
        sonde_base_text_print(out, "0x%08lx%s", bits, word ? "," : "");
    }
    sonde_base_text_print(out, "\"");
}

static void put_info(struct text *out, const char *name, const char *value)
{
    sonde_base_text_print(out, "<info name=\"");
    sonde_report_put_xml(out, name);
    sonde_base_text_print(out, "\" value=\"");
    sonde_report_put_xml(out, value);
    sonde_base_text_print(out, "\"/>\n");
}

/* Every finding of a level, as an attribute of its object: "SondeMeasured latency". */
static void put_findings(struct text *out, const struct passport *passport,
                         const char *prefix)
{
    char name[96];

    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t i = 0; i < passport->probes[p].findings.count; i++) {
            const struct finding *finding = &passport->probes[p].findings.rows[i];

            if (!finding->name || strncmp(finding->name, prefix, strlen(prefix)) != 0 ||
                sonde_passport_finding(passport, finding->name) != finding ||
                !sonde_report_known(finding))
                continue;
            snprintf(name, sizeof name, "SondeMeasured %.60s",
                     finding->name + strlen(prefix));
            put_info(out, name, sonde_report_value(finding).text);
        }
}

static void put_declared(struct text *out, const struct passport *passport,
                         const char *level, const char *what, const char *unit)
{
    char name[48];
    struct declaration found;

    snprintf(name, sizeof name, "%s.%s", level, what);
    found = sonde_machine_declared(&passport->facts, name);
    if (!isfinite(found.value))
        return;
    snprintf(name, sizeof name, "SondeDeclared %s%s", what,
             found.implausible ? " (implausible)" : "");
    put_info(out, name, sonde_report_number(found.value, unit).text);
}

struct writer {
    struct text *out;
    const struct passport_list *list;
    const struct hwloc_tree *tree;
    unsigned long next_index; /* gp_index, unique in the file */
};

static void open_object(struct writer *writer, const char *type, int os_index,
                        const struct cpulist *set)
{
    struct text *out = writer->out;

    sonde_base_text_print(out, "<object type=\"%s\"", type);
    if (os_index >= 0)
        sonde_base_text_print(out, " os_index=\"%d\"", os_index);
    put_set(out, "cpuset", set);
    put_set(out, "complete_cpuset", set);
    sonde_base_text_print(out,
                          " nodeset=\"0x00000001\" complete_nodeset=\"0x00000001\""
                          " gp_index=\"%lu\"",
                          ++writer->next_index);
}

static void put_cache(struct writer *writer, const struct hwloc_group *group)
{
    static const char *const names[] = {"L1Cache", "L2Cache", "L3Cache", "L4Cache"};
    const struct passport *passport = &writer->list->rows[group->passport];
    struct text *out = writer->out;
    const struct hwloc_level *level = &group->level;

    open_object(writer, names[level->depth - 1], -1, &group->cpus);
    sonde_base_text_print(out,
                          " cache_size=\"%.0f\" depth=\"%u\" cache_linesize=\"%.0f\" "
                          "cache_associativity=\"%.0f\" cache_type=\"%d\">\n",
                          level->size, level->depth,
                          isfinite(level->line) ? level->line : 0,
                          isfinite(level->ways) ? level->ways : 0, level->depth == 1);
    put_info(out, "SondeSize", level->source);
    put_declared(out, passport, level->declared, "size", "bytes");
    put_declared(out, passport, level->declared, "ways", "count");
    put_findings(out, passport, level->measured);
}

static void put_children(struct writer *writer, unsigned depth,
                         const struct cpulist *set);

static void put_group(struct writer *writer, const struct hwloc_group *group)
{
    if (group->level.depth) {
        put_cache(writer, group);
    } else {
        open_object(writer, "Core", sonde_base_cpulist_next(&group->cpus, 0),
                    &group->cpus);
        sonde_base_text_print(writer->out, ">\n");
        if (writer->list->rows[group->passport].vantage.kind)
            put_info(writer->out, "SondeKind",
                     writer->list->rows[group->passport].vantage.kind);
    }
    put_children(writer, group->level.depth, &group->cpus);
    sonde_base_text_print(writer->out, "</object>\n");
}

static void put_pu(struct writer *writer, unsigned cpu)
{
    struct cpulist one = {0};

    if (sonde_base_cpulist_add(&one, cpu))
        writer->out->failed = true;
    open_object(writer, "PU", (int)cpu, &one);
    sonde_base_text_print(writer->out, "/>\n");
    sonde_base_cpulist_free(&one);
}

/* Below an object of `depth` (5: the machine, 0: a core), in the order of CPUs: for each
 * CPU that is not yet below a child, the outermost group that holds it. */
static void put_children(struct writer *writer, unsigned depth, const struct cpulist *set)
{
    for (int cpu = sonde_base_cpulist_next(set, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(set, (unsigned)cpu + 1)) {
        const struct hwloc_group *group =
            sonde_report_hwloc_outermost(writer->tree, (unsigned)cpu, depth);

        if (!group)
            put_pu(writer, (unsigned)cpu);
        else if (sonde_base_cpulist_next(&group->cpus, 0) == cpu)
            put_group(writer, group);
    }
}

/* --- memory and distances -------------------------------------------------------------
 */

static void put_node(struct writer *writer)
{
    const struct passport *passport = &writer->list->rows[0];
    double bytes = isfinite(passport->machine.memory_installed)
                       ? passport->machine.memory_installed
                       : passport->machine.memory_granted;

    open_object(writer, "NUMANode", 0, &writer->tree->cpus);
    if (isfinite(bytes))
        sonde_base_text_print(writer->out, " local_memory=\"%.0f\"", floor(bytes));
    sonde_base_text_print(writer->out, ">\n");
    for (size_t i = 0; i < writer->list->count; i++)
        if (i == 0 || writer->list->rows[i].vantage.kind)
            put_findings(writer->out, &writer->list->rows[i], "memory.");
    sonde_base_text_print(writer->out, "</object>\n");
}

/* The largest rate of memory among the findings, bytes per second; NaN: none. */
static double bandwidth_of(const struct passport *passport)
{
    double best = NAN;

    for (size_t p = 0; p < passport->probe_count; p++)
        for (size_t i = 0; i < passport->probes[p].findings.count; i++) {
            const struct finding *finding = &passport->probes[p].findings.rows[i];

            if (finding->name && strncmp(finding->name, "memory.", 7) == 0 &&
                finding->unit && strcmp(finding->unit, "bytes/s") == 0)
                best = fmax(best, finding->value);
        }
    return best;
}

static void put_attribute(struct writer *writer, const char *name, unsigned flags,
                          double value)
{
    if (!(value >= 1) || value > 1e15)
        return;
    sonde_base_text_print(writer->out,
                          "<memattr name=\"%s\" flags=\"%u\">\n<memattr_value "
                          "target_obj_type=\"NUMANode\" target_obj_gp_index=\"2\" "
                          "value=\"%.0f\"",
                          name, flags, value);
    put_set(writer->out, "initiator_cpuset", &writer->tree->kind);
    sonde_base_text_print(writer->out, "/>\n</memattr>\n");
}

/* "3 5 8 " with the length hwloc wants beside it, ten to an element. */
static void put_array(struct text *out, const char *element, const double *values,
                      size_t count)
{
    for (size_t start = 0; start < count; start += 10) {
        struct text line = {0};

        for (size_t i = start; i < count && i < start + 10; i++)
            sonde_base_text_print(&line, "%.0f ", values[i]);
        sonde_base_text_print(out, "<%s length=\"%zu\">%s</%s>\n", element, line.length,
                              line.data ? line.data : "", element);
        out->failed = out->failed || line.failed;
        sonde_base_text_free(&line);
    }
}

static void put_distances(struct writer *writer)
{
    struct hwloc_matrix matrix;

    if (sonde_report_hwloc_matrix(writer->list, &matrix)) {
        writer->out->failed = true;
        return;
    }
    if (matrix.count > 1) {
        /* kind: given by a user, and a latency. */
        sonde_base_text_print(writer->out,
                              "<distances2 type=\"PU\" nbobjs=\"%zu\" kind=\"6\" "
                              "name=\"SondeCoreToCorePicoseconds\" indexing=\"os\">\n",
                              matrix.count);
        put_array(writer->out, "indexes", matrix.cpus, matrix.count);
        put_array(writer->out, "u64values", matrix.values, matrix.count * matrix.count);
        sonde_base_text_print(writer->out, "</distances2>\n");
    }
    sonde_report_hwloc_matrix_free(&matrix);
}

static void put_topology(struct writer *writer)
{
    struct text *out = writer->out;
    const struct passport *passport = &writer->list->rows[0];
    const struct finding *latency = sonde_passport_finding(passport, "memory.latency");

    sonde_base_text_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
                               "<topology version=\"2.0\">\n");
    open_object(writer, "Machine", 0, &writer->tree->cpus);
    put_set(out, "allowed_cpuset", &writer->tree->cpus);
    sonde_base_text_print(out, " allowed_nodeset=\"0x00000001\">\n");
    put_info(out, "Backend", "sonde");
    if (passport->machine.host)
        put_info(out, "HostName", passport->machine.host);
    if (passport->machine.model)
        put_info(out, "CPUModel", passport->machine.model);
    if (passport->tool.version)
        put_info(out, "SondeVersion", passport->tool.version);
    put_findings(out, passport, "c2c.");
    put_node(writer);
    put_children(writer, HWLOC_DEPTH_MACHINE, &writer->tree->cpus);
    sonde_base_text_print(out, "</object>\n");
    put_distances(writer);
    sonde_base_text_print(out, "<support name=\"discovery.pu\"/>\n");
    /* hwloc's unit of bandwidth is MiB/s; flags: 1 higher is better, 2 lower, 4 needs an
     * initiator. */
    put_attribute(writer, "Bandwidth", 5, bandwidth_of(passport) / (1024 * 1024));
    put_attribute(writer, "Latency", 6, latency ? round(latency->value) : NAN);
    sonde_base_text_print(out, "</topology>\n");
}

int sonde_report_export_hwloc(const struct passport_list *list, struct text *out,
                              struct message *why)
{
    struct hwloc_tree tree = {0};
    struct writer writer = {out, list, &tree, 0};
    int error = list->count ? sonde_report_hwloc_tree(list, &tree) : -ENODATA;

    if (!error)
        put_topology(&writer);
    sonde_report_hwloc_tree_free(&tree);
    if (error == -ENODATA)
        return sonde_base_fail(why, error,
                               "the passport does not say which CPUs there are");
    if (error)
        return sonde_base_fail(why, error, "out of memory for the topology");
    return sonde_report_export_end(out, true, "hwloc", why);
}
