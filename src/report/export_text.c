/* Words of a passport inside other grammars: comments, XML, macros.
 *
 * A passport's strings come from the machine or from a file and may hold anything; what
 * could end a comment or an attribute is replaced here, in one place. */
#include "report/export.h"

#include "base/units.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

void sonde_report_put_comment(struct text *out, const char *word)
{
    static const char fine[] = " .,:;()+_-@/%=";

    for (size_t i = 0; word[i] && i < 160; i++) {
        char c = word[i];
        bool ok = ((unsigned char)c < 0x80 && isalnum((unsigned char)c)) ||
                  strchr(fine, c) != NULL;

        sonde_base_text_append(out, ok ? &c : "?", 1);
    }
}

static void put_passport(const struct passport *passport, struct text *out)
{
    const struct passport_machine *machine = &passport->machine;

    sonde_report_put_comment(out, machine->model ? machine->model : "an unknown machine");
    if (machine->host) {
        sonde_base_text_print(out, ", host ");
        sonde_report_put_comment(out, machine->host);
    }
    if (passport->vantage.kind) {
        sonde_base_text_print(out, ", cores of kind ");
        sonde_report_put_comment(out, passport->vantage.kind);
    }
    if (machine->date) {
        sonde_base_text_print(out, ", ");
        sonde_report_put_comment(out, machine->date);
    }
    if (passport->environment.emulation)
        sonde_base_text_print(out, ", emulated");
    else if (passport->environment.virtualization) {
        sonde_base_text_print(out, ", a virtual machine (");
        sonde_report_put_comment(out, passport->environment.virtualization);
        sonde_base_text_print(out, ")");
    }
}

void sonde_report_export_head(const struct passport_list *list, const char *lead,
                              const char *tail, struct text *out)
{
    const char *version = list->count ? list->rows[0].tool.version : NULL;

    sonde_base_text_print(out, "%sMade by sonde ", lead);
    sonde_report_put_comment(out, version ? version : "(unknown version)");
    sonde_base_text_print(out, " from:%s\n", tail);
    for (size_t i = 0; i < list->count && i < 8; i++) {
        sonde_base_text_print(out, "%s  ", lead);
        put_passport(&list->rows[i], out);
        sonde_base_text_print(out, "%s\n", tail);
    }
    if (list->count > 8)
        sonde_base_text_print(out, "%s  and %zu more%s\n", lead, list->count - 8, tail);
    if (list->count > 1)
        sonde_base_text_print(
            out, "%sOf several, the smallest sizes and the largest lines and pages.%s\n",
            lead, tail);
}

/* XML 1.0 knows no control characters, and no code points beyond Unicode. */
static const char *xml_entity(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return code < 0x20 || code > 0xfffd || (code >= 0x7f && code < 0xa0) ? "?" : NULL;
    }
}

static void put_xml(struct text *out, const char *word, bool lines)
{
    uint32_t code;
    size_t length;

    for (; (length = sonde_base_utf8_decode(word, &code)) > 0; word += length) {
        const char *entity = lines && code == '\n' ? NULL : xml_entity(code);

        if (entity)
            sonde_base_text_print(out, "%s", entity);
        else
            sonde_base_text_append(out, word, length);
    }
}

void sonde_report_put_macro(struct text *out, const char *key)
{
    sonde_base_text_print(out, "SONDE_");
    for (; *key; key++) {
        char c = (char)toupper((unsigned char)*key);

        sonde_base_text_append(out, isalnum((unsigned char)c) ? &c : "_", 1);
    }
}

void sonde_report_put_xml(struct text *out, const char *word)
{
    put_xml(out, word, false);
}

void sonde_report_put_xml_text(struct text *out, const char *word)
{
    put_xml(out, word, true);
}

/* By RFC 4180: quoted where needed; control characters become spaces, so that a record is
 * a line. */
void sonde_report_put_csv(struct text *out, const char *word)
{
    bool quoted = word && strpbrk(word, ",\"\n\r\t") != NULL;

    sonde_base_text_print(out, "%s", quoted ? "\"" : "");
    for (; word && *word; word++) {
        if (*word == '"')
            sonde_base_text_append(out, "\"\"", 2);
        else
            sonde_base_text_append(out, (unsigned char)*word < 0x20 ? " " : word, 1);
    }
    sonde_base_text_print(out, "%s", quoted ? "\"" : "");
}

void sonde_report_put_csv_number(struct text *out, double value)
{
    if (isfinite(value))
        sonde_base_text_print(out, "%s", sonde_report_plain_number(value).text);
}

void sonde_report_put_csv_lead(struct text *out, const struct passport *passport,
                               size_t number)
{
    sonde_base_text_print(out, "%zu,", number);
    sonde_report_put_csv(out, passport->machine.host);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv_number(out, passport->vantage.cpu);
    sonde_base_text_print(out, ",");
    sonde_report_put_csv(out, passport->vantage.kind);
    sonde_base_text_print(out, ",");
}

int sonde_report_export_end(const struct text *out, bool any, const char *tool,
                            struct message *why)
{
    if (out->failed)
        return sonde_base_fail(why, -ENOMEM, "out of memory for the export");
    if (!any)
        return sonde_base_fail(
            why, -ENODATA,
            "nothing that %s takes is known: measure with sonde run, or see its warnings",
            tool);
    return 0;
}
