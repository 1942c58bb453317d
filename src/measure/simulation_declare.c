/* The machine and the facts of a planted machine.
 *
 * What is declared is a list of its own in the model file and is not derived from what is
 * planted: a machine that lies about itself is one of the things to plant. The machine
 * has no date, no sysroot and no load, so that a passport of it depends on the model and
 * the seed alone. */
#include "measure/simulation_declare.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define fault sonde_measure_simulation_fault

/* --- CPUs and kinds of core
 * ---------------------------------------------------------------- */

static void read_cpus(struct sim_reader *reader, struct cpulist *cpus)
{
    struct message why = {{0}};
    char text[256];

    sonde_measure_simulation_text(reader, "cpus", "0", text, sizeof text);
    if (reader->error)
        return;
    if (sonde_base_cpulist_parse(cpus, text, &why))
        fault(reader, "cpus", "\"%s\": %s; give a list such as \"0-3\"", text, why.text);
    else if (!sonde_base_cpulist_count(cpus))
        fault(reader, "cpus", "empty; give a list such as \"0-3\"");
}

/* Kinds hold allowed CPUs, none twice, in the order of their first ones. */
static void check_kind(struct sim_reader *reader, const struct machine *machine,
                       size_t index)
{
    const struct cpulist *cpus = &machine->kinds[index].cpus;
    int first = sonde_base_cpulist_next(cpus, 0);

    for (int cpu = first; cpu >= 0;
         cpu = sonde_base_cpulist_next(cpus, (unsigned)cpu + 1)) {
        if (!sonde_base_cpulist_has(&machine->allowed, (unsigned)cpu))
            fault(reader, "cpus", "CPU %d is not among the machine's; add it to \"cpus\"",
                  cpu);
        for (size_t i = 0; i < index; i++)
            if (sonde_base_cpulist_has(&machine->kinds[i].cpus, (unsigned)cpu))
                fault(reader, "cpus", "CPU %d is of two kinds; list it once", cpu);
    }
    if (index > 0 && first < sonde_base_cpulist_next(&machine->kinds[index - 1].cpus, 0))
        fault(reader, "cpus", "kinds come in the order of their first CPU; swap them");
}

static int read_kinds(struct sim_reader *reader, struct machine *machine)
{
    size_t count = sonde_measure_simulation_count(reader, "kinds");

    machine->kinds = calloc(count ? count : 1, sizeof *machine->kinds);
    if (!machine->kinds)
        return -ENOMEM;
    machine->kind_count = count ? count : 1;
    if (!count)
        return sonde_base_cpulist_copy(&machine->kinds[0].cpus, &machine->allowed);
    for (size_t i = 0; i < count && !reader->error; i++) {
        struct sim_reader outer = *reader;

        if (sonde_measure_simulation_enter_item(reader, "kinds", i)) {
            sonde_measure_simulation_text(reader, "name", NULL, machine->kinds[i].name,
                                          sizeof machine->kinds[i].name);
            read_cpus(reader, &machine->kinds[i].cpus);
            check_kind(reader, machine, i);
        }
        sonde_measure_simulation_leave(reader, &outer);
    }
    return reader->error;
}

/* --- the machine
 * ----------------------------------------------------------------------------- */

