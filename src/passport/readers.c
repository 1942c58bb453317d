/* Reading any file: fetch it whole, refuse what is no text, give it to the surest reader.
 *
 * What can fool it: a file of another kind that looks like one of ours; that is why every
 * reader refuses rather than skips what it does not understand, and --format overrules.
 */
#include "passport/readers.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A full passport with all samples is a few MiB; above this it is something else. */
enum { FILE_LIMIT = 64 << 20 };

const struct reader *sonde_passport_readers(size_t *count)
{
#define READER(symbol, name, summary)                                                    \
    {name, summary, sonde_passport_recognise_##symbol, sonde_passport_read_##symbol},
    static const struct reader readers[] = {
#include "passport/readers.def"
    };
#undef READER
    *count = sizeof readers / sizeof readers[0];
    return readers;
}

static int read_standard_input(char **data, size_t *length)
{
    struct text text = {0};
    enum { PIECE = 64 << 10 };
    char *piece = malloc(PIECE);
    int rc = piece ? 0 : -ENOMEM;
    while (rc == 0) {
        ssize_t got = read(STDIN_FILENO, piece, PIECE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            rc = -errno;
        if (got <= 0)
            break;
        sonde_base_text_append(&text, piece, (size_t)got);
        if (text.failed)
            rc = -ENOMEM;
        else if (text.length > FILE_LIMIT)
            rc = -EFBIG;
    }
    free(piece);
    if (rc)
        sonde_base_text_free(&text);
    *data = text.data;
    *length = text.length;
    return rc;
}

static int fetch(const char *path, char **data, size_t *length, struct message *why)
{
    bool standard = strcmp(path, "-") == 0;
    const char *origin = standard ? "standard input" : path;
    int rc = standard ? read_standard_input(data, length)
                      : sonde_base_read_file(path, FILE_LIMIT, data, length);
    if (rc == -EFBIG)
        return sonde_base_fail(why, -EINVAL, "%s: larger than 64 MiB, which no curve is",
                               origin);
    if (rc)
        return sonde_base_fail(why, rc, "%s: %s", origin, strerror(-rc));
    return 0;
}

/* The line of the first byte that no text holds; 0: all is text. */
static size_t binary_line(const char *text, size_t length)
{
    size_t line = 1;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '\n')
            line++;
        else if ((byte < 0x20 && !strchr("\t\r\f", byte)) || byte == 0 || byte == 0x7f)
            return line;
    }
    return 0;
}

static bool blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n\f", text[i]) || text[i] == 0)
            return false;
    return true;
}

static const struct reader *by_name(const char *name)
{
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(readers[i].name, name) == 0)
            return &readers[i];
    return NULL;
}

static const struct reader *surest(const char *text, size_t length)
{
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count), *best = NULL;
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int sure = readers[i].recognise(text, length);
        if (sure > most) {
            most = sure;
            best = &readers[i];
        }
    }
    return best;
}

static int read_text(struct passport_list *list, const char *text, size_t length,
                     const char *origin, const struct reader *reader, struct message *why)
{
    if (blank(text, length))
        return sonde_base_fail(why, -EINVAL, "%s: empty", origin);
    size_t line = binary_line(text, length);
    if (line)
        return sonde_base_fail(why, -EINVAL, "%s:%zu: binary, not text", origin, line);
    if (!reader)
        reader = surest(text, length);
    if (!reader)
        return sonde_base_fail(why, -EINVAL,
                               "%s: in no form that sonde list readers names", origin);
    return reader->read(list, text, length, origin, why);
}

static int unknown_format(const char *format, struct message *why)
{
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count);
    struct text names = {0};
    for (size_t i = 0; i < count; i++)
        sonde_base_text_print(&names, "%s%s", i ? ", " : "", readers[i].name);
    int rc = sonde_base_fail(why, -EINVAL, "no format is named '%.40s': choose one of %s",
                             format, names.failed ? "the list" : names.data);
    sonde_base_text_free(&names);
    return rc;
}

int sonde_passport_read(struct passport_list *list, const char *path, const char *format,
                        struct message *why)
{
    const struct reader *reader = format ? by_name(format) : NULL;
    if (format && !reader)
        return unknown_format(format, why);
    char *text = NULL;
    size_t length = 0;
    int rc = fetch(path, &text, &length, why);
    if (rc == 0)
        rc = read_text(list, text ? text : "", length,
                       strcmp(path, "-") == 0 ? "standard input" : path, reader, why);
    free(text);
    return rc;
}
