/* Every kernel against its reference, and both against a formula.
 *
 * A kernel runs between two pages that must not be touched, its memory once flush with
 * the first and once with the second, for several counts and arguments; its value, what
 * it left in the memory, and the registers that it must preserve are compared. A kernel
 * without a row in `subjects` fails: it has no test yet. With --table the program prints
 * the rows of the table instead, for the check of the disassembly. */
#include "answers.h"

#include "../unit/support.h"

#include "arch/arch.h"
#include "call.h"
#include "kernels/calls.h"
#include "kernels/fields.h"
#include "kernels/forward.h"
#include "kernels/kernel.h"
#include "kernels/operands.h"
#include "kernels/taken.h"
#include "kernels/tile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- memory between two guards --- */

struct guarded {
    char *mapping, *start;
    size_t mapped, bytes;
};

static struct guarded map_guarded(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guarded memory = {.bytes = (bytes + page - 1) / page * page};

    memory.mapped = memory.bytes + 2 * page;
    memory.mapping =
        mmap(NULL, memory.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory.mapping, MAP_FAILED);
    memory.start = memory.mapping + page;
    assert_int_equal(mprotect(memory.start, memory.bytes, PROT_READ | PROT_WRITE), 0);
    return memory;
}

/* --- what each kernel gets, and what it must answer --- */

enum {
    NO_MEMORY,
    POOL,
    RING,
    CURSORS,
    TWO_PLACES,
    ONE_WORD_A_STEP,
    ONE_BIT_A_STEP,
    ONE_BYTE_A_STEP,
    TWO_BYTES_A_STEP,
    ARGUMENT_APART,
    STRIDED,
    ONE_TILE,
    ELEMENTS,
    ONE_ARRAY,
    TWO_ARRAYS,
    THREE_ARRAYS
};

/* The upper half of an argument. */
#define PASS(steps) (UINT64_C(steps) << 32)

struct subject {
    const char *name;
    int memory;
    void (*fill)(const struct trial *trial);
    uint64_t (*answer)(const struct trial *trial);
    uint64_t arguments[4];
    uint64_t constant; /* what the answer is, or is made of */
};

