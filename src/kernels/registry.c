/* The table of kernels, made of the rows in kernels.def.
 *
 * For a row in assembly the build says (assembly.h) whether this instruction set has it,
 * and which of the row's counts of instructions is meant; where C runs instead, that
 * count is not known and 0. Names are compared whole; the table is short. */
#include "arch/arch.h"
#include "kernels/assembly.h"
#include "kernels/names.h"

#include <string.h>

/* Where an instruction set has no such loop, its reference stands in. */
#define RUN_0(id)          sonde_kernel_ref_##id
#define RUN_1(id)          sonde_kernel_##id
#define CHOOSE(run, id)    run(id)
#define PASTE(left, right) left##right
#define RUN(here, id)      CHOOSE(PASTE(RUN_, here), id)

#define ROW(id, run_, unroll_, instructions_, loads_, stores_, read_, written_,          \
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
     .run = run_,                                                                        \
     .reference = sonde_kernel_ref_##id},
#define ASM(id, unroll, instructions, ...)                                               \
    ROW(id, sonde_kernel_##id, unroll, (instructions)*SONDE_ASSEMBLY_##id, __VA_ARGS__)
#define ASM_ONLY(id, unroll, instructions, ...)                                          \
    ROW(id, RUN(SONDE_ASSEMBLY_##id, id), unroll, (instructions)*SONDE_ASSEMBLY_##id,    \
        __VA_ARGS__)
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
    return SONDE_WIDE_CHAINS;
}

const struct kernel *sonde_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
