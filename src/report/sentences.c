/* Sentences of several kinds of core, told apart only where they differ. */
#include "report/sentences.h"

#include "infer/names.h"

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

void sonde_report_contradiction(struct sentences *sentences, size_t vantage,
                                const struct finding *finding)
{
    char title[64];

    if (!finding || finding->verdict != VERDICT_CONTRADICTS)
        return;
    sonde_report_sentence(
        sentences, vantage, INK_BAD "✗ " INK_PLAIN, "%s: measured %s, declared %s%s%s%s",
        sonde_infer_title(finding->name, title, sizeof title),
        sonde_report_value(finding).text,
        sonde_report_number(finding->declared, finding->unit).text,
        finding->reason ? " (" : "", finding->reason ? finding->reason : "",
        finding->reason ? ")" : "");
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

static void draw_one(struct canvas *canvas, const struct sentences *sentences, size_t row,
                     const char *names)
{
    const struct sentence *sentence = &sentences->rows[row];
    struct text line = {0};

    if (!sentences->one_line) {
        sonde_report_say(canvas, sentence->lead, "%s%s", names, sentence->text);
        return;
    }
    sonde_base_text_print(&line, "%s%s%s", sentence->lead, names, sentence->text);
    if (line.failed)
        canvas->out->failed = true;
    else
        sonde_report_line(canvas, line.data);
    sonde_base_text_free(&line);
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
            draw_one(canvas, sentences, i, names.data ? names.data : "");
        canvas->out->failed = canvas->out->failed || names.failed;
        sonde_base_text_free(&names);
    }
    canvas->out->failed = canvas->out->failed || sentences->failed;
    sonde_report_sentences_free(sentences);
}
