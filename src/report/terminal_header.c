/* The head of the terminal's passport: what machine this is, and how well its clocks
 * serve.
 *
 * Only what is known is said; a file of another tool may know nothing, and then that is
 * what the line says. */
#include "report/terminal_parts.h"

#include <math.h>
#include <string.h>

static void join(struct text *line, const char *part)
{
    if (part && *part)
        sonde_base_text_print(line, "%s%s", line->length ? " · " : "", part);
}

static void join_cpus(struct text *line, const struct passport_machine *machine)
{
    char part[64];

    if (!isfinite(machine->cpus_allowed))
        return;
    if (isfinite(machine->cpus_online))
        snprintf(part, sizeof part, "%.0f of %.0f CPUs", machine->cpus_allowed,
                 machine->cpus_online);
    else
        snprintf(part, sizeof part, "%.0f CPUs", machine->cpus_allowed);
    join(line, part);
}

static void join_world(struct text *line, const struct passport_environment *environment)
{
    char part[200];

    if (environment->emulation) {
        snprintf(part, sizeof part, INK_BAD "emulated" INK_PLAIN " (%.150s)",
                 environment->emulation);
        join(line, part);
    } else if (environment->virtualization) {
        snprintf(part, sizeof part, "virtual machine (%.80s)",
                 environment->virtualization);
        join(line, part);
    }
}

static void identify(struct canvas *canvas, const struct passport *passport)
{
    struct text line = {0};
    const struct passport_machine *machine = &passport->machine;

    if (passport->tool.version)
        sonde_base_text_print(&line, INK_BOLD "sonde %s" INK_PLAIN,
                              passport->tool.version);
    join(&line, machine->model    ? machine->model
                : machine->kernel ? "unknown model"
                                  : "machine unknown");
    join_cpus(&line, machine);
    join_world(&line, &passport->environment);
    if (!line.data || line.failed)
        canvas->out->failed = true;
    else
        sonde_report_wrap(canvas, "", line.data);
    sonde_base_text_free(&line);
}

/* Appends a clause, after "; " when it is not the first. */
__attribute__((format(printf, 2, 3))) static void add_clause(struct text *line,
                                                             const char *format, ...)
{
    char clause[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(clause, sizeof clause, format, arguments);
    va_end(arguments);
    sonde_base_text_print(line, "%s%s", line->length ? "; " : "", clause);
}

static void add_core_clock(struct text *line, const struct passport *passport)
{
    const struct passport_environment *e = &passport->environment;
    const struct finding *drift = sonde_passport_finding(passport, "clock.drift");
    double share = drift ? drift->value : e->core_hz_high / e->core_hz_low - 1;

    if (!isfinite(e->core_hz))
        return;
    /* Below this the figure is noise of the chains, not of the clock. */
    if (isfinite(share) && share >= 0.005)
        add_clause(line, "core clock %s, drifting %s",
                   sonde_report_number(e->core_hz, "hz").text,
                   sonde_report_number(share, "share").text);
    else
        add_clause(line, "core clock %s", sonde_report_number(e->core_hz, "hz").text);
}

static void describe_clocks(struct canvas *canvas, const struct passport *passport,
                            const char *lead)
{
    const struct passport_environment *e = &passport->environment;
    struct text line = {0};

    add_core_clock(&line, passport);
    if (isfinite(e->timer_cost_ns) && isfinite(e->timer_step_ns))
        add_clause(&line, "a clock read costs %s and ticks in %s",
                   sonde_report_number(e->timer_cost_ns, "ns").text,
                   sonde_report_number(e->timer_step_ns, "ns").text);
    if (isfinite(e->lost_share) && e->lost_share >= 0.001)
        add_clause(&line, "%s of the time lost to others",
                   sonde_report_number(e->lost_share, "share").text);
    if (line.failed)
        canvas->out->failed = true;
    else if (line.data)
        sonde_report_wrap(canvas, lead, line.data);
    sonde_base_text_free(&line);
}

static void describe_vantage(struct canvas *canvas, const struct passport *passport,
                             bool alone)
{
    struct text line = {0};

    if (alone && isfinite(passport->vantage.cpu))
        add_clause(&line, "measured on CPU %.0f", passport->vantage.cpu);
    if (passport->environment.timer)
        add_clause(&line, "timed by %.60s", passport->environment.timer);
    if (passport->environment.pages)
        add_clause(&line, "%.150s", passport->environment.pages);
    if (line.failed)
        canvas->out->failed = true;
    else if (line.data)
        sonde_report_say(canvas, "", INK_DIM "%s" INK_PLAIN, line.data);
    sonde_base_text_free(&line);
}

void sonde_report_header(struct canvas *canvas, const struct vantages *vantages)
{
    bool alone = vantages->count == 1;

    identify(canvas, &vantages->rows[0]);
    for (size_t i = 0; i < vantages->count; i++) {
        char lead[96] = "";

        if (!alone)
            snprintf(lead, sizeof lead,
                     "%s: ", sonde_report_vantage(&vantages->rows[i]).text);
        describe_clocks(canvas, &vantages->rows[i], lead);
    }
    describe_vantage(canvas, &vantages->rows[0], alone);
}
