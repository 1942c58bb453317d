/* Reads the listings described in console.h. What can fool it: a listing that merged
 * levels (options of the lister); such files carry no tree of their own name and are not
 * read. */
#include "console.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const truth_names[TRUTH_CACHES] = {"l1i", "l1d", "l2", "l3", "l4"};

static const char *const objects[TRUTH_CACHES] = {"L1iCache", "L1dCache", "L2Cache",
                                                  "L3Cache", "L4Cache"};

enum { DEPTH_MAX = 64 };

/* What is open at each indentation: which cache (or -1) and its figures. */
struct open_object {
    size_t indent;
    int cache;
    struct truth_cache figures;
};

static double figure(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    if (!at)
        return 0;
    char *end;
    double value = strtod(at + strlen(key), &end);
    if (strncmp(end, "KiB", 3) == 0)
        value *= 1024;
    else if (strncmp(end, "MiB", 3) == 0)
        value *= 1024.0 * 1024;
    return value;
}

static int cache_of(const char *object)
{
    for (int i = 0; i < TRUTH_CACHES; i++)
        if (strncmp(object, objects[i], strlen(objects[i])) == 0)
            return i;
    return strncmp(object, "L2dCache", 8) == 0 ? 2 : -1; /* where L2 is split */
}

static void take_cpu(struct truth *truth, const char *object,
                     const struct open_object *open, size_t depth)
{
    const char *number = strstr(object, "(P#");
    if (!number || truth->count == TRUTH_CPUS)
        return;
    struct truth_cpu *cpu = &truth->cpus[truth->count++];
    *cpu = (struct truth_cpu){.number = (unsigned)strtoul(number + 3, NULL, 10)};
    for (size_t i = 0; i < depth; i++)
        if (open[i].cache >= 0)
            cpu->caches[open[i].cache] = open[i].figures;
}

int truth_read(struct truth *truth, const char *path)
{
    char line[2048];
    struct open_object open[DEPTH_MAX];
    size_t depth = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -errno;
    truth->count = 0;
    while (fgets(line, sizeof line, file) && strncmp(line, "depth", 5) != 0) {
        size_t indent = strspn(line, " ");
        const char *object = line + indent;
        while (depth && open[depth - 1].indent >= indent)
            depth--;
        if (strncmp(object, "PU ", 3) == 0)
            take_cpu(truth, object, open, depth);
        else if (depth < DEPTH_MAX)
            open[depth++] = (struct open_object){
                .indent = indent,
                .cache = cache_of(object),
                .figures = {figure(object, " size=") + figure(object, "(size="),
                            figure(object, "linesize="), figure(object, "ways=")}};
    }
    fclose(file);
    return truth->count ? 0 : -ENODATA;
}
