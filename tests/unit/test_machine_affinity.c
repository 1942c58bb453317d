/* Binding to CPUs, and what backs memory, on the machine the test runs on. */
#include "machine/machine.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

static void pins_to_each_allowed_cpu(void **state)
{
    (void)state;
    struct cpulist allowed = {0}, now = {0};
    assert_int_equal(sonde_machine_affinity_get(&allowed), 0);
    for (int cpu = sonde_base_cpulist_next(&allowed, 0); cpu >= 0;
         cpu = sonde_base_cpulist_next(&allowed, (unsigned)cpu + 1)) {
        int rc = sonde_machine_pin((unsigned)cpu);
        if (rc == -EXDEV) { /* a sandbox that ignores bindings must be told as such */
            print_message("binding is ignored here\n");
            break;
        }
        assert_int_equal(rc, 0);
        assert_int_equal(sonde_machine_current_cpu(), cpu);
    }
    assert_int_equal(sonde_machine_affinity_set(&allowed), 0);
    assert_int_equal(sonde_machine_affinity_get(&now), 0);
    assert_true(sonde_base_cpulist_equal(&allowed, &now));
    sonde_base_cpulist_free(&allowed);
    sonde_base_cpulist_free(&now);
}

static void refuses_absent_cpus(void **state)
{
    (void)state;
    struct cpulist allowed = {0}, now = {0};
    assert_int_equal(sonde_machine_affinity_get(&allowed), 0);
    int rc = sonde_machine_pin(SONDE_CPU_MAX - 1);
    assert_true(rc == -EINVAL || rc == -EXDEV);
    assert_true(sonde_machine_pin(SONDE_CPU_MAX) < 0);
    assert_int_equal(sonde_machine_affinity_get(&now), 0);
    assert_true(sonde_base_cpulist_equal(&allowed, &now));
    sonde_base_cpulist_free(&allowed);
    sonde_base_cpulist_free(&now);
}

static void backing_counts_touched_pages(void **state)
{
    (void)state;
    enum { BYTES = 4 << 20, TOUCHED = 1 << 20 };
    struct page_backing backing;
    char *memory =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    madvise(memory, BYTES, MADV_NOHUGEPAGE);
    memset(memory, 1, TOUCHED);
    int rc = sonde_machine_backing(memory, BYTES, &backing);
    if (rc == -ENOENT || rc == -EACCES) {
        munmap(memory, BYTES);
        skip();
    }
    assert_int_equal(rc, 0);
    assert_true(backing.mapped_bytes == BYTES);
    assert_true(backing.resident_bytes >= 0.9 * TOUCHED);
    assert_true(backing.huge_bytes <= backing.resident_bytes);
    munmap(memory, BYTES);
    rc = sonde_machine_backing((void *)4096, 4096, &backing);
    assert_int_equal(rc, -ENODATA);
    assert_true(isnan(backing.mapped_bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pins_to_each_allowed_cpu),
        cmocka_unit_test(refuses_absent_cpus),
        cmocka_unit_test(backing_counts_touched_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
