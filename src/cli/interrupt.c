/* Signals that end a measurement in order: what is done is written, and the status says
 * that it was interrupted. */
#include "cli/cli.h"

/* The one thing a signal handler may touch. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

const volatile sig_atomic_t *sonde_cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    return &interrupted;
}
