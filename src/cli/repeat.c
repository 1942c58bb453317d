/* sonde run --repeat: whole runs in fresh processes.
 *
 * Each run is this program again, with the same options, the next seed and its JSON on a
 * pipe's place, an unnamed file. Only a new process has new pages, a new layout and new
 * luck; samples of one process share theirs. A run that was cut short is left out where
 * there are whole ones. */
#include "cli/repeat.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MAX = 64 };

/* The command line of a run; the words are borrowed but for the numbers. */
struct words {
    char *word[WORDS_MAX];
    size_t count;
    char seed[24], budget[32], cpus[256];
};

static void add(struct words *words, const char *word)
{
    if (words->count + 1 < WORDS_MAX)
        words->word[words->count++] = (char *)(size_t)word;
}

static void add_pair(struct words *words, const char *name, const char *value)
{
    if (!value)
        return;
    add(words, name);
    add(words, value);
}

static void build(struct words *words, const struct run_options *options, unsigned run)
{
    *words = (struct words){.count = 0};
    snprintf(words->seed, sizeof words->seed, "%llu",
             (unsigned long long)(options->seed + run));
    snprintf(words->budget, sizeof words->budget, "%.9g", options->budget_s);
    add(words, "sonde");
    add(words, "run");
    add_pair(words, "--json", "-");
    add_pair(words, "--seed", words->seed);
    add_pair(words, "--budget", words->budget);
    add_pair(words, "--sysroot", options->sysroot);
    add_pair(words, "--simulate", options->simulate);
    add_pair(words, "--progress", options->quiet ? "never" : options->progress);
    if (options->effort.level != EFFORT_DEFAULT)
        add(words, options->effort.level == EFFORT_QUICK ? "--quick" : "--full");
    if (!options->keep_samples)
        add(words, "--no-samples");
    if (options->has_cpus)
        add_pair(
            words, "--cpu",
            sonde_base_cpulist_format(&options->cpus, words->cpus, sizeof words->cpus));
    for (size_t i = 0; i < options->probe_count; i++)
        add(words, options->probes[i]->name);
}

/* A shell may have had interrupts ignored; the run must be open to them from its first
 * instruction on, or one sent early would be lost. */
static pid_t start(struct words *words, int output)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    signal(SIGINT, SIG_DFL);
    if (dup2(output, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", words->word);
    _exit(EXIT_UNMEASURABLE);
}

/* Looks ten times a second, so that an interrupt that came to this process alone goes on
 * to the run, whenever it came. */
static int wait_for(pid_t child, const volatile sig_atomic_t *interrupted)
{
    const struct timespec tick = {.tv_nsec = 100 * 1000 * 1000};
    bool told = false;
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        if (*interrupted && !told) {
            kill(child, SIGINT);
            told = true;
        }
        nanosleep(&tick, NULL);
    }
    if (*interrupted)
        return EXIT_INTERRUPTED;
    return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

static int read_back(FILE *file, unsigned run, struct passport_list *list,
                     struct message *why)
{
    char *text = NULL;
    size_t length = 0, before = list->count;
    char path[48];
    int error;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    error = sonde_base_read_file(path, (size_t)256 << 20, &text, &length);
    if (error)
        return sonde_base_fail(why, error, "run %u cannot be read: %s", run + 1,
                               strerror(-error));
    error =
        length ? sonde_passport_from_json(list, text, length, "the run", why) : -ENODATA;
    for (size_t i = before; i < list->count; i++)
        list->rows[i].vantage.run = run + 1;
    free(text);
    return error;
}

int sonde_cli_repeat_run(const struct run_options *options, unsigned run,
                         struct passport_list *list,
                         const volatile sig_atomic_t *interrupted, struct message *why)
{
    FILE *file = tmpfile();
    struct words words;
    int status, error;
    size_t before = list->count;
    pid_t child;

    if (!file) {
        sonde_base_fail(why, -errno, "no temporary file for a run: %s", strerror(errno));
        return EXIT_FAILED;
    }
    build(&words, options, run);
    child = start(&words, fileno(file));
    status = child < 0 ? EXIT_FAILED : wait_for(child, interrupted);
    if (status == EXIT_DONE || (status == EXIT_INTERRUPTED && before == 0)) {
        error = read_back(file, run, list, why);
        if (error && status == EXIT_DONE)
            status = EXIT_FAILED;
    } else if (status != EXIT_INTERRUPTED) {
        sonde_base_fail(why, -EIO, "run %u ended with status %d", run + 1, status);
    }
    fclose(file);
    return status;
}
