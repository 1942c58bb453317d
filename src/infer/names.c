/* The table of names.def, and how a name finds its row.
 *
 * What can fool it: a new finding without a row; it is then shown under its own name,
 * which is a flaw of looks and not of content. */
#include "infer/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct finding_name names[] = {
#define NAME(pattern, title, unit, meaning) {pattern, title, unit, meaning},
#include "infer/names.def"
#undef NAME
};

const struct finding_name *sonde_infer_names(size_t *count)
{
    *count = sizeof names / sizeof names[0];
    return names;
}

/* The star stands for one part of the name, up to its first dot. */
static bool fits(const char *pattern, const char *name)
{
    const char *dot = strchr(name, '.');

    if (pattern[0] != '*')
        return strcmp(pattern, name) == 0;
    return dot && dot > name && strcmp(pattern + 1, dot) == 0;
}

const struct finding_name *sonde_infer_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fits(names[i].pattern, name))
            return &names[i];
    return NULL;
}

char *sonde_infer_level_title(const char *level, size_t length, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)length, level);
    if (strcmp(out, "llc") == 0)
        snprintf(out, size, "LLC");
    else if (out[0] == 'l' && isdigit((unsigned char)out[1]))
        out[0] = 'L';
    return out;
}

char *sonde_infer_title(const char *name, char *out, size_t size)
{
    const struct finding_name *row = sonde_infer_name(name);
    char level[24];

    if (!row)
        snprintf(out, size, "%s", name);
    else if (row->title[0] != '*')
        snprintf(out, size, "%s", row->title);
    else
        snprintf(out, size, "%s%s",
                 sonde_infer_level_title(name, strcspn(name, "."), level, sizeof level),
                 row->title + 1);
    return out;
}
