/* Sections of the documentation, and the way from a finding to its section.
 *
 * Most findings carry the name of their probe as the first part of their own. Levels do
 * not: they come from the ladder, and what is about sets from the probe of sets. What can
 * fool it: a section that is renamed; a test holds every name against the text. */
#include "report/method.h"

#include <string.h>
#include <strings.h>

static const char heading[] = "## ";
enum { HEADING = sizeof heading - 1 };

/* The first heading at or behind `from` that begins a line; the end when there is none.
 */
static const char *find_heading(const char *from, const char *end)
{
    const char *text = (const char *)sonde_report_method_text;

    for (; from < end; from++)
        if ((from == text || from[-1] == '\n') && strncmp(from, heading, HEADING) == 0)
            return from;
    return end;
}

bool sonde_report_method_next(struct method_section *section)
{
    const char *text = (const char *)sonde_report_method_text;
    const char *end = text + sonde_report_method_length;
    const char *here =
        find_heading(section->body ? section->body + section->body_length : text, end);

    if (here == end)
        return false;
    section->title = here + HEADING;
    section->title_length = strcspn(section->title, "\n");
    section->body = section->title + section->title_length;
    section->body_length = (size_t)(find_heading(section->body, end) - section->body);
    return true;
}

static bool same(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncasecmp(word, name, length) == 0;
}

static bool is_titled(const struct method_section *section, const char *name)
{
    const char *end = section->title + section->title_length;
    const char *open = memchr(section->title, '`', section->title_length);
    static const char program[] = "sonde ";

    if (same(section->title, section->title_length, name))
        return true;
    while (open) {
        const char *word = open + 1;
        const char *close = memchr(word, '`', (size_t)(end - word));

        if (!close)
            return false;
        if (strncmp(word, program, sizeof program - 1) == 0)
            word += sizeof program - 1;
        if (same(word, (size_t)(close - word), name))
            return true;
        open = memchr(close + 1, '`', (size_t)(end - close - 1));
    }
    return false;
}

bool sonde_report_method_find(const char *name, struct method_section *section)
{
    *section = (struct method_section){0};
    while (sonde_report_method_next(section))
        if (is_titled(section, name))
            return true;
    return false;
}

/* --- from a finding to its section -----------------------------------------------------
 */

/* Findings that do not begin with a section's name. "*" as the first part is a row of the
 * table of names that any level fits. */
static const struct origin {
    const char *first, *last; /* NULL: any; "*": any level */
    const char *section, *also;
} origins[] = {
    {NULL, "code", "bench", NULL},
    {"page", "granule", "tlb", "latency"},
    {"numa", NULL, "numa", "files of other tools"},
    {"*", "ways", "ways", NULL},
    {"*", "sets", "ways", NULL},
    {"*", "span", "ways", NULL},
    {"*", "size", "latency", "ways"},
    {"*", NULL, "latency", NULL},
};

static bool is_level(const char *first, size_t length)
{
    static const char *const levels[] = {"*", "l1d", "l2", "l3", "l4", "llc", "memory"};

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (same(first, length, levels[i]))
            return true;
    return false;
}

static bool is_from(const struct origin *origin, const char *finding, size_t length)
{
    const char *last = strrchr(finding, '.');

    if (origin->last && strcmp(last + 1, origin->last) != 0)
        return false;
    if (!origin->first)
        return true;
    return strcmp(origin->first, "*") == 0 ? is_level(finding, length)
                                           : same(finding, length, origin->first);
}

bool sonde_report_method_of(const char *finding, struct method_origin *origin)
{
    size_t length = strcspn(finding, ".");
    struct method_section section;

    *origin = (struct method_origin){.level = is_level(finding, length)};
    if (!finding[length] || length >= sizeof origin->section)
        return false;
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++)
        if (is_from(&origins[i], finding, length)) {
            snprintf(origin->section, sizeof origin->section, "%s", origins[i].section);
            origin->also = origins[i].also;
            return true;
        }
    memcpy(origin->section, finding, length);
    return sonde_report_method_find(origin->section, &section);
}
