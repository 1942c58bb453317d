/* sonde list: what can be run, and with what it is built. */
#include "cli/cli.h"

#include "kernels/kernel.h"
#include "probes/probe.h"
#include "report/export.h"

#include <getopt.h>
#include <string.h>

static void list_probes(struct text *out)
{
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%-12s %s\n", probes[i]->name, probes[i]->summary);
}

static void list_kernels(struct text *out)
{
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%-20s %s\n", kernels[i].name, kernels[i].summary);
}

static void list_readers(struct text *out)
{
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%-12s %s\n", readers[i].name, readers[i].summary);
}

static void list_reports(struct text *out)
{
    size_t count;
    const struct report *reports = sonde_reports(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%-12s %s\n", reports[i].name, reports[i].summary);
}

static void list_exports(struct text *out)
{
    size_t count;
    const struct export_kind *exports = sonde_report_exports(&count);

    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(out, "%-12s %s\n", exports[i].name, exports[i].summary);
}

static const struct topic {
    const char *name;
    void (*list)(struct text *out);
} topics[] = {
    {"probes", list_probes},   {"kernels", list_kernels}, {"readers", list_readers},
    {"reports", list_reports}, {"exports", list_exports},
};

static const struct topic *find_topic(const char *name)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
    return NULL;
}

static void list_words(struct text *out)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        sonde_base_text_print(out, "%s%s", i ? " " : "", topics[i].name);
}

static int refuse(const char *wanted)
{
    struct text words = {0};
    int status;

    list_words(&words);
    status = sonde_cli_misuse("there is no list of '%s'; there are %s", wanted,
                              words.failed ? "others" : words.data);
    sonde_base_text_free(&words);
    return status;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    const struct topic *topic = &topics[0];
    struct text out = {0};
    int status;

    if (!sonde_cli_take_options(command, argc, argv, NULL, NULL, &status))
        return status;
    if (argc - optind > 1)
        return sonde_cli_misuse("sonde list takes one topic");
    if (optind < argc)
        topic = find_topic(argv[optind]);
    if (!topic)
        return refuse(argv[optind]);
    topic->list(&out);
    status = out.failed ? EXIT_FAILED : sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

const struct command sonde_cli_command_list = {
    .name = "list",
    .summary = "names the probes, or all there is of another topic",
    .synopsis = "[TOPIC]",
    .words = list_words,
    .run = run_command,
};
