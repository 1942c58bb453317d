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
#define NAME(pattern, title, unit, meaning)       {pattern, title, unit, meaning, NULL},
#define KEY(pattern, brief, title, unit, meaning) {pattern, title, unit, meaning, brief},
#include "infer/names.def"
#undef NAME
#undef KEY
};

const struct finding_name *sonde_infer_names(size_t *count)
{
    *count = sizeof names / sizeof names[0];
    return names;
}

/* The star stands for one part of the name, between dots; `part` is that part. */
static bool fits(const char *pattern, const char *name, const char **part, size_t *length)
{
    const char *star = strchr(pattern, '*');
    size_t before = star ? (size_t)(star - pattern) : 0;

    *part = name;
    *length = 0;
    if (!star)
        return strcmp(pattern, name) == 0;
    if (strncmp(pattern, name, before) != 0)
        return false;
    *part = name + before;
    *length = strcspn(*part, ".");
    return *length > 0 && strcmp(star + 1, *part + *length) == 0;
}

static const struct finding_name *find_row(const char *name, const char **part,
                                           size_t *length)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fits(names[i].pattern, name, part, length))
            return &names[i];
    return NULL;
}

const struct finding_name *sonde_infer_name(const char *name)
{
    const char *part;
    size_t length;

    return find_row(name, &part, &length);
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
    const char *part, *star;
    size_t length;
    const struct finding_name *row = find_row(name, &part, &length);
    char level[24];

    star = row ? strchr(row->title, '*') : NULL;
    if (!row)
        snprintf(out, size, "%s", name);
    else if (!star)
        snprintf(out, size, "%s", row->title);
    else
        snprintf(out, size, "%.*s%s%s", (int)(star - row->title), row->title,
                 sonde_infer_level_title(part, length, level, sizeof level), star + 1);
    return out;
}
