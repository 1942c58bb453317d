/* One line for a person.
 *
 * The text is formatted as in the C locale and made to stay on one line: control
 * characters, which a hostile file name or a captured tree may bring along, become
 * question marks or blanks, and a text that does not fit ends in "...". */
#include "base/error.h"

#include "base/text.h"

#include <stdarg.h>
#include <string.h>

static void keep_to_one_line(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n' || *text == '\r' || *text == '\t')
            *text = ' ';
        else if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
    }
}

/* Ends a cut text with "...", never in the middle of a UTF-8 character. */
static void mark_cut(char *text, size_t size)
{
    size_t end = size - sizeof "...";

    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, "...", sizeof "...");
}

int sonde_base_fail(struct message *message, int code, const char *format, ...)
{
    va_list arguments;
    int length;

    if (message == NULL)
        return code;
    va_start(arguments, format);
    length = sonde_base_format(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof message->text)
        mark_cut(message->text, sizeof message->text);
    keep_to_one_line(message->text);
    return code;
}