static void put(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

static void describe(const struct sim_model *model, struct machine *machine)
{
    *machine = (struct machine){
        .page_bytes = (size_t)model->page_bytes,
        .memory_installed = model->memory.installed_bytes,
        .memory_available = model->memory.bytes,
        .memory_granted = model->memory.bytes,
        .stack_limit = NAN,
        .load1 = NAN,
    };
    put(machine->host, sizeof machine->host, "simulated");
    put(machine->model, sizeof machine->model, model->cpu);
    put(machine->memory_granted_by, sizeof machine->memory_granted_by, "the model");
    put(machine->virtualization, sizeof machine->virtualization, model->virtualization);
    put(machine->emulation, sizeof machine->emulation, model->emulation);
    put(machine->thp, sizeof machine->thp, "always");
    put(machine->clock_source, sizeof machine->clock_source, "tick");
    put(machine->counters, sizeof machine->counters, "none in a simulation");
}

/* CPUs of a row are near one node; nodes beyond the last CPU have memory alone. */
static int list_nodes(const struct sim_model *model, struct machine *machine)
{
    size_t count = (size_t)model->nodes.count;
    unsigned each = (unsigned)model->nodes.cpus;
    int error = 0;

    machine->nodes = calloc(count, sizeof *machine->nodes);
    if (!machine->nodes)
        return -ENOMEM;
    machine->node_count = count;
    for (size_t i = 0; i < count; i++) {
        machine->nodes[i].number = (unsigned)i;
        machine->nodes[i].bytes = model->memory.installed_bytes / (double)count;
        for (int cpu = sonde_base_cpulist_next(&machine->allowed, 0); cpu >= 0 && !error;
             cpu = sonde_base_cpulist_next(&machine->allowed, (unsigned)cpu + 1))
            if ((unsigned)cpu / each == i)
                error = sonde_base_cpulist_add(&machine->nodes[i].cpus, (unsigned)cpu);
    }
    return error;
}

static int list_cpus(struct sim_reader *reader, struct machine *machine)
{
    struct sim_reader at_top = *reader;
    int error;

    at_top.object = at_top.top;
    at_top.second = NULL;
    at_top.where[0] = '\0';
    read_cpus(&at_top, &machine->allowed);
    error = at_top.error;
    if (!error)
        error = sonde_base_cpulist_copy(&machine->online, &machine->allowed);
    if (!error)
        error = sonde_base_cpulist_copy(&machine->possible, &machine->allowed);
    if (!error)
        error = read_kinds(&at_top, machine);
    return error;
}

/* --- declared facts
 * ---------------------------------------------------------------------------- */

static const char *const fact_keys[] = {"name", "value",       "unit",
                                        "note", "implausible", NULL};
/* Units of facts are literals elsewhere too. */
static const char *const units[] = {"bytes", "count", "hz", "ns", ""};

static const char *read_unit(struct sim_reader *reader)
{
    char text[16];

    sonde_measure_simulation_text(reader, "unit", "", text, sizeof text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(text, units[i]) == 0)
            return units[i];
    fault(reader, "unit",
          "\"%s\" is not known; give \"bytes\", \"count\", \"hz\" or \"ns\"", text);
    return "";
}

static struct fact *add_fact(struct sim_reader *reader, const char *name,
                             struct facts *facts)
{
    static const char source[] = "model";
    const char *unit = read_unit(reader);
    json_t *value = sonde_measure_simulation_get(reader, "value");
    char note[160];

    sonde_measure_simulation_text(reader, "note", "", note, sizeof note);
    if (json_is_number(value))
        return sonde_machine_fact_number(facts, name, source, source, unit,
                                         json_number_value(value));
    if (json_is_string(value))
        return sonde_machine_fact_text(facts, name, source, source,
                                       json_string_value(value));
    if (!json_is_null(value))
        fault(reader, "value",
              "missing or of another type; give a number, a string or "
              "null for unknown");
    return sonde_machine_fact_unknown(facts, name, source, source, unit,
                                      note[0] ? note : "the model does not say");
}

static int read_fact(struct sim_reader *reader, struct facts *facts)
{
    char name[64], doubt[160];
    struct fact *fact;

    sonde_measure_simulation_known(reader, fact_keys);
    sonde_measure_simulation_text(reader, "name", NULL, name, sizeof name);
    sonde_measure_simulation_text(reader, "implausible", "", doubt, sizeof doubt);
    if (reader->error)
        return reader->error;
    fact = add_fact(reader, name, facts);
    if (!fact)
        return -ENOMEM;
    if (doubt[0])
        sonde_machine_fact_doubt(fact, doubt);
    if (!fact->note && json_string_value(sonde_measure_simulation_get(reader, "note")))
        fact->note = sonde_base_copy(
            json_string_value(sonde_measure_simulation_get(reader, "note")));
    return reader->error;
}

static int read_facts(struct sim_reader *reader, struct facts *facts)
{
    size_t count = sonde_measure_simulation_count(reader, "declared");
    int error = reader->error;

    for (size_t i = 0; i < count && !error; i++) {
        struct sim_reader outer = *reader;

        if (sonde_measure_simulation_enter_item(reader, "declared", i))
            error = read_fact(reader, facts);
        if (!error)
            error = reader->error;
        sonde_measure_simulation_leave(reader, &outer);
    }
    return error;
}

int sonde_measure_simulation_declare(struct sim_reader *reader,
                                     const struct sim_model *model,
                                     struct machine *machine, struct facts *facts)
{
    int error;

    *facts = (struct facts){0};
    describe(model, machine);
    error = list_cpus(reader, machine);
    if (!error)
        error = list_nodes(model, machine);
    if (!error)
        error = read_facts(reader, facts);
    if (error) {
        sonde_machine_close(machine);
        sonde_machine_facts_free(facts);
    }
    return error;
}
