/* The table of kernels, from kernels.def. The build chooses isa.h with the folder of the
 * assembly; where there is none, the reference is what runs. */
#include "arch/arch.h"
#include "isa.h"
#include "kernels/names.h"

#include <string.h>

#define ROW(id, function, unroll_, instructions_, loads_, stores_, read_, written_,      \
            features_, step_, argument_, summary_)                                       \
    {.name = #id,                                                                        \
     .summary = summary_,                                                                \
     .step = step_,                                                                      \
     .argument = argument_,                                                              \
     .unroll = unroll_,                                                                  \
     .instructions = instructions_,                                                      \
     .loads = loads_,                                                                    \
     .stores = stores_,                                                                  \
     .bytes_read = read_,                                                                \
     .bytes_written = written_,                                                          \
     .features = features_,                                                              \
     .run = function,                                                                    \
     .reference = sonde_kernel_ref_##id},
#if ASSEMBLY
#define ASM(id, ...) ROW(id, sonde_kernel_##id, __VA_ARGS__)
#else
#define ASM(id, ...) ROW(id, sonde_kernel_ref_##id, __VA_ARGS__)
#endif
#if ASSEMBLY_WIDE
#define ASM_WIDE(id, ...) ROW(id, sonde_kernel_##id, __VA_ARGS__)
#else
#define ASM_WIDE(id, ...) ROW(id, sonde_kernel_ref_##id, __VA_ARGS__)
#endif
#define C(id, ...) ROW(id, sonde_kernel_##id, __VA_ARGS__)

static const struct kernel table[] = {
#include "kernels/kernels.def"
};

const struct kernel *sonde_kernels(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

unsigned sonde_kernel_wide_chains(void)
{
    return WIDE_CHAINS;
}

const struct kernel *sonde_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
