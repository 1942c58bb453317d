/* Where results go: files that are written whole, and standard output.
 *
 * A target is looked at before anything is measured: a minute's measurement must not end
 * in "no such directory". */
#include "cli/cli.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat status;
    char *directory;
    int error = 0;

    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return EISDIR;
        if (!S_ISREG(status.st_mode))
            return access(path, W_OK) ? errno : 0;
    }
    directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!directory)
        return ENOMEM;
    if (access(directory, W_OK | X_OK))
        error = errno;
    free(directory);
    return error;
}

int sonde_cli_target_add(struct targets *targets, const char *path)
{
    int error = 0;

    if (targets->count == TARGETS_MAX)
        return sonde_cli_misuse("more than %d files to write", TARGETS_MAX);
    if (!*path)
        return sonde_cli_misuse("an empty name of a file to write");
    if (strcmp(path, "-") != 0)
        error = check_writable(path);
    if (error) {
        sonde_cli_complain("%s cannot be written: %s", path, strerror(error));
        return EXIT_FAILED;
    }
    targets->paths[targets->count++] = path;
    return EXIT_DONE;
}

bool sonde_cli_targets_stdout(const struct targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        if (strcmp(targets->paths[i], "-") == 0)
            return true;
    return false;
}

static int write_one(const char *path, const char *data, size_t length)
{
    struct message why = {{0}};

    if (strcmp(path, "-") == 0)
        return sonde_cli_print(data, length);
    if (sonde_base_write_file(path, data, length, &why) == 0)
        return EXIT_DONE;
    sonde_cli_complain("%s", why.text);
    return EXIT_FAILED;
}

/* A device or a pipe takes the result once, at the end; a file may be renewed at any
 * time. */
static bool is_stream(const char *path)
{
    struct stat status;

    return strcmp(path, "-") == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

int sonde_cli_targets_put(const struct targets *targets, const char *data, size_t length,
                          bool last)
{
    int status = EXIT_DONE;

    for (size_t i = 0; i < targets->count; i++)
        if (last || !is_stream(targets->paths[i]))
            if (write_one(targets->paths[i], data, length) != EXIT_DONE)
                status = EXIT_FAILED;
    return status;
}

int sonde_cli_targets_write(const struct targets *targets,
                            const struct passport_list *list, bool samples, bool last)
{
    char *json = NULL;
    size_t length = 0;
    int status;

    if (!targets->count)
        return EXIT_DONE;
    if (sonde_passport_to_json(list, samples, &json, &length)) {
        sonde_cli_complain("out of memory for the JSON of the passport");
        return EXIT_FAILED;
    }
    status = sonde_cli_targets_put(targets, json, length, last);
    free(json);
    return status;
}
