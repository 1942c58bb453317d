/* Strings: a builder that grows, copies, trimming, the nearest name.
 *
 * The builder doubles, so building a passport of megabytes stays linear. After an
 * allocation failure it drops everything, and the caller looks once, at the end.
 *
 * What can fool it: a format that carries a decimal point under a foreign LC_NUMERIC;
 * hence every format goes through sonde_base_format, which borrows the C locale for the
 * calling thread alone. */
#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int sonde_base_format(char *out, size_t size, const char *format, va_list arguments)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t former = uselocale(plain);
    int length = vsnprintf(out, size, format, arguments);

    uselocale(former);
    freelocale(plain);
    return length;
}

void sonde_base_text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

/* Makes room for `more` bytes and the NUL. */
static bool make_room(struct text *text, size_t more)
{
    size_t capacity = text->capacity > 0 ? text->capacity : 64;
    char *data;

    if (text->failed || more >= SIZE_MAX / 2 - text->length)
        return false;
    while (capacity < text->length + more + 1)
        capacity *= 2;
    if (capacity == text->capacity)
        return true;
    data = realloc(text->data, capacity);
    if (data == NULL)
        return false;
    text->data = data;
    text->capacity = capacity;
    return true;
}

void sonde_base_text_append(struct text *text, const char *bytes, size_t count)
{
    if (!make_room(text, count)) {
        text->failed = true;
        return;
    }
    if (count > 0)
        memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void sonde_base_text_print(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    int length;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = sonde_base_format(NULL, 0, format, arguments);
    if (length < 0 || !make_room(text, (size_t)length)) {
        text->failed = true;
    } else {
        sonde_base_format(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

char *sonde_base_copy(const char *text)
{
    return text != NULL ? strdup(text) : NULL;
}

char *sonde_base_trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Wagner and Fischer's table, of which one row is kept: row[j] is the distance of the
 * part of `a` seen so far to the first j characters of `b`. */
size_t sonde_base_distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b), result;
    size_t *row = calloc(columns + 1, sizeof *row);

    if (row == NULL)
        return rows > columns ? rows : columns;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t above = row[j];

            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    result = row[columns];
    free(row);
    return result;
}
