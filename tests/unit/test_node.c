/* Memory of one node of the machine at hand: asked for and asked back. */
#include "support.h"

#include "machine/machine.h"
#include "measure/arena.h"
#include "measure/node.h"

#include <errno.h>

static struct machine machine;

static int open_machine(void **state)
{
    struct message why;

    (void)state;
    return sonde_machine_open(&machine, NULL, &why);
}

static int close_machine(void **state)
{
    (void)state;
    sonde_machine_close(&machine);
    return 0;
}

/* On each node that the kernel tells of and lets this process use. */
static void test_memory_is_where_it_was_asked_for(void **state)
{
    size_t tried = 0;

    (void)state;
    for (size_t i = 0; i < machine.node_count; i++) {
        int node = (int)machine.nodes[i].number;
        struct arena arena;

        if (sonde_measure_node_bind(node))
            continue;
        assert_int_equal(
            sonde_measure_arena_open(&arena, PAGES_SMALL, 1 << 20, machine.page_bytes),
            0);
        assert_int_equal(sonde_measure_node_bind(-1), 0);
        if (sonde_measure_node_of(arena.base) != -ENOSYS) {
            assert_true(sonde_measure_node_holds(node, arena.base, arena.bytes));
            assert_false(sonde_measure_node_holds(node + 1, arena.base, arena.bytes));
            tried++;
        }
        sonde_measure_arena_close(&arena);
    }
    if (!tried) {
        print_message("skipped: no node can be asked for here\n");
        skip();
    }
}

static void test_no_such_node(void **state)
{
    (void)state;
    assert_true(sonde_measure_node_bind(1 << 20) < 0);
    assert_true(sonde_measure_node_of(NULL) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_where_it_was_asked_for),
        cmocka_unit_test(test_no_such_node),
    };

    return cmocka_run_group_tests(tests, open_machine, close_machine);
}
