/* Sentences of several kinds of core: what all of them say is said once, the rest under
 * the name of its kind. */
#ifndef SONDE_REPORT_SENTENCES_H
#define SONDE_REPORT_SENTENCES_H

#include "report/terminal_parts.h"

struct sentence {
    const char *lead; /* a literal */
    char *text;       /* owned */
    size_t vantage;   /* whose it is */
};

/* Zeroed is empty. After an allocation failure `failed` is set and the rest is dropped.
 */
struct sentences {
    struct sentence *rows;
    size_t count, capacity;
    bool one_line; /* each is cut at the end of its line */
    bool failed;
};

void sonde_report_sentences_free(struct sentences *sentences);
__attribute__((format(printf, 4, 5))) void
sonde_report_sentence(struct sentences *sentences, size_t vantage, const char *lead,
                      const char *format, ...);
/* "L2 ways: measured 16, declared 8 (why)", of a finding that contradicts; else nothing.
 */
void sonde_report_contradiction(struct sentences *sentences, size_t vantage,
                                const struct finding *finding);
/* Draws and frees them, under `heading` (NULL: none) when there are any. */
void sonde_report_sentences_draw(struct sentences *sentences,
                                 const struct vantages *vantages, const char *heading,
                                 struct canvas *canvas);

#endif
