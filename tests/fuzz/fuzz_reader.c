/* One reader under libFuzzer: whatever the bytes, it refuses or gives passports that can
 * be written and read again, and, now and then (it takes long), analysed.
 *
 * READER_NAME says which reader; built once for each. What it cannot find: wrong figures
 * from good files, which tests/unit/test_readers.c is for. */
#include "fuzz_reader.h"

#include "passport/passport.h"
#include "probes/verdicts.h"

#include <stdlib.h>
#include <string.h>

/* Larger inputs only repeat what smaller ones show. */
enum { LARGEST = 1 << 16, ANALYSE_ONE_IN = 256 };

static const struct reader *reader(void)
{
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(readers[i].name, READER_NAME) == 0)
            return &readers[i];
    abort();
}

static unsigned sum(const uint8_t *data, size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + data[i];
    return sum;
}

/* What was read can be written, and what was written is good. */
static void write_and_read(const struct passport_list *list)
{
    struct passport_list again = {0};
    struct message why = {{0}};
    char *text = NULL;
    size_t length;

    if (sonde_passport_to_json(list, true, &text, &length) != 0 ||
        sonde_passport_from_json(&again, text, length, "again", &why) != 0 ||
        again.count != list->count)
        abort();
    free(text);
    sonde_passport_list_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct passport_list list = {0};
    struct message why = {{0}};
    int error;

    if (size > LARGEST)
        return 0;
    reader()->recognise((const char *)data, size);
    error = reader()->read(&list, (const char *)data, size, "input", &why);
    if (error == 0 && list.count == 0)
        abort();
    if (error && (list.count || !why.text[0]))
        abort();
    if (!error)
        write_and_read(&list);
    if (!error && sum(data, size) % ANALYSE_ONE_IN == 0)
        for (size_t i = 0; i < list.count && i < 4; i++)
            if (sonde_probe_reconsider(&list.rows[i]) != 0)
                abort();
    sonde_passport_list_free(&list);
    return 0;
}
