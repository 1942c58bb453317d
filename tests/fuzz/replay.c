/* The fuzz target without libFuzzer: every file of a corpus as it is, and spoiled in ways
 * drawn from a fixed seed. A short run for every build; the long ones are `make fuzz`.
 *
 *   replay FOLDER TIMES */
#include "fuzz_reader.h"

#include "base/random.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What parsers stumble over. */
static const char *const pieces[] = {
    "",    ",",   "\n",    "\r\n",        " ",    "-",    "0",    "-1",
    "nan", "inf", "1e999", "99999999999", ":",    "{",    "[",    "]",
    "}}",  "\"",  "#",     "K",           "KB",   "ns",   "\xff", "\xc3\xa9",
    "s",   "=",   ".",     "\t",          "1e-9", "cpu4", "(",    ")",
};

/* Cuts, doubles, overwrites or inserts, once. `text` has room for twice `size` and 64. */
static size_t spoil(struct random_source *random, char *text, size_t size)
{
    const char *piece =
        pieces[sonde_base_random_below(random, sizeof pieces / sizeof *pieces)];
    size_t at = size ? sonde_base_random_below(random, size) : 0;
    size_t length = strlen(piece), part = size - at < 40 ? size - at : 40;

    switch (sonde_base_random_below(random, 5)) {
    case 0:
        return at;
    case 1:
        memmove(text + at + part, text + at, size - at);
        return size + part;
    case 2:
        if (at < size)
            text[at] = (char)sonde_base_random_below(random, 256);
        return size;
    case 3:
        memmove(text + at, text + at + part, size - at - part);
        return size - part;
    default:
        memmove(text + at + length, text + at, size - at);
        memcpy(text + at, piece, length);
        return size + length;
    }
}

static int replay(const char *path, unsigned times)
{
    struct random_source random;
    char *text, *copy;
    size_t size;
    int error = sonde_base_read_file(path, 1 << 16, &text, &size);

    if (error)
        return error;
    copy = malloc(3 * size + 1024);
    if (!copy) {
        free(text);
        return -ENOMEM;
    }
    sonde_base_random_seed(&random, sonde_base_hash(strrchr(path, '/')));
    LLVMFuzzerTestOneInput((const uint8_t *)text, size);
    for (unsigned i = 0; i < times; i++) {
        size_t now = size;

        memcpy(copy, text, size);
        for (uint64_t k = sonde_base_random_below(&random, 4); k-- > 0 && now < 2 * size;)
            now = spoil(&random, copy, now);
        LLVMFuzzerTestOneInput((const uint8_t *)copy, now);
    }
    free(copy);
    free(text);
    return 0;
}

int main(int count, char **arguments)
{
    DIR *folder = count == 3 ? opendir(arguments[1]) : NULL;
    struct dirent *entry;
    unsigned files = 0;

    if (!folder) {
        printf("usage: replay FOLDER TIMES\n");
        return 2;
    }
    while ((entry = readdir(folder))) {
        char path[1024];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", arguments[1], entry->d_name);
        if (replay(path, (unsigned)atoi(arguments[2])) != 0)
            return 1;
        files++;
    }
    closedir(folder);
    printf("%u files\n", files);
    return files == 0;
}
