/* The table of commands, from commands.def. */
#include "cli/cli.h"

#define COMMAND(name) extern const struct command sonde_cli_command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct command *const table[] = {
#define COMMAND(name) &sonde_cli_command_##name,
#include "cli/commands.def"
#undef COMMAND
};

const struct command *const *sonde_cli_commands(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}
