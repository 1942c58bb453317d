/* Sentences of several kinds of core, told apart only where they differ. */
#include "report/sentences.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void sonde_report_sentences_free(struct sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++)
        free(sentences->rows[i].text);
    free(sentences->rows);
    *sentences = (struct sentences){0};
}

static struct sentence *add(struct sentences *sentences)
{
    if (sentences->count == sentences->capacity) {
        size_t capacity = sentences->capacity ? 2 * sentences->capacity : 16;
        struct sentence *rows =
            reallocarray(sentences->rows, capacity, sizeof *sentences->rows);

        if (!rows)
            return NULL;
        sentences->rows = rows;
        sentences->capacity = capacity;
    }
    return &sentences->rows[sentences->count];
}

void sonde_report_sentence(struct sentences *sentences, size_t vantage, const char *lead,
                           const char *format, ...)
{
    struct sentence *row = add(sentences);
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (row && vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    if (!text) {
        sentences->failed = true;
        return;
    }
    *row = (struct sentence){lead, text, vantage};
    sentences->count++;
}

static bool same(const struct sentence *a, const struct sentence *b)
{
    return strcmp(a->text, b->text) == 0;
}

/* "performance, efficient: " of the vantages that say what row `first` says; empty when
 * all do, or an earlier row said it and `*said` is set. */
static void name_speakers(const struct sentences *sentences, size_t first,
                          const struct vantages *vantages, struct text *names, bool *said)
{
    size_t speakers = 0;

    *said = false;
    for (size_t i = 0; i < sentences->count; i++) {
        const struct sentence *row = &sentences->rows[i];
        const char *kind = vantages->rows[row->vantage].vantage.kind;

        if (!same(row, &sentences->rows[first]))
            continue;
        *said = *said || i < first;
        speakers++;
        sonde_base_text_print(names, "%s%s", names->length ? ", " : "",
                              kind ? kind : "?");
    }
    if (speakers < vantages->count)
        sonde_base_text_print(names, ": ");
    else
        sonde_base_text_free(names);
}

void sonde_report_sentences_draw(struct sentences *sentences,
                                 const struct vantages *vantages, const char *heading,
                                 struct canvas *canvas)
{
    if (sentences->count && heading)
        sonde_report_heading(canvas, heading);
    for (size_t i = 0; i < sentences->count; i++) {
        struct text names = {0};
        bool said;

        name_speakers(sentences, i, vantages, &names, &said);
        if (!said)
            sonde_report_say(canvas, sentences->rows[i].lead, "%s%s",
                             names.data ? names.data : "", sentences->rows[i].text);
        canvas->out->failed = canvas->out->failed || names.failed;
        sonde_base_text_free(&names);
    }
    canvas->out->failed = canvas->out->failed || sentences->failed;
    sonde_report_sentences_free(sentences);
}
