/* The table of probes, from probes.def: an explicit table, since a static library would
 * drop constructors. */
#include "probes/probe.h"

#include <string.h>

#define PROBE(name) extern const struct probe sonde_probe_##name;
#include "probes/probes.def"
#undef PROBE

static const struct probe *const table[] = {
#define PROBE(name) &sonde_probe_##name,
#include "probes/probes.def"
#undef PROBE
};

const struct probe *const *sonde_probes(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

const struct probe *sonde_probe_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}
