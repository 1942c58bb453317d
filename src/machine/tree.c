/* Files of /proc and /sys, on the live machine or below a captured tree.
 *
 * Every read of this room goes through here, so that --sysroot holds for all of them. A
 * captured tree is foreign data: it may hold links that lead out of it ("/sys/..." made
 * absolute by the capture) and things that are no files. Both count as absent, since what
 * is outside speaks of this machine and not of the captured one.
 *
 * What can fool it: a tree in which a link was replaced by what it pointed to looks the
 * same, which is as intended; one captured while CPUs went on and off line may contradict
 * itself, which plausibility.c and topology.c must bear. */
#include "base/text.h"
#include "base/units.h"
#include "machine/sources.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_LIMIT = 8 << 20 }; /* /proc/cpuinfo of 4096 CPUs stays below this */

/* 0 when `path` really lies below `root` (itself real, see machine.c) and can be read. */
static int check_captured(const char *root, const char *path)
{
    char *real_path = realpath(path, NULL);
    struct stat status;
    int rc = -ENOENT;
    if (!real_path)
        return rc;
    size_t length = strlen(root);
    while (length > 0 && root[length - 1] == '/')
        length--;
    bool below = strncmp(real_path, root, length) == 0 &&
                 (real_path[length] == '/' || real_path[length] == '\0');
    if (below && stat(real_path, &status) == 0 &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        rc = 0;
    free(real_path);
    return rc;
}

__attribute__((format(printf, 3, 0))) static int locate(const struct machine *machine,
                                                        struct text *path,
                                                        const char *format,
                                                        va_list arguments)
{
    char *name = NULL;
    if (vasprintf(&name, format, arguments) < 0)
        return -ENOMEM;
    sonde_base_text_print(path, "%s%s", machine->sysroot ? machine->sysroot : "", name);
    free(name);
    if (path->failed)
        return -ENOMEM;
    return machine->sysroot ? check_captured(machine->sysroot, path->data) : 0;
}

__attribute__((format(printf, 4, 0))) static int read_line(const struct machine *machine,
                                                           char *line, size_t size,
                                                           const char *format,
                                                           va_list arguments)
{
    struct text path = {0};
    int rc = locate(machine, &path, format, arguments);
    if (rc == 0)
        rc = sonde_base_read_line(path.data, line, size);
    sonde_base_text_free(&path);
    if (rc < 0)
        return rc;
    char *start = sonde_base_trim(line);
    memmove(line, start, strlen(start) + 1);
    return 0;
}

int sonde_machine_read_line(const struct machine *machine, char *line, size_t size,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int rc = read_line(machine, line, size, format, arguments);
    va_end(arguments);
    return rc;
}

__attribute__((format(printf, 4, 0))) static int read_whole(const struct machine *machine,
                                                            char **data, size_t *length,
                                                            const char *format,
                                                            va_list arguments)
{
    struct text path = {0};
    int rc = locate(machine, &path, format, arguments);
    if (rc == 0)
        rc = sonde_base_read_file(path.data, FILE_LIMIT, data, length);
    sonde_base_text_free(&path);
    return rc < 0 ? rc : 0;
}

int sonde_machine_read_file(const struct machine *machine, char **data, size_t *length,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int rc = read_whole(machine, data, length, format, arguments);
    va_end(arguments);
    return rc;
}

int sonde_machine_read_count(const struct machine *machine, double *value,
                             const char *format, ...)
{
    char line[64];
    uint64_t count;
    va_list arguments;
    va_start(arguments, format);
    int rc = read_line(machine, line, sizeof line, format, arguments);
    va_end(arguments);
    if (rc == 0)
        rc = sonde_base_parse_count(line, &count);
    if (rc == 0)
        *value = (double)count;
    return rc;
}

int sonde_machine_read_cpus(const struct machine *machine, struct cpulist *list,
                            const char *format, ...)
{
    char *data = NULL;
    size_t length = 0;
    va_list arguments;
    va_start(arguments, format);
    int rc = read_whole(machine, &data, &length, format, arguments);
    va_end(arguments);
    if (rc == 0)
        rc = sonde_base_cpulist_parse(list, sonde_base_trim(data), NULL);
    free(data);
    return rc;
}

bool sonde_machine_exists(const struct machine *machine, const char *format, ...)
{
    struct text path = {0};
    struct stat status;
    va_list arguments;
    va_start(arguments, format);
    int rc = locate(machine, &path, format, arguments);
    va_end(arguments);
    bool found = rc == 0 && stat(path.data, &status) == 0;
    sonde_base_text_free(&path);
    return found;
}

/* The number in <prefix><digits><suffix>, or -1. */
static long entry_number(const char *name, const char *prefix, const char *suffix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 || !isdigit((unsigned char)name[length]))
        return -1;
    char *end;
    errno = 0;
    long number = strtol(name + length, &end, 10);
    return errno == 0 && strcmp(end, suffix) == 0 ? number : -1;
}

static int compare_numbers(const void *a, const void *b)
{
    unsigned long left = *(const unsigned long *)a, right = *(const unsigned long *)b;
    return left < right ? -1 : left > right;
}

/* Collects the numbers of matching entries into a malloc'd array. */
static int list_numbers(DIR *folder, const char *prefix, const char *suffix,
                        unsigned long **numbers, size_t *count)
{
    size_t capacity = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        long number = entry_number(entry->d_name, prefix, suffix);
        if (number < 0)
            continue;
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            unsigned long *grown = realloc(*numbers, capacity * sizeof *grown);
            if (!grown)
                return -ENOMEM;
            *numbers = grown;
        }
        (*numbers)[(*count)++] = (unsigned long)number;
    }
    if (*count)
        qsort(*numbers, *count, sizeof **numbers, compare_numbers);
    return 0;
}

static DIR *open_folder(const struct machine *machine, const char *folder)
{
    struct text path = {0};
    sonde_base_text_print(&path, "%s%s", machine->sysroot ? machine->sysroot : "",
                          folder);
    DIR *handle = NULL;
    if (!path.failed &&
        (!machine->sysroot || check_captured(machine->sysroot, path.data) == 0))
        handle = opendir(path.data);
    sonde_base_text_free(&path);
    return handle;
}

int sonde_machine_each_numbered(const struct machine *machine, const char *folder,
                                const char *prefix, const char *suffix,
                                int (*visit)(void *context, unsigned long number),
                                void *context)
{
    unsigned long *numbers = NULL;
    size_t count = 0;
    DIR *handle = open_folder(machine, folder);
    if (!handle)
        return -ENOENT;
    int rc = list_numbers(handle, prefix, suffix, &numbers, &count);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = visit(context, numbers[i]);
    closedir(handle);
    free(numbers);
    return rc;
}

const char *sonde_machine_field(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *line = text; line && *line;) {
        if (strncmp(line, key, length) == 0) {
            const char *after = line + length;
            after += strspn(after, " \t");
            if (*after == ':')
                return after + 1 + strspn(after + 1, " \t");
        }
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    return NULL;
}

double sonde_machine_field_bytes(const char *text, const char *key)
{
    const char *value = sonde_machine_field(text, key);
    if (!value || !isdigit((unsigned char)*value))
        return NAN;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (errno != 0 || strncmp(end, " kB", 3) != 0)
        return NAN;
    return (double)number * 1024.0;
}
