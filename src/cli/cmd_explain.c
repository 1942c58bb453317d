/* sonde explain: what a finding means, how it is measured, and what can fool it.
 *
 * The words are those of the table of names and of docs/METHOD.md, which is built in.
 * What can fool it: nothing is measured here; what a finding is worth on one machine
 * stands in the passport of that machine. */
#include "cli/cli.h"

#include "infer/names.h"
#include "probes/probe.h"
#include "report/canvas.h"
#include "report/method.h"

#include <getopt.h>
#include <string.h>

enum explain_option { OPTION_COLOR };

static const struct option_row rows[] = {
    [OPTION_COLOR] = {"color", "WHEN", "always, never, or auto (the default)"},
};

/* --- the list --------------------------------------------------------------------------
 */

static void list_names(struct canvas *canvas, const char *section)
{
    size_t count;
    const struct finding_name *names = sonde_infer_names(&count);
    struct method_origin origin;
    struct text text = {0};

    for (size_t i = 0; i < count; i++)
        if (sonde_report_method_of(names[i].pattern, &origin) &&
            strcmp(origin.section, section) == 0)
            sonde_base_text_print(&text, "%s%s", text.length ? " " : "",
                                  names[i].pattern);
    if (text.length && !text.failed)
        sonde_report_wrap(canvas, "  ", text.data);
    canvas->out->failed = canvas->out->failed || text.failed;
    sonde_base_text_free(&text);
}

static void list_all(struct canvas *canvas)
{
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);

    for (size_t i = 0; i < count; i++) {
        sonde_report_say(canvas, "", INK_BOLD "%s" INK_PLAIN " " INK_DIM "%s" INK_PLAIN,
                         probes[i]->name, probes[i]->summary);
        list_names(canvas, probes[i]->name);
    }
    sonde_report_say(canvas, "",
                     "A star is a level: l1d, l2, l3, l4, llc, memory; or a stride.");
}

/* --- one name --------------------------------------------------------------------------
 */

/* Most sections begin with the question themselves. */
static bool begins_with_question(const struct method_section *section)
{
    static const char question[] = "\n\nAsks ";

    return strncmp(section->body, question, sizeof question - 1) == 0;
}

static void explain_section(struct canvas *canvas, const char *name)
{
    const struct probe *probe = sonde_probe_find(name);
    struct method_section section;
    bool found = sonde_report_method_find(name, &section);

    if (probe)
        sonde_report_say(canvas, "", INK_BOLD "probe %s" INK_PLAIN ": %s", probe->name,
                         probe->summary);
    else if (found)
        sonde_report_say(canvas, "", INK_BOLD "%.*s" INK_PLAIN, (int)section.title_length,
                         section.title);
    if (probe && !(found && begins_with_question(&section)))
        sonde_report_wrap(canvas, "  ", probe->asks);
    sonde_report_line(canvas, "");
    if (found)
        sonde_report_method_draw(canvas, &section);
}

/* Of what is no number of anything else, the title says enough. */
static const char *named_unit(const char *unit)
{
    static const char *const bare[] = {"count", "times", "ratio", "share"};

    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++)
        if (strcmp(unit, bare[i]) == 0)
            return "";
    return unit;
}

static void explain_finding(struct canvas *canvas, const char *name,
                            const struct finding_name *row,
                            const struct method_origin *origin)
{
    char title[96];
    const char *unit = named_unit(row->unit);

    sonde_report_say(canvas, "", INK_BOLD "%s" INK_PLAIN " (%s)%s%s",
                     sonde_infer_title(name, title, sizeof title), name,
                     *unit ? ", in " : "", unit);
    sonde_report_wrap(canvas, "  ", row->meaning);
    sonde_report_line(canvas, "");
    explain_section(canvas, origin->section);
    if (origin->also)
        sonde_report_line(canvas, "");
    if (origin->also)
        sonde_report_say(canvas, "", "See also: sonde explain %s", origin->also);
}

static bool explain(struct canvas *canvas, const char *name)
{
    const struct finding_name *row = sonde_infer_name(name);
    struct method_section section;
    struct method_origin origin;

    if (row && sonde_report_method_of(name, &origin) &&
        (row->pattern[0] != '*' || origin.level)) {
        explain_finding(canvas, name, row, &origin);
        return true;
    }
    if (!sonde_probe_find(name) && !sonde_report_method_find(name, &section))
        return false;
    explain_section(canvas, name);
    return true;
}

/* --- a name that nothing has -----------------------------------------------------------
 */

struct nearest {
    const char *wanted;
    char name[64];
    size_t distance;
};

static void hold_against(struct nearest *nearest, const char *name)
{
    size_t distance = sonde_base_distance(nearest->wanted, name);

    if (distance < nearest->distance) {
        nearest->distance = distance;
        snprintf(nearest->name, sizeof nearest->name, "%s", name);
    }
}

/* A pattern as every name that it stands for. */
static void hold_against_pattern(struct nearest *nearest, const char *pattern)
{
    static const char *const levels[] = {"l1d", "l2", "l3", "l4", "llc", "memory"};
    char name[64];

    if (*pattern != '*') {
        hold_against(nearest, pattern);
        return;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        snprintf(name, sizeof name, "%s%s", levels[i], pattern + 1);
        hold_against(nearest, name);
    }
}

static int refuse(const char *wanted)
{
    /* Further away it is no slip; and of a name of two letters some must be right. */
    size_t length = strlen(wanted);
    struct nearest nearest = {wanted, "", length < 4 ? length : 4};
    size_t count;
    const struct probe *const *probes = sonde_probes(&count);

    for (size_t i = 0; i < count; i++)
        hold_against(&nearest, probes[i]->name);
    const struct finding_name *names = sonde_infer_names(&count);
    for (size_t i = 0; i < count; i++)
        hold_against_pattern(&nearest, names[i].pattern);
    if (*nearest.name)
        return sonde_cli_misuse("there is no finding or probe '%s'; did you mean '%s'?",
                                wanted, nearest.name);
    return sonde_cli_misuse(
        "there is no finding or probe '%s'; sonde explain lists them all", wanted);
}

/* --- the command -----------------------------------------------------------------------
 */

static int print(const struct report_style *style, const char *name)
{
    struct text out = {0};
    struct canvas canvas = sonde_report_canvas(style, &out);
    int status = EXIT_FAILED;

    if (!name)
        list_all(&canvas);
    else if (!explain(&canvas, name)) {
        sonde_base_text_free(&out);
        return refuse(name);
    }
    if (out.failed)
        sonde_cli_complain("out of memory for the text");
    else
        status = sonde_cli_print(out.data, out.length);
    sonde_base_text_free(&out);
    return status;
}

static int take_colour(void *self, size_t row, const char *value)
{
    (void)row;
    *(const char **)self = value;
    return EXIT_DONE;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct report_style style;
    const char *colour = NULL;
    int status;

    if (!sonde_cli_take_options(command, argc, argv, take_colour, &colour, &status))
        return status;
    if (argc - optind > 1)
        return sonde_cli_misuse("sonde explain takes one name");
    if (sonde_cli_style(colour, &style))
        return sonde_cli_misuse("--color %s is none of always, never, auto", colour);
    return print(&style, optind < argc ? argv[optind] : NULL);
}

const struct command sonde_cli_command_explain = {
    .name = "explain",
    .summary = "tells what a finding means, how it is measured and what can fool it",
    .synopsis = "[FINDING|PROBE]",
    .options = rows,
    .option_count = sizeof rows / sizeof rows[0],
    .words = sonde_cli_probe_words,
    .run = run_command,
};
