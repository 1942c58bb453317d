/* The bar on standard error, on a terminal only: which probe runs, how far it is, and how
 * long it will take. Drawn at most ten times a second, so that drawing disturbs nothing.
 */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double redraw_s = 0.1;

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int sonde_cli_progress_open(struct progress *progress, const char *when, bool quiet)
{
    struct winsize window;

    *progress = (struct progress){.columns = 80};
    if (!when || strcmp(when, "auto") == 0)
        progress->shown = isatty(STDERR_FILENO) && !quiet;
    else if (strcmp(when, "always") == 0 || strcmp(when, "never") == 0)
        progress->shown = *when == 'a';
    else
        return -EINVAL;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        progress->columns = window.ws_col;
    return 0;
}

void sonde_cli_progress_show(struct progress *progress, const char *name, double done,
                             double left_s)
{
    enum { BAR = 30 };
    char bar[BAR + 1], left[32] = "";
    double now = now_s();
    int filled = (int)(done * BAR);

    if (!progress->shown || progress->columns < 60 || now - progress->last_s < redraw_s)
        return;
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(filled < 0 ? 0 : filled > BAR ? BAR : filled));
    bar[BAR] = '\0';
    if (!isnan(left_s))
        snprintf(left, sizeof left, "%.0f s left", ceil(left_s));
    fprintf(stderr, "\r%-12.12s %s %3.0f %%  %-12s", name, bar, 100 * done, left);
    fflush(stderr);
    progress->last_s = now;
    progress->drawn = true;
}

void sonde_cli_progress_clear(struct progress *progress)
{
    if (progress->drawn)
        fprintf(stderr, "\r%*s\r", 62, "");
    progress->drawn = false;
}
