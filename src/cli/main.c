/* sonde: the entry. Finds the command in the table and runs it; --help and --version. */
#include "cli/cli.h"

#include "arch/arch.h"
#include "base/text.h"
#include "config.h"
#include "report/page.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int print(struct text *out)
{
    int status = out->failed ? EXIT_FAILED : sonde_cli_print(out->data, out->length);

    sonde_base_text_free(out);
    return status;
}

static int print_version(void)
{
    struct text out = {0};

    sonde_base_text_print(&out, "sonde %s (%s, %s)\n", SONDE_VERSION, SONDE_ISA,
                          SONDE_COMPILER);
    sonde_base_text_print(&out, "topology by hwloc:         %s\n",
                          SONDE_HAVE_HWLOC ? "yes" : "no (built without libhwloc)");
    sonde_base_text_print(&out, "counter names by libpfm4:  %s\n",
                          SONDE_HAVE_LIBPFM ? "yes" : "no (built without libpfm4)");
    sonde_base_text_print(&out, "pages (report, --html):    %s\n",
                          sonde_report_page_available()
                              ? "yes"
                              : "no (built without Node.js or the modules of web/)");
    sonde_base_text_print(&out, "tick counter:              %s\n",
                          sonde_arch_tick_name() ? sonde_arch_tick_name() : "none");
    return print(&out);
}

static int print_help(void)
{
    struct text out = {0};
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    sonde_base_text_print(&out,
                          "usage: sonde COMMAND [OPTION...]\n\n"
                          "Measures the memory hierarchy and the cores of the machine it "
                          "runs on, and says\nhow sure it is.\n\n");
    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(&out, "  %-10s %s\n", commands[i]->name,
                              commands[i]->summary);
    sonde_base_text_print(&out, "\nsonde COMMAND --help tells the options of a command; "
                                "sonde --version, what is built in.\n");
    return print(&out);
}

static const struct command *find_command(const char *name)
{
    size_t count;
    const struct command *const *commands = sonde_cli_commands(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const char *nearest_command(const char *name)
{
    size_t count, best = 4; /* further away it is no slip of the finger */
    const struct command *const *commands = sonde_cli_commands(&count);
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t distance = sonde_base_distance(name, commands[i]->name);

        if (distance < best) {
            best = distance;
            nearest = commands[i]->name;
        }
    }
    return nearest;
}

/* A closed stream must not become the next file that is opened: take its number with
 * something that cannot be written (or read), so that its use fails as it should. */
static void occupy_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    const struct command *command;
    const char *name = argc > 1 ? argv[1] : "--help";

    occupy_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, reported as one */
    setlocale(LC_CTYPE, "");  /* for UTF-8 alone; numbers stay as in the C locale */
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help();
    if (strcmp(name, "--version") == 0)
        return print_version();
    command = find_command(name);
    if (command)
        return command->run(command, argc - 1, argv + 1);
    if (nearest_command(name))
        return sonde_cli_misuse("there is no command '%s'; did you mean '%s'?", name,
                                nearest_command(name));
    return sonde_cli_misuse("there is no command '%s'; see sonde --help", name);
}
