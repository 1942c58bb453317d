/* The page: the template from web/, with the passports set into it.
 *
 *   <title>          host of the first passport
 *   <noscript>       tables, made here (page_plain.c)
 *   <script json>    words: titles, values with units, advice (page_words.c)
 *   <script json>    the passports as docs/passport.schema.json has them, no samples
 *
 * The template carries its own policy: scripts and styles by hash, nothing from anywhere
 * else. What could fool it is a passport that holds markup: in HTML every special sign is
 * escaped, in JSON every "<" is written \u003c, so no text of a passport can end the
 * block it stands in. */
#include "report/page_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char mark_open[] = "@@sonde:", mark_close[] = "@@";

bool sonde_report_page_available(void)
{
    return sonde_report_page_length > 0;
}

void sonde_report_page_escape(struct text *out, const char *bytes)
{
    for (; *bytes; bytes++) {
        unsigned char c = (unsigned char)*bytes;

        if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
            sonde_base_text_print(out, "&#%d;", c);
        else
            sonde_base_text_append(out, c < 0x20 && c != '\n' && c != '\t' ? " " : bytes,
                                   1);
    }
}

/* JSON within a script element: "<" stands in strings only, where \u003c means the same.
 */
static void embed_json(struct text *out, const char *json, size_t length)
{
    const char *end = json + length;

    while (json < end) {
        const char *sign = memchr(json, '<', (size_t)(end - json));

        sonde_base_text_append(out, json, (size_t)((sign ? sign : end) - json));
        if (sign)
            sonde_base_text_append(out, "\\u003c", 6);
        json = sign ? sign + 1 : end;
    }
}

static void put_title(const struct passport_list *list, struct text *out)
{
    const char *host = list->count ? list->rows[0].machine.host : NULL;

    sonde_base_text_print(out, "sonde: ");
    sonde_report_page_escape(out, host ? host : "a machine");
    if (list->count > 1)
        sonde_base_text_print(out, " and %zu more", list->count - 1);
}

static void put_passports(const struct passport_list *list, struct text *out)
{
    char *json = NULL;
    size_t length = 0;

    if (sonde_passport_to_json(list, false, &json, &length))
        out->failed = true;
    else
        embed_json(out, json, length);
    free(json);
}

static void put_words(const struct passport_list *list,
                      const struct page_options *options, struct text *out)
{
    struct text words = {0};

    sonde_report_page_words(list, options, &words);
    out->failed = out->failed || words.failed;
    if (!words.failed)
        embed_json(out, words.data, words.length);
    sonde_base_text_free(&words);
}

/* The part that a mark of the template stands for. */
static void put_part(const char *name, size_t length, const struct passport_list *list,
                     const struct page_options *options, struct text *out)
{
    if (length == 5 && memcmp(name, "title", 5) == 0)
        put_title(list, out);
    else if (length == 5 && memcmp(name, "plain", 5) == 0)
        sonde_report_page_plain(list, out);
    else if (length == 5 && memcmp(name, "words", 5) == 0)
        put_words(list, options, out);
    else if (length == 9 && memcmp(name, "passports", 9) == 0)
        put_passports(list, out);
}

int sonde_report_page(const struct passport_list *list,
                      const struct page_options *options, struct text *out,
                      struct message *why)
{
    const char *rest = sonde_report_page_template;
    size_t left = (size_t)sonde_report_page_length;

    if (!sonde_report_page_available())
        return sonde_base_fail(
            why, -ENOSYS,
            "pages cannot be written: the page was not built in, since "
            "Node.js or the modules of web/ were missing");
    while (left) {
        const char *open = memmem(rest, left, mark_open, sizeof mark_open - 1), *close;

        if (!open)
            break;
        sonde_base_text_append(out, rest, (size_t)(open - rest));
        left -= (size_t)(open - rest) + sizeof mark_open - 1;
        rest = open + sizeof mark_open - 1;
        close = memmem(rest, left, mark_close, sizeof mark_close - 1);
        if (!close)
            break;
        put_part(rest, (size_t)(close - rest), list, options, out);
        left -= (size_t)(close - rest) + sizeof mark_close - 1;
        rest = close + sizeof mark_close - 1;
    }
    sonde_base_text_append(out, rest, left);
    return out->failed ? sonde_base_fail(why, -ENOMEM, "out of memory for the page") : 0;
}
