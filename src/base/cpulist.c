/* Sets of CPUs and the kernel's list grammar.
 *
 * A list is text such as "0-3,8": numbers and ranges, separated by commas, and after a
 * range optionally ":used/group", which takes the first `used` of every `group` CPUs
 * ("0-15:2/4" is 0,1,4,5,8,9,12,13). An empty text is an empty set. White space, such as
 * the kernel's trailing newline, may stand around the whole.
 *
 * What can fool it: counting instead of listing ("0-1,4-5" has four CPUs, and none of
 * them is number 2), a machine with more CPUs than a fixed mask holds, and hostile
 * numbers, which SONDE_CPU_MAX bounds. */
#include "base/cpulist.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = sizeof(unsigned long) * CHAR_BIT };

void sonde_base_cpulist_free(struct cpulist *list)
{
    free(list->bits);
    *list = (struct cpulist){0};
}

static int make_room(struct cpulist *list, size_t words)
{
    unsigned long *bits;

    if (words <= list->words)
        return 0;
    bits = realloc(list->bits, words * sizeof *bits);
    if (bits == NULL)
        return -ENOMEM;
    memset(bits + list->words, 0, (words - list->words) * sizeof *bits);
    list->bits = bits;
    list->words = words;
    return 0;
}

int sonde_base_cpulist_add(struct cpulist *list, unsigned cpu)
{
    int result;

    if (cpu >= SONDE_CPU_MAX)
        return -EINVAL;
    result = make_room(list, cpu / WORD_BITS + 1);
    if (result == 0)
        list->bits[cpu / WORD_BITS] |= 1UL << cpu % WORD_BITS;
    return result;
}

void sonde_base_cpulist_remove(struct cpulist *list, unsigned cpu)
{
    if (cpu / WORD_BITS < list->words)
        list->bits[cpu / WORD_BITS] &= ~(1UL << cpu % WORD_BITS);
}

bool sonde_base_cpulist_has(const struct cpulist *list, unsigned cpu)
{
    return cpu / WORD_BITS < list->words &&
           (list->bits[cpu / WORD_BITS] >> cpu % WORD_BITS & 1) != 0;
}

size_t sonde_base_cpulist_count(const struct cpulist *list)
{
    size_t count = 0;

    for (size_t i = 0; i < list->words; i++)
        count += (size_t)__builtin_popcountl(list->bits[i]);
    return count;
}

int sonde_base_cpulist_next(const struct cpulist *list, unsigned from)
{
    for (size_t word = from / WORD_BITS; word < list->words; word++) {
        unsigned long bits = list->bits[word];

        if (word == from / WORD_BITS)
            bits &= ~0UL << from % WORD_BITS;
        if (bits != 0)
            return (int)(word * WORD_BITS) + __builtin_ctzl(bits);
    }
    return -1;
}

int sonde_base_cpulist_copy(struct cpulist *to, const struct cpulist *from)
{
    struct cpulist copy = {0};
    int result;

    if (to == from)
        return 0;
    result = make_room(&copy, from->words);
    if (result < 0)
        return result;
    if (from->words > 0)
        memcpy(copy.bits, from->bits, from->words * sizeof *from->bits);
    sonde_base_cpulist_free(to);
    *to = copy;
    return 0;
}

void sonde_base_cpulist_intersect(struct cpulist *list, const struct cpulist *other)
{
    for (size_t i = 0; i < list->words; i++)
        list->bits[i] &= i < other->words ? other->bits[i] : 0;
}

bool sonde_base_cpulist_equal(const struct cpulist *a, const struct cpulist *b)
{
    size_t words = a->words > b->words ? a->words : b->words;

    for (size_t i = 0; i < words; i++) {
        unsigned long in_a = i < a->words ? a->bits[i] : 0;
        unsigned long in_b = i < b->words ? b->bits[i] : 0;

        if (in_a != in_b)
            return false;
    }
    return true;
}

/* --- parsing --- */

struct range {
    unsigned first, last, used, group;
};

