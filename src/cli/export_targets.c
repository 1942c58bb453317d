/* Where exports go: KIND=FILE, each looked at before anything is measured.
 *
 * A file is written whole or not at all. One export that has nothing to say does not keep
 * the others from being written. */
#include "cli/cli.h"

#include "report/export.h"

#include <string.h>

const struct export_kind *sonde_cli_export_kind(const char *name)
{
    const struct export_kind *kind = sonde_report_export_find(name);
    size_t count, best = 4; /* further away it is no slip of the finger */
    const struct export_kind *all = sonde_report_exports(&count);
    const char *nearest = NULL;

    for (size_t i = 0; !kind && i < count; i++) {
        size_t distance = sonde_base_distance(name, all[i].name);

        if (distance < best) {
            best = distance;
            nearest = all[i].name;
        }
    }
    if (!kind && nearest)
        sonde_cli_misuse("there is no export '%s'; did you mean '%s'?", name, nearest);
    else if (!kind)
        sonde_cli_misuse("there is no export '%s'; sonde list exports names them all",
                         name);
    return kind;
}

int sonde_cli_export_add(struct export_targets *targets, const char *word)
{
    const char *equals = strchr(word, '=');
    char name[40];
    int status;

    if (!equals || !equals[1] || (size_t)(equals - word) >= sizeof name)
        return sonde_cli_misuse("--export %s is not KIND=FILE, such as gcc=params.txt",
                                word);
    memcpy(name, word, (size_t)(equals - word));
    name[equals - word] = '\0';
    const struct export_kind *kind = sonde_cli_export_kind(name);
    if (!kind)
        return EXIT_USAGE;
    status = sonde_cli_target_add(&targets->files, equals + 1);
    if (status == EXIT_DONE)
        targets->kinds[targets->files.count - 1] = kind;
    return status;
}

int sonde_cli_export_write(const struct export_targets *targets,
                           const struct passport_list *list)
{
    int status = EXIT_DONE;

    for (size_t i = 0; i < targets->files.count; i++) {
        struct targets file = {{targets->files.paths[i]}, 1};
        struct text out = {0};
        struct message why = {{0}};

        if (targets->kinds[i]->write(list, &out, &why)) {
            sonde_cli_complain("no %s is written: %s", targets->kinds[i]->name, why.text);
            status = EXIT_FAILED;
        } else if (sonde_cli_targets_put(&file, out.data ? out.data : "", out.length,
                                         true) != EXIT_DONE) {
            status = EXIT_FAILED;
        }
        sonde_base_text_free(&out);
    }
    return status;
}
