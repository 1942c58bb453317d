/* Compiles kernels with the user's compiler into a private folder.
 *
 *   $CC -O2 $CFLAGS FLAGS -I<folder with sonde.h> -shared -fPIC FILE -o <folder>/N.so
 *
 * CC and CFLAGS are split at white space, as make's shell would without quotes; no shell
 * is involved. Flags come after -O2, so that they win. */
#include "bench/kernel_file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MAX = 128 };

int sonde_bench_source(const char *path, enum bench_source *source)
{
    static const struct {
        const char *ending;
        enum bench_source source;
    } table[] = {{".S", SOURCE_ASSEMBLY},
                 {".s", SOURCE_ASSEMBLY},
                 {".c", SOURCE_C},
                 {".o", SOURCE_OBJECT},
                 {".so", SOURCE_SHARED}};
    size_t length = strlen(path);

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t ending = strlen(table[i].ending);

        if (length > ending && strcmp(path + length - ending, table[i].ending) == 0) {
            *source = table[i].source;
            return 0;
        }
    }
    return -EINVAL;
}

/* --- running a program ----------------------------------------------------------------
 */

static int read_all(int from, char **output)
{
    struct text text = {0};
    char part[4096];
    ssize_t got;

    sonde_base_text_append(&text, "", 0);
    while ((got = read(from, part, sizeof part)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            sonde_base_text_append(&text, part, (size_t)got);
    if (got < 0 || text.failed) {
        sonde_base_text_free(&text);
        return -EIO;
    }
    *output = text.data;
    return 0;
}

static int await(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECANCELED;
}

int sonde_bench_command(char *const *words, char **output)
{
    posix_spawn_file_actions_t actions;
    int ends[2] = {-1, -1}, error, ended;
    pid_t child;

    if (output && pipe2(ends, O_CLOEXEC))
        return -errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output ? ends[1] : STDERR_FILENO,
                                     STDOUT_FILENO);
    if (output) /* what is asked of it is optional: no complaints */
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
                                         0);
    error = -posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (output)
        close(ends[1]);
    if (!error) {
        error = output ? read_all(ends[0], output) : 0;
        ended = await(child);
        error = error ? error : ended;
    }
    if (output)
        close(ends[0]);
    return error;
}

/* --- compiling ------------------------------------------------------------------------
 */

struct words {
    char *rows[WORDS_MAX + 1];
    size_t count;
    bool full;
};

static void add_word(struct words *words, const char *word)
{
    char *copy = words->count < WORDS_MAX ? strdup(word) : NULL;

    if (!copy)
        words->full = true;
    else
        words->rows[words->count++] = copy;
}

static void add_words(struct words *words, const char *text)
{
    char *copy = sonde_base_copy(text ? text : ""), *rest = copy, *word;

    words->full |= !copy;
    while (copy && (word = strsep(&rest, " \t\n")))
        if (*word)
            add_word(words, word);
    free(copy);
}

static void free_words(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->rows[i]);
}

static int run_compiler(const struct words *words, const char *path, struct message *why)
{
    int error = sonde_bench_command(words->rows, NULL);

    if (error == -ENOENT)
        return sonde_base_fail(why, error,
                               "there is no compiler '%s': install one, or name it in CC",
                               words->rows[0]);
    if (error)
        return sonde_base_fail(why, error, "%s does not compile with %s", path,
                               words->rows[0]);
    return 0;
}

int sonde_bench_compile(const char *path, enum bench_source source, const char *folder,
                        const char *flags, const char *object, struct message *why)
{
    static const char *const fixed[] = {"-shared", "-fPIC", "-o"};
    const char *compiler = getenv("CC");
    struct words words = {0};
    int error;

    if (source == SOURCE_SHARED)
        return 0;
    add_words(&words, compiler && *compiler ? compiler : "cc");
    add_word(&words, "-O2");
    add_words(&words, getenv("CFLAGS"));
    add_words(&words, flags);
    add_word(&words, "-I");
    add_word(&words, folder);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        add_word(&words, fixed[i]);
    add_word(&words, object);
    if (strcmp(path + strlen(path) - 2, ".s") == 0)
        add_words(&words, "-x assembler-with-cpp");
    if (*path == '-') /* a name that looks like an option */
        error = sonde_base_fail(why, -EINVAL, "%s: write ./%s", path, path);
    else
        error = 0;
    add_word(&words, path);
    if (!error && words.full)
        error = sonde_base_fail(why, -E2BIG, "too many words in CC, CFLAGS and --cflags");
    if (!error)
        error = run_compiler(&words, path, why);
    free_words(&words);
    return error;
}
