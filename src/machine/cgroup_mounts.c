/* Where the control groups of this process are in the file system.
 *
 * /proc/self/cgroup names the path within each hierarchy, /proc/self/mountinfo where a
 * hierarchy is mounted and which of its folders is the root of that mount:
 *
 *     0::/user.slice/a                    v2 (unified)
 *     4:memory,cpu:/docker/0123           v1, with its controllers
 *     31 23 0:28 /docker/0123 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
 *                \_ root       \_ mount point           \_ type       \_ controllers
 *
 * The folder is mount point + (path - root). A path that does not lie below the root, or
 * that climbs out of the namespace ("/../x"), is reached at the mount point itself.
 * Old captures have only /proc/mounts (no roots) and /proc/self/cpuset.
 *
 * What can fool it: limits of levels above the root of the mount cannot be seen by path
 * in v2; in v1 memory.stat carries the least of them (hierarchical_memory_limit). */
#include "base/text.h"
#include "machine/sources.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CGROUP_PATH = 1024 };

struct mount {
    char point[CGROUP_PATH], root[CGROUP_PATH];
    bool unified, noprefix;
};

/* Is `word` one of the comma-separated words of `list`? */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && *at;) {
        size_t span = strcspn(at, ", \n");
        if (span == length && strncmp(at, word, length) == 0)
            return true;
        at += span;
        at += *at == ',' || *at == ' ';
        if (*at == '\n')
            break;
    }
    return false;
}

/* "\040" and its like, as the kernel writes white space in mount tables. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
            *to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* Fills in the kind of mount from its file system type and options; false: none of ours.
 */
static bool classify(struct mount *mount, const char *type, const char *options,
                     const char *controller)
{
    mount->unified = strcmp(type, "cgroup2") == 0;
    bool cpuset_fs = strcmp(type, "cpuset") == 0;
    mount->noprefix = cpuset_fs || has_word(options, "noprefix");
    if (cpuset_fs)
        return strcmp(controller, "cpuset") == 0;
    if (mount->unified)
        return true;
    return strcmp(type, "cgroup") == 0 && has_word(options, controller);
}

/* One line of mountinfo. Optional fields end at " - ". */
static bool parse_mountinfo(const char *line, struct mount *mount, const char *controller)
{
    char type[32], options[512];
    if (sscanf(line, "%*s %*s %*s %1023s %1023s", mount->root, mount->point) != 2)
        return false;
    const char *end = strchr(line, '\n');
    const char *dash = strstr(line, " - ");
    if (!dash || (end && dash > end) ||
        sscanf(dash, " - %31s %*s %511s", type, options) != 2)
        return false;
    unescape(mount->root);
    unescape(mount->point);
    return classify(mount, type, options, controller);
}

/* One line of /proc/mounts, which does not tell the root of a mount. */
static bool parse_mounts(const char *line, struct mount *mount, const char *controller)
{
    char type[32], options[512];
    if (sscanf(line, "%*s %1023s %31s %511s", mount->point, type, options) != 3)
        return false;
    strcpy(mount->root, "/");
    unescape(mount->point);
    return classify(mount, type, options, controller);
}

/* The path of this process in the hierarchy of `mount`. */
static bool own_path(const struct machine *machine, const char *table,
                     const struct mount *mount, const char *controller, char *path)
{
    for (const char *line = table; line && *line;) {
        const char *first = strchr(line, ':');
        const char *second = first ? strchr(first + 1, ':') : NULL;
        const char *end = line + strcspn(line, "\n");
        if (second && second < end) {
            bool unified = second == first + 1;
            char names[256];
            snprintf(names, sizeof names, "%.*s", (int)(second - first - 1), first + 1);
            if (unified ? mount->unified
                        : !mount->unified && has_word(names, controller)) {
                snprintf(path, CGROUP_PATH, "%.*s", (int)(end - second - 1), second + 1);
                return true;
            }
        }
        line = *end ? end + 1 : NULL;
    }
    return strcmp(controller, "cpuset") == 0 &&
           sonde_machine_read_line(machine, path, CGROUP_PATH, "/proc/self/cpuset") == 0;
}

/* The part of `path` below the mount's root; "" at the root or when it is not below. */
static const char *below_root(const struct mount *mount, const char *path)
{
    size_t length = strlen(mount->root);
    while (length > 0 && mount->root[length - 1] == '/')
        length--;
    if (strstr(path, "/..") || strncmp(path, mount->root, length) != 0 ||
        (path[length] != '/' && path[length] != '\0'))
        return "";
    return strcmp(path + length, "/") == 0 ? "" : path + length;
}

/* From the own level up to the mount point. `path` starts with '/', or is "". */
static int climb(const struct mount *mount, char *path,
                 int (*visit)(void *context, const struct cgroup_level *level),
                 void *context)
{
    for (;;) {
        char folder[2 * CGROUP_PATH];
        snprintf(folder, sizeof folder, "%s%s", mount->point, path);
        struct cgroup_level level = {.folder = folder,
                                     .path = *path ? path : "/",
                                     .unified = mount->unified,
                                     .noprefix = mount->noprefix};
        int rc = visit(context, &level);
        if (rc != 0 || !*path)
            return rc;
        char *slash = strrchr(path, '/');
        *(slash ? slash : path) = '\0';
    }
}

struct walk {
    const struct machine *machine;
    const char *controller, *table;
    int (*visit)(void *context, const struct cgroup_level *level);
    void *context;
    bool unified_done; /* several mounts of v2 are one hierarchy */
};

static int walk_mount(struct walk *walk, const struct mount *mount)
{
    char path[CGROUP_PATH], relative[CGROUP_PATH];
    if (mount->unified && walk->unified_done)
        return 0;
    if (!own_path(walk->machine, walk->table, mount, walk->controller, path))
        strcpy(path, "/");
    walk->unified_done |= mount->unified;
    snprintf(relative, sizeof relative, "%s", below_root(mount, path));
    return climb(mount, relative, walk->visit, walk->context);
}

int sonde_machine_cgroup_each(const struct machine *machine, const char *controller,
                              int (*visit)(void *context,
                                           const struct cgroup_level *level),
                              void *context)
{
    char *mounts = NULL, *table = NULL;
    size_t length = 0;
    bool (*parse)(const char *, struct mount *, const char *) = parse_mountinfo;
    if (sonde_machine_read_file(machine, &mounts, &length, "/proc/self/mountinfo") < 0) {
        parse = parse_mounts;
        if (sonde_machine_read_file(machine, &mounts, &length, "/proc/mounts") < 0)
            return -ENOENT;
    }
    if (sonde_machine_read_file(machine, &table, &length, "/proc/self/cgroup") < 0)
        table = NULL;
    struct walk walk = {machine, controller, table, visit, context, false};
    int rc = 0;
    for (const char *line = mounts; rc == 0 && line && *line;) {
        struct mount mount;
        if (parse(line, &mount, controller))
            rc = walk_mount(&walk, &mount);
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    free(mounts);
    free(table);
    return rc;
}
