/* sonde facts: what the machine declares, by source, and where sources disagree. */
#include "cli/cli.h"

#include "machine/machine.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum facts_option { OPTION_SYSROOT, OPTION_CPU, OPTION_JSON, OPTION_COLOR };

static const struct option_row rows[] = {
    [OPTION_SYSROOT] = {"sysroot", "DIR", "read /sys and /proc below DIR instead"},
    [OPTION_CPU] = {"cpu", "N", "as seen from this CPU; otherwise one of each kind"},
    [OPTION_JSON] = {"json", "FILE",
                     "write a passport of facts alone; '-' is standard output"},
    [OPTION_COLOR] = {"color", "WHEN", "always, never, or auto"},
};

struct wanted {
    const char *sysroot, *colour;
    struct targets json;
    struct cpulist cpus;
    struct report_style style;
};

static int take_option(void *self, size_t row, const char *value)
{
    struct wanted *wanted = self;
    struct message why = {{0}};

    switch ((enum facts_option)row) {
    case OPTION_SYSROOT:
        wanted->sysroot = value;
        return EXIT_DONE;
    case OPTION_CPU:
        if (sonde_base_cpulist_parse(&wanted->cpus, value, &why) ||
            sonde_base_cpulist_count(&wanted->cpus) != 1)
            return sonde_cli_misuse("--cpu %s is not one CPU", value);
        return EXIT_DONE;
    case OPTION_JSON:
        return sonde_cli_target_add(&wanted->json, value);
    case OPTION_COLOR:
        wanted->colour = value;
        return EXIT_DONE;
    }
    return EXIT_USAGE;
}

static int collect_one(const struct machine *machine, unsigned cpu, const char *kind,
                       struct passport_list *list)
{
    struct passport *passport = sonde_passport_add(list);

    if (!passport)
        return EXIT_FAILED;
    passport->vantage.cpu = cpu;
    passport->vantage.kind = kind[0] ? sonde_base_copy(kind) : NULL;
    passport->machine.host = machine->host[0] ? sonde_base_copy(machine->host) : NULL;
    passport->machine.model = machine->model[0] ? sonde_base_copy(machine->model) : NULL;
    return sonde_machine_collect(machine, cpu, &passport->facts) ? EXIT_FAILED
                                                                 : EXIT_DONE;
}

static int collect(const struct machine *machine, const struct wanted *wanted,
                   struct passport_list *list)
{
    int chosen = sonde_base_cpulist_next(&wanted->cpus, 0), status = EXIT_DONE;

    if (chosen >= 0 && !sonde_base_cpulist_has(&machine->online, (unsigned)chosen))
        return sonde_cli_misuse("CPU %d is not online", chosen);
    for (size_t i = 0; i < machine->kind_count && status == EXIT_DONE; i++) {
        const struct core_kind *kind = &machine->kinds[i];
        int cpu = sonde_base_cpulist_next(&kind->cpus, 0);

        if (chosen >= 0 && !sonde_base_cpulist_has(&kind->cpus, (unsigned)chosen))
            continue;
        status = collect_one(machine,
                             (unsigned)(chosen >= 0 ? chosen
                                        : cpu < 0   ? 0
                                                    : cpu),
                             kind->name, list);
    }
    return status;
}

static int print_facts(const struct passport_list *list, const struct wanted *wanted)
{
    struct text out = {0};
    int status;

    for (size_t i = 0; i < list->count; i++) {
        const struct passport *passport = &list->rows[i];

        if (list->count > 1)
            sonde_base_text_print(&out, "%sas seen from CPU %.0f (%s)\n", i ? "\n" : "",
                                  passport->vantage.cpu,
                                  passport->vantage.kind ? passport->vantage.kind : "");
        if (sonde_report_facts(&passport->facts, &wanted->style, &out))
            out.failed = true;
    }
    status = out.failed ? EXIT_FAILED : sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

static int show(const struct wanted *wanted)
{
    struct machine machine;
    struct message why = {{0}};
    struct passport_list list = {0};
    int status, written;

    if (sonde_machine_open(&machine, wanted->sysroot, &why)) {
        sonde_cli_complain("%s", why.text);
        return EXIT_FAILED;
    }
    status = collect(&machine, wanted, &list);
    if (status == EXIT_DONE && !sonde_cli_targets_stdout(&wanted->json))
        status = print_facts(&list, wanted);
    written = list.count ? sonde_cli_targets_write(&wanted->json, &list, false, true)
                         : EXIT_DONE;
    sonde_passport_list_free(&list);
    sonde_machine_close(&machine);
    return status != EXIT_DONE ? status : written;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct wanted wanted = {0};
    int status;
    bool goes_on =
        sonde_cli_take_options(command, argc, argv, take_option, &wanted, &status);

    if (goes_on && status == EXIT_DONE && optind < argc)
        status = sonde_cli_misuse("sonde facts takes no operand '%s'", argv[optind]);
    if (goes_on && status == EXIT_DONE && sonde_cli_style(wanted.colour, &wanted.style))
        status =
            sonde_cli_misuse("--color %s is none of always, never, auto", wanted.colour);
    if (goes_on && status == EXIT_DONE)
        status = show(&wanted);
    sonde_base_cpulist_free(&wanted.cpus);
    return status;
}

const struct command sonde_cli_command_facts = {
    .name = "facts",
    .summary = "prints what the machine declares, by source, and where sources disagree",
    .synopsis = "",
    .options = rows,
    .option_count = sizeof rows / sizeof rows[0],
    .run = run_command,
};
