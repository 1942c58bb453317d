/* The two streams: results on standard output, one-line complaints on standard error.
 *
 * Standard output is written with write(2), so that a full disk or a closed pipe is seen
 * here and not lost in a buffer at exit. What can fool it: COLUMNS may be stale in a
 * resized terminal, so the terminal itself is asked first. */
#include "cli/cli.h"

#include "base/units.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void sonde_cli_complain(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "sonde: %s\n", line);
}

int sonde_cli_print(const char *data, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(STDOUT_FILENO, data, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            sonde_cli_complain("cannot write to standard output: %s", strerror(errno));
            return EXIT_FAILED;
        }
        data += wrote;
        length -= (size_t)wrote;
    }
    return EXIT_DONE;
}

static unsigned terminal_columns(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return window.ws_col;
    const char *text = getenv("COLUMNS");
    uint64_t columns;
    if (text && sonde_base_parse_count(text, &columns) == 0 && columns > 0 &&
        columns < 10000)
        return (unsigned)columns;
    return 80;
}

static bool terminal_colour(void)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(refused && *refused) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

int sonde_cli_style(const char *when, struct report_style *style)
{
    if (!when || strcmp(when, "auto") == 0)
        style->colour = terminal_colour();
    else if (strcmp(when, "always") == 0 || strcmp(when, "never") == 0)
        style->colour = *when == 'a';
    else
        return -EINVAL;
    style->columns = terminal_columns();
    style->verbose = false;
    style->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return 0;
}