/* Takes a number off the front of `*text`; what is wrong with it, or NULL. */
static const char *take_number(const char **text, unsigned *value)
{
    if (!isdigit((unsigned char)**text))
        return "a CPU number is missing";
    for (*value = 0; isdigit((unsigned char)**text); (*text)++) {
        *value = *value * 10 + (unsigned)(**text - '0');
        if (*value >= SONDE_CPU_MAX)
            return "a number is too large";
    }
    return NULL;
}

static const char *take_groups(const char **text, struct range *range)
{
    const char *wrong;

    (*text)++; /* the colon */
    wrong = take_number(text, &range->used);
    if (wrong != NULL)
        return wrong;
    if (*(*text)++ != '/')
        return "a '/' is missing after ':'";
    wrong = take_number(text, &range->group);
    if (wrong == NULL && (range->used == 0 || range->used > range->group))
        wrong = "the group is empty or smaller than what is used of it";
    return wrong;
}

static const char *take_range(const char **text, struct range *range)
{
    const char *wrong = take_number(text, &range->first);

    range->last = range->first;
    range->used = range->group = 1;
    if (wrong != NULL || **text != '-')
        return wrong;
    (*text)++;
    wrong = take_number(text, &range->last);
    if (wrong == NULL && range->last < range->first)
        wrong = "a range runs backwards";
    if (wrong == NULL && **text == ':')
        wrong = take_groups(text, range);
    return wrong;
}

static int add_range(struct cpulist *list, const struct range *range)
{
    for (unsigned cpu = range->first; cpu <= range->last; cpu++) {
        int result = 0;

        if ((cpu - range->first) % range->group < range->used)
            result = sonde_base_cpulist_add(list, cpu);
        if (result < 0)
            return result;
    }
    return 0;
}

/* -EINVAL with `*wrong` set, -ENOMEM, or 0. `text` ends at `end`. */
static int parse_ranges(struct cpulist *list, const char *text, const char *end,
                        const char **wrong)
{
    while (text < end) {
        struct range range;
        int result;

        *wrong = take_range(&text, &range);
        if (*wrong == NULL && text < end && *text != ',')
            *wrong = "an unexpected character";
        if (*wrong == NULL && text < end && text + 1 == end)
            *wrong = "a comma at the end";
        if (*wrong != NULL)
            return -EINVAL;
        result = add_range(list, &range);
        if (result < 0)
            return result;
        if (text < end)
            text++; /* the comma */
    }
    return 0;
}

int sonde_base_cpulist_parse(struct cpulist *list, const char *text, struct message *why)
{
    struct cpulist parsed = {0};
    const char *wrong = NULL, *end = text + strlen(text);
    int result;

    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    while (text < end && isspace((unsigned char)*text))
        text++;
    result = parse_ranges(&parsed, text, end, &wrong);
    if (result < 0) {
        sonde_base_cpulist_free(&parsed);
        return sonde_base_fail(why, result, "CPU list \"%.*s\": %s",
                               end - text < 80 ? (int)(end - text) : 80, text,
                               wrong != NULL ? wrong : strerror(-result));
    }
    sonde_base_cpulist_free(list);
    *list = parsed;
    return 0;
}

/* --- formatting --- */

static unsigned end_of_run(const struct cpulist *list, unsigned cpu)
{
    while (sonde_base_cpulist_has(list, cpu + 1))
        cpu++;
    return cpu;
}

char *sonde_base_cpulist_format(const struct cpulist *list, char *out, size_t size)
{
    size_t length = 0, cut = 0; /* `cut`: where "..." still fits */
    int cpu = sonde_base_cpulist_next(list, 0);

    if (size > 0)
        out[0] = '\0';
    while (cpu >= 0) {
        unsigned first = (unsigned)cpu, last = end_of_run(list, first);
        char item[32];
        int count = snprintf(item, sizeof item, first == last ? "%s%u" : "%s%u-%u",
                             length > 0 ? "," : "", first, last);

        if (length + (size_t)count >= size) {
            snprintf(out + cut, size - cut, "%s", cut > 0 ? ",..." : "...");
            break;
        }
        memcpy(out + length, item, (size_t)count + 1);
        length += (size_t)count;
        if (length + sizeof ",..." <= size)
            cut = length;
        cpu = sonde_base_cpulist_next(list, last + 1);
    }
    return out;
}
