/* Strict parsing of numbers and sizes.
 *
 * A text is taken whole or refused: no trailing letters, no hexadecimal, no nan or inf,
 * no sign where a count is meant, and always a decimal point, whatever the locale. A size
 * that says that nothing is known ("unknown size", 0, -1, nothing at all: all seen in
 * sysfs and sysconf) is told apart from a text that is no size. */
#include "base/text.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Above this a size is hostile or broken; no memory comes near it. */
#define SIZE_LIMIT 0x1p62

static bool skip_digits(const char **text)
{
    const char *start = *text;

    while (isdigit((unsigned char)**text))
        (*text)++;
    return *text > start;
}

/* digits [ "." digits ] */
static bool skip_decimal(const char **text)
{
    if (!skip_digits(text))
        return false;
    if (**text != '.')
        return true;
    (*text)++;
    return skip_digits(text);
}

static bool skip_exponent(const char **text)
{
    if (tolower((unsigned char)**text) != 'e')
        return true;
    (*text)++;
    if (**text == '+' || **text == '-')
        (*text)++;
    return skip_digits(text);
}

static double to_double(const char *text)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = strtod_l(text, NULL, plain);

    freelocale(plain);
    return value;
}

int sonde_base_parse_number(const char *text, double *value)
{
    const char *at = text;
    double parsed;

    if (*at == '+' || *at == '-')
        at++;
    if (!skip_decimal(&at) || !skip_exponent(&at) || *at != '\0')
        return -EINVAL;
    parsed = to_double(text);
    if (!isfinite(parsed))
        return -EINVAL;
    *value = parsed;
    return 0;
}

int sonde_base_parse_count(const char *text, uint64_t *value)
{
    uint64_t parsed = 0;

    if (*text == '\0')
        return -EINVAL;
    for (const char *at = text; *at != '\0'; at++)
        if (!isdigit((unsigned char)*at))
            return -EINVAL;
    for (; *text != '\0'; text++) {
        unsigned digit = (unsigned)(*text - '0');

        if (parsed > (UINT64_MAX - digit) / 10)
            return -ERANGE;
        parsed = parsed * 10 + digit;
    }
    *value = parsed;
    return 0;
}

static bool says_unknown(const char *text)
{
    return *text == '\0' || strcmp(text, "-1") == 0 || strcasecmp(text, "unknown") == 0 ||
           strcasecmp(text, "unknown size") == 0;
}

/* What a unit multiplies by; 0 for no unit of ours. `text` has no blanks around it. */
static double unit_factor(const char *text)
{
    static const char letters[] = "KMGTPE";
    const char *letter;

    if (*text == '\0' || strcasecmp(text, "B") == 0 || strcasecmp(text, "bytes") == 0)
        return 1;
    letter = strchr(letters, toupper((unsigned char)*text));
    text++;
    if (letter == NULL ||
        (*text != '\0' && strcasecmp(text, "B") != 0 && strcasecmp(text, "iB") != 0))
        return 0;
    return ldexp(1, 10 * (int)(letter - letters + 1));
}

/* `text` is trimmed and may be changed. */
static int parse_trimmed_size(char *text, uint64_t *bytes)
{
    const char *at = text;
    uint64_t whole;
    double value, factor;
    int result = 0;

    if (says_unknown(text))
        return -ENODATA;
    if (!skip_decimal(&at))
        return -EINVAL;
    factor = unit_factor(sonde_base_trim(text + (at - text)));
    if (factor == 0)
        return -EINVAL;
    value = to_double(text) * factor;
    if (factor == 1 && value != floor(value))
        return -EINVAL;
    if (value > SIZE_LIMIT)
        return -ERANGE;
    whole = (uint64_t)llround(value);
    if (factor == 1 && memchr(text, '.', (size_t)(at - text)) == NULL) {
        text[at - text] = '\0'; /* beyond 2^53 a double would round */
        result = sonde_base_parse_count(text, &whole);
    }
    if (result == 0 && whole == 0)
        result = -ENODATA;
    if (result == 0)
        *bytes = whole;
    return result;
}

int sonde_base_parse_size(const char *text, uint64_t *bytes)
{
    char *copy = sonde_base_copy(text);
    int result;

    if (copy == NULL)
        return text == NULL ? -ENODATA : -ENOMEM;
    result = parse_trimmed_size(sonde_base_trim(copy), bytes);
    free(copy);
    return result;
}
