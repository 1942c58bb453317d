/* What every reader's file offers; the contracts are those of struct reader. */
#ifndef SONDE_PASSPORT_READERS_H
#define SONDE_PASSPORT_READERS_H

#include "passport/passport.h"

#define READER(symbol, name, summary)                                                    \
    int sonde_passport_recognise_##symbol(const char *text, size_t length);              \
    int sonde_passport_read_##symbol(struct passport_list *list, const char *text,       \
                                     size_t length, const char *origin,                  \
                                     struct message *why);
#include "passport/readers.def"
#undef READER

#endif
