/* --format NAME of the commands that read files: refused before any file is opened. */
#include "cli/cli.h"

#include "passport/passport.h"

#include <string.h>

int sonde_cli_check_format(const char *format)
{
    size_t count;
    const struct reader *readers = sonde_passport_readers(&count);
    struct text names = {0};
    int status = EXIT_DONE;

    for (size_t i = 0; i < count; i++) {
        if (strcmp(readers[i].name, format) == 0)
            goto out;
        sonde_base_text_print(&names, "%s%s", i ? ", " : "", readers[i].name);
    }
    status = sonde_cli_misuse("no format is named '%.40s': choose one of %s", format,
                              names.failed ? "the list" : names.data);
out:
    sonde_base_text_free(&names);
    return status;
}
