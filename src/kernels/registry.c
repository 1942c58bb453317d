/* The table of kernels, made of the rows in kernels.def.
 *
 * The build says (assembly.h) for each row which function runs it: the loop in assembly
 * where this instruction set has one, a C loop, or the reference itself; the number of
 * instructions is known of assembly only. Names are compared whole; the table is short.
 */
#include "kernels/kernel.h"

#include "arch/arch.h"
#include "kernels/assembly.h"
#include "kernels/loops.h"

#include <string.h>

#define KERNEL(id, unroll_, instructions_, loads_, stores_, read_, written_, features_,  \
               step_, argument_, summary_)                                               \
    {                                                                                    \
        .name = #id,                                                                     \
        .summary = summary_,                                                             \
        .step = step_,                                                                   \
        .argument = argument_,                                                           \
        .unroll = unroll_,                                                               \
        .instructions = (instructions_)*SONDE_ASSEMBLY_##id,                             \
        .loads = loads_,                                                                 \
        .stores = stores_,                                                               \
        .bytes_read = read_,                                                             \
        .bytes_written = written_,                                                       \
        .features = features_,                                                           \
        .run = SONDE_RUN_##id,                                                           \
        .reference = sonde_kernel_##id##_reference,                                      \
    },

static const struct kernel kernels[] = {
#include "kernels/kernels.def"
};
#undef KERNEL

const struct kernel *sonde_kernels(size_t *count)
{
    *count = sizeof kernels / sizeof kernels[0];
    return kernels;
}

const struct kernel *sonde_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}
