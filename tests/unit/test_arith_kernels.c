/* Every kernel of arithmetic returns what its reference does, to the bit, at lengths
 * short and long, and leaves the floating mode as it found it. What the core lacks, or
 * what is there by reference only, is left out and counted. */
#include "support.h"

#include "arch/arch.h"
#include "kernels/kernel.h"
#include "kernels/operands.h"

#include <fenv.h>
#include <float.h>
#include <string.h>

static bool is_arithmetic(const struct kernel *kernel)
{
    static const char *const prefixes[] = {"mul_", "add32", "mul32",    "div_",  "fadd",
                                           "fmul", "fma",   "fdiv",     "fsqrt", "sin_",
                                           "exp_", "pow_",  "subnormal"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(kernel->name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool is_here(const struct kernel *kernel)
{
    return (kernel->features & ~sonde_arch_features()) == 0;
}

static void compare(const struct kernel *kernel, uint64_t count, uint64_t argument)
{
    uint64_t value = kernel->run(NULL, count, argument);
    uint64_t expected = kernel->reference(NULL, count, argument);

    if (value != expected)
        fail_msg("%s of %llu steps, argument %llu: 0x%llx is not 0x%llx", kernel->name,
                 (unsigned long long)count, (unsigned long long)argument,
                 (unsigned long long)value, (unsigned long long)expected);
}

static void test_values(void **state)
{
    static const uint64_t iterations[] = {1, 2, 7, 100, 1000};
    size_t count, compared = 0;
    const struct kernel *kernels = sonde_kernels(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        if (!is_arithmetic(&kernels[i]) || !is_here(&kernels[i]))
            continue;
        for (size_t j = 0; j < sizeof iterations / sizeof iterations[0]; j++)
            for (uint64_t argument = 0; argument < 4; argument++)
                compare(&kernels[i], iterations[j] * kernels[i].unroll, argument);
        compared++;
    }
    assert_true(compared >= 30);
}

/* The same sum of subnormal numbers before and after: no mode was left behind. */
static void test_mode_is_restored(void **state)
{
    const struct kernel *kernel = sonde_kernel_find("subnormal_mul");
    volatile double small = DBL_MIN;

    (void)state;
    assert_non_null(kernel);
    kernel->run(NULL, kernel->unroll, OPERANDS_SUBNORMAL | OPERANDS_FLUSHED);
    assert_true(small / 4 != 0);
    assert_int_equal(fegetround(), FE_TONEAREST);
}

/* Operands that did decay would make a kernel's result depend on how long it ran. */
static void test_nothing_decays(void **state)
{
    static const char *const names[] = {"fadd_chain",   "fmul_chain",  "fma_chain",
                                        "fdiv_chain",   "fsqrt_chain", "subnormal_add",
                                        "subnormal_mul"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct kernel *kernel = sonde_kernel_find(names[i]);

        assert_non_null(kernel);
        if (is_here(kernel))
            assert_int_equal(kernel->run(NULL, kernel->unroll, 0), START64);
        if (is_here(kernel))
            assert_int_equal(kernel->run(NULL, kernel->unroll * 4000, 0), START64);
    }
    assert_int_equal(sonde_kernel_find("subnormal_mul")->run(NULL, 3200, 1), SUBNORMAL64);
    assert_int_equal(sonde_kernel_find("subnormal_add")->run(NULL, 3200, 1), SUBNORMAL64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_mode_is_restored),
        cmocka_unit_test(test_nothing_decays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