static const struct subject subjects[] = {
    {"chase", RING, fill_ring, answer_chase, {0, 1, 0, 0}, 0},
    {"add_chain", NO_MEMORY, fill_nothing, answer_add, {0, 1, 3, UINT64_MAX - 4}, 0},
    {"mul_chain", NO_MEMORY, fill_nothing, answer_multiply, {0, 1, 6, UINT64_MAX - 4}, 0},
    {"add_wide", NO_MEMORY, fill_nothing, answer_wide, {0, 1, 3, UINT64_MAX - 4}, 0},
    {"put", ARGUMENT_APART, fill_words, answer_put, {8, 64, 72, 4096}, 0},
    {"touch", ARGUMENT_APART, fill_words, answer_touch, {8, 64, 72, 4096}, 0},
    {"sum_kept", ONE_WORD_A_STEP, fill_words, answer_sum, {0, 1, 0, 0}, 0},
    {"sum_discarded", ONE_WORD_A_STEP, fill_words, answer_zero, {0, 1, 0, 0}, 0},
    {"count_plain", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"count_relaxed", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"count_ordered", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"count_swap", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"load_acquire", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"store_release", POOL, fill_words, answer_steps, {0, 1, 7, UINT64_MAX}, 0},
    {"store_ordered", POOL, fill_words, answer_steps, {0, 1, 7, UINT64_MAX}, 0},
    {"load_fence", POOL, fill_words, answer_steps, {0, 1, 0, 0}, 0},
    {"fence_store", POOL, fill_words, answer_steps, {0, 1, 7, UINT64_MAX}, 0},
    {"store_fence", POOL, fill_words, answer_steps, {0, 1, 7, UINT64_MAX}, 0},
    {"ping_pong", POOL, fill_zero, answer_steps, {0, 0, 0, 0}, 0},
    {"futex_handoff", POOL, fill_zero, answer_steps, {0, 0, 0, 0}, 0},
    {"lock_mutex", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"lock_spin", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"lock_write", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"lock_read", POOL, fill_zero, answer_add, {0, 1, 2, 5}, 0},
    {"fadd_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fadd_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fmul_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fmul_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fma_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fma_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fdiv_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fdiv_wide", NO_MEMORY, fill_nothing, answer_start_wide, {0, 1, 2, 3}, 1},
    {"fsqrt_chain", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 1},
    {"fsqrt_wide",
     NO_MEMORY,
     fill_nothing,
     answer_root,
     {0, 1, 2, 3},
     0x3ff1c454cf6608b9},
    {"fadd32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fadd32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fmul32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fmul32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fma32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fma32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fdiv32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fdiv32_wide", NO_MEMORY, fill_nothing, answer_start_wide_float, {0, 1, 2, 3}, 1},
    {"fsqrt32_chain", NO_MEMORY, fill_nothing, answer_start_float, {0, 1, 2, 3}, 1},
    {"fsqrt32_wide",
     NO_MEMORY,
     fill_nothing,
     answer_root_float,
     {0, 1, 2, 3},
     0x3f948817},
    {"fmul_x2", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 2},
    {"fmul_x4", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 4},
    {"fmul_x8", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 8},
    {"fmul_x16", NO_MEMORY, fill_nothing, answer_start, {0, 1, 2, 3}, 16},
    {"mul_wide",
     NO_MEMORY,
     fill_nothing,
     answer_multiply_wide,
     {0, 1, 6, UINT64_MAX - 4},
     0},
    {"div_chain", NO_MEMORY, fill_nothing, answer_constant, {0, 1, 2, 3}, DIVISOR_FIRST},
    {"div_wide", NO_MEMORY, fill_nothing, answer_quotients, {0, 1, 2, 3}, 0},
    {"subnormal_add", NO_MEMORY, fill_nothing, answer_subnormal, {0, 1, 2, 3}, 0},
    {"subnormal_mul", NO_MEMORY, fill_nothing, answer_subnormal, {0, 1, 2, 3}, 0},
    {"sin_chain", NO_MEMORY, fill_nothing, answer_library, {0, 1, 2, 3}, 's'},
    {"sin_wide", NO_MEMORY, fill_nothing, answer_library_wide, {0, 1, 2, 3}, 's'},
    {"exp_chain", NO_MEMORY, fill_nothing, answer_library, {0, 1, 2, 3}, 'e'},
    {"exp_wide", NO_MEMORY, fill_nothing, answer_library_wide, {0, 1, 2, 3}, 'e'},
    {"pow_chain", NO_MEMORY, fill_nothing, answer_library, {0, 1, 2, 3}, 'p'},
    {"pow_wide", NO_MEMORY, fill_nothing, answer_library_wide, {0, 1, 2, 3}, 'p'},
    {"branch_bits", ONE_BIT_A_STEP, fill_words, answer_bits, {0, 1, 0, 0}, 1},
    {"branch_one", ONE_BIT_A_STEP, fill_words, answer_bits, {0, 1, 63, UINT64_MAX}, 0},
    {"branch_kept", ONE_BYTE_A_STEP, fill_words, answer_upper, {0, 1, 0, 0}, 0},
    {"branch_select", ONE_BYTE_A_STEP, fill_words, answer_upper, {0, 1, 0, 0}, 0},
    {"branch_compiled", ONE_BYTE_A_STEP, fill_words, answer_upper, {0, 1, 0, 0}, 0},
    {"call_nest", NO_MEMORY, fill_nothing, answer_add, {1, 2, 33, CALLS_DEPTH_MAX}, 0},
    {"call_targets",
     TWO_BYTES_A_STEP,
     fill_words,
     answer_targets,
     {0, 1, 63, CALLS_TARGETS - 1},
     0},
#define ROW_OF(spacing)                                                                  \
    {                                                                                    \
        "taken_" #spacing, NO_MEMORY, fill_nothing, answer_row,                          \
            {1, 33, TAKEN_BYTES / spacing,                                               \
             (UINT64_C(1) << TAKEN_NONE_SHIFT) + TAKEN_BYTES / spacing},                 \
            0                                                                            \
    }
    ROW_OF(16),
    ROW_OF(32),
    ROW_OF(64),
#define AHEAD(store, load) ((store) + ((uint64_t)(load) << FORWARD_LOAD_SHIFT))
#define FORWARD(stored, loaded)                                                          \
    {                                                                                    \
        "forward_" #stored "_" #loaded, TWO_PLACES, fill_words, answer_forward,          \
            {0, AHEAD(32, 33), AHEAD(60, 56), AHEAD(64, 3000)}, 100 * stored + loaded    \
    }
    FORWARD(8, 8),
    FORWARD(8, 4),
    FORWARD(8, 1),
    FORWARD(4, 8),
    FORWARD(4, 4),
    FORWARD(16, 16),
    FORWARD(16, 8),
    {"forward_same", TWO_PLACES, fill_words, answer_raised, {0, 8, 60, 61}, 0},
    {"forward_apart",
     TWO_PLACES,
     fill_zero,
     answer_steps,
     {0, AHEAD(0, 64), AHEAD(0, 4096), AHEAD(57, 4160)},
     0},
    {"load_at",
     TWO_PLACES,
     fill_zero,
     answer_steps,
     {0, AHEAD(0, 57), AHEAD(0, 63), AHEAD(0, 4093)},
     0},
    {"os_syscall", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_vdso", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_map", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_signal", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_thread", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_process", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_exec", NO_MEMORY, fill_nothing, answer_steps, {0, 0, 0, 0}, 0},
    {"os_pipe", POOL, fill_zero, answer_steps, {0, 3, 0, 3}, 0},
    {"os_eventfd", POOL, fill_zero, answer_steps, {0, 3, 0, 3}, 0},
    {"os_futex", POOL, fill_zero, answer_steps, {0, 3, 0, 3}, 0},
    {"chase_x2", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 2},
    {"chase_x4", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 4},
    {"chase_x6", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 6},
    {"chase_x8", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 8},
    {"chase_x12", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 12},
    {"chase_x16", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 16},
    {"chase_x24", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 24},
    {"chase_x32", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 32},
    {"chase_x48", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 48},
    {"chase_x64", CURSORS, fill_cursors, answer_cursors, {0, 1, 0, 0}, 64},
    {"load_wide", ONE_TILE, fill_tiles, answer_last_eight, {0, 1, 0, 0}, 0},
    {"stride_words",
     STRIDED,
     fill_tiles,
     answer_stride,
     {8, PASS(32) | 120, PASS(96) | 8, PASS(64) | 520},
     8},
    {"stride_bytes",
     STRIDED,
     fill_tiles,
     answer_stride,
     {1, PASS(32) | 3, PASS(96) | 96, PASS(64) | 4096},
     1},
    {"fields",
     ELEMENTS,
     fill_tiles,
     answer_fields,
     {4, PASS(5) | 6 | FIELDS_SCATTERED, PASS(3) | 7 | FIELDS_ARRAYS,
      6 | FIELDS_ARRAYS | FIELDS_SCATTERED},
     0},
#define PORTS_OF(width)                                                                  \
    {"ports_load_w" #width,                                                              \
     ONE_ARRAY,                                                                          \
     fill_words,                                                                         \
     answer_ports,                                                                       \
     {16 * (width), 16 * (width), 16 * (width), 16 * (width)},                           \
     width},                                                                             \
        {"ports_store_w" #width,                                                         \
         ONE_ARRAY,                                                                      \
         fill_words,                                                                     \
         answer_steps,                                                                   \
         {16 * (width), 16 * (width), 16 * (width), 16 * (width)},                       \
         width},
    PORTS_OF(8) PORTS_OF(16) PORTS_OF(32) PORTS_OF(64)
#define STREAMS_OF(name, memory, answer, width, unroll, streams)                         \
    {name,                                                                               \
     memory,                                                                             \
     fill_doubles,                                                                       \
     answer,                                                                             \
     {1024, 2048, 5120, 16384},                                                          \
     STREAM(width, unroll, streams)},
        STREAMS_OF("read_c", ONE_ARRAY, answer_read, 8, 16, 1)
            STREAMS_OF("write_c", ONE_ARRAY, answer_place, 8, 16, 1)
                STREAMS_OF("copy_c", TWO_ARRAYS, answer_place, 8, 16, 1)
                    STREAMS_OF("triad_c", THREE_ARRAYS, answer_place, 8, 16, 1)
#define INSTR(...) 0
#define NEEDS(...) 0
#define LANES_v128 2
#define LANES_v256 4
#define LANES_v512 8
#define LANES_sve  0 /* as many as there are */
#define VECTOR(operation, kind, bits, width, ...)                                        \
    {#operation "_" #width "_chain",                                                     \
     NO_MEMORY,                                                                          \
     fill_nothing,                                                                       \
     answer_vector,                                                                      \
     {0, 1, 2, 3},                                                                       \
     VECTOR_OF(bits, LANES_##width, VECTOR_CHAIN)},                                      \
        {#operation "_" #width "_wide",                                                  \
         NO_MEMORY,                                                                      \
         fill_nothing,                                                                   \
         answer_vector,                                                                  \
         {0, 1, 2, 3},                                                                   \
         VECTOR_OF(bits, LANES_##width, VECTOR_##kind)},
#include "kernels/vectors.def"
#define BANDWIDTH(operation, width, unroll, streams, loads, stores, ...)                 \
    STREAMS_OF(#operation "_w" #width "_u" #unroll "s" #streams,                         \
               ONE_ARRAY + (loads) + (stores)-1, (stores) ? answer_place : answer_read,  \
               width, unroll, streams)
#include "kernels/bandwidth.def"
};

static const struct subject *find_subject(const char *name)
{
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        if (strcmp(subjects[i].name, name) == 0)
            return &subjects[i];
    fail_msg("kernel %s has no test", name);
    return NULL;
}

/* --- the comparison --- */

static void compare(const struct kernel *kernel, const struct subject *subject,
                    const struct trial *trial)
{
    size_t bytes = trial->words * sizeof(uint64_t);
    void *after = malloc(bytes + 1);
    uint64_t answer, expected, value, broken = 0;

    assert_non_null(after);
    subject->fill(trial);
    answer = subject->answer(trial);
    expected = kernel->reference(trial->data, trial->count, trial->argument);
    if (bytes > 0)
        memcpy(after, trial->data, bytes);
    subject->fill(trial);
    value =
        sonde_test_call(kernel->run, trial->data, trial->count, trial->argument, &broken);
    if (expected != answer || value != expected || broken != 0 ||
        (bytes > 0 && memcmp(trial->data, after, bytes) != 0))
        fail_msg(
            "%s, %llu steps, argument %llu: value %llx, reference %llx, formula %llx, "
            "registers broken %llx, or another memory",
            kernel->name, (unsigned long long)trial->count,
            (unsigned long long)trial->argument, (unsigned long long)value,
            (unsigned long long)expected, (unsigned long long)answer,
            (unsigned long long)broken);
    free(after);
}

/* How many words a stride leads over. */
static uint64_t words_strided(const struct trial *trial)
{
    uint64_t stride = trial->argument & UINT32_MAX, pass = trial->argument >> 32;
    uint64_t steps = pass && pass < trial->count ? pass : trial->count;

    return steps > 0 ? (steps - 1) * stride / 8 + 1 : 0;
}

static uint64_t words_of_fields(const struct trial *trial)
{
    uint64_t elements = UINT64_C(1) << trial->argument % 32;

    if (trial->count == 0)
        return 0;
    return 8 * elements + (trial->argument & FIELDS_ARRAYS ? 7 * FIELDS_PAD / 8 : 0);
}

/* How many words the kernel may touch. */
static uint64_t words_needed(const struct subject *subject, const struct trial *trial)
{
    switch (subject->memory) {
    case POOL: /* a lock and the word it guards */
        return 33;
    case RING: /* fewer nodes than the longest walk has steps */
        return 37;
    case TWO_PLACES: {
        uint64_t store = trial->argument & UINT32_MAX;
        uint64_t load = trial->argument >> FORWARD_LOAD_SHIFT;

        return ((store > load ? store : load) + 15 * FORWARD_PITCH + 16 + 7) / 8;
    }
    case CURSORS:
        return subject->constant + 37;
    case ONE_WORD_A_STEP:
        return trial->count;
    case ONE_BIT_A_STEP:
        return (trial->count + 63) / 64;
    case ONE_BYTE_A_STEP:
        return (trial->count + 7) / 8;
    case TWO_BYTES_A_STEP:
        return (trial->count + 3) / 4;
    case ONE_ARRAY:
    case TWO_ARRAYS:
    case THREE_ARRAYS:
        return (uint64_t)(subject->memory - ONE_ARRAY + 1) * trial->argument / 8;
    case ARGUMENT_APART:
        return trial->count > 0 ? (trial->count - 1) * trial->argument / 8 + 1 : 0;
    case STRIDED:
        return words_strided(trial);
    case ONE_TILE:
        return trial->count > 0 ? TILE_BYTES / 8 : 0;
    case ELEMENTS:
        return words_of_fields(trial);
    default:
        return 0;
    }
}

static void try_both_ends(const struct kernel *kernel, const struct subject *subject,
                          struct trial trial)
{
    struct guarded memory;

    trial.words = words_needed(subject, &trial);
    memory = map_guarded(trial.words * 8 + 1);
    trial.data = memory.start;
    if (trial.words == 0)
        trial.data = memory.mapping; /* any access is one too many */
    compare(kernel, subject, &trial);
    if (trial.words > 0) {
        trial.data = memory.start + memory.bytes - trial.words * 8;
        compare(kernel, subject, &trial);
    }
    munmap(memory.mapping, memory.mapped);
}

/* Processes and threads take milliseconds each under an emulator. */
static bool is_too_much(const struct subject *subject, uint64_t iterations, size_t trial)
{
    return strncmp(subject->name, "os_", 3) == 0 && (iterations > 3 || trial > 1);
}

static void test_kernels(void **state)
{
    static const uint64_t iterations[] = {0, 1, 2, 3, 7, 100};
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    (void)state;
    for (size_t k = 0; k < count; k++) {
        const struct subject *subject = find_subject(kernels[k].name);

        if ((kernels[k].features & ~sonde_arch_features()) != 0) {
            printf("%s: this core lacks what it needs\n", kernels[k].name);
            continue;
        }
        for (size_t i = 0; i < sizeof iterations / sizeof iterations[0]; i++)
            for (size_t j = 0; j < 4 && !is_too_much(subject, iterations[i], j); j++)
                try_both_ends(&kernels[k], subject,
                              (struct trial){.count = iterations[i] * kernels[k].unroll,
                                             .argument = subject->arguments[j],
                                             .constant = subject->constant});
    }
}

static void test_preserved_registers_are_watched(void **state)
{
    uint64_t broken = 0;

    (void)state;
    if (sonde_test_clobbered == 0)
        skip();
    sonde_test_call(sonde_test_clobber, NULL, 1, 2, &broken);
    assert_true(broken == sonde_test_clobbered);
}

static void test_table(void **state)
{
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct kernel *kernel = &kernels[i];

        assert_ptr_equal(sonde_kernel_find(kernel->name), kernel);
        assert_true(kernel->unroll > 0);
        assert_non_null(kernel->run);
        assert_non_null(kernel->reference);
        assert_true(kernel->bytes_read > 0 || kernel->loads == 0);
        assert_true(kernel->bytes_written > 0 || kernel->stores == 0);
        assert_true(kernel->instructions == 0 || kernel->instructions > kernel->unroll);
    }
    assert_null(sonde_kernel_find("chas"));
    assert_null(sonde_kernel_find("chasee"));
    assert_null(sonde_kernel_find(""));
}

static void print_table(void)
{
    size_t count;
    const struct kernel *kernels = sonde_kernels(&count);

    for (size_t i = 0; i < count; i++) {
        const struct kernel *kernel = &kernels[i];
        size_t branches;
        int error =
            sonde_arch_loop_branches((const void *)(uintptr_t)kernel->run, &branches);

        printf("%s %u %u %u %u %u %u %d\n", kernel->name, kernel->unroll,
               kernel->instructions, kernel->loads, kernel->stores, kernel->bytes_read,
               kernel->bytes_written, error ? error : (int)branches);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_preserved_registers_are_watched),
        cmocka_unit_test(test_kernels),
    };

    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
