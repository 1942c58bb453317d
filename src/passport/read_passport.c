/* The reader of our own files: JSON that begins as an object or an array of objects. */
#include "passport/readers.h"

#include <string.h>

int sonde_passport_recognise_passport(const char *text, size_t length)
{
    size_t start = 0;
    while (start < length && strchr(" \t\r\n", text[start]))
        start++;
    if (start == length || (text[start] != '{' && text[start] != '['))
        return 0;
    /* "schema" is the first key that is written; a hand-edited file may have moved it. */
    return memmem(text, length, "\"schema\"", 8) ? 95 : 60;
}

int sonde_passport_read_passport(struct passport_list *list, const char *text,
                                 size_t length, const char *origin, struct message *why)
{
    return sonde_passport_from_json(list, text, length, origin, why);
}
