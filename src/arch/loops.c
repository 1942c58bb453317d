/* Branches inside loops, read from machine code.
 *
 * A function is decoded from its entry to the return beyond which no branch of it leads.
 * What remains is a graph of its branches and ends: code between two of them runs
 * through. A conditional branch decides something inside a loop when both of its ways
 * lead back to it; one that ends a loop leads out by one of them.
 *
 *       1: load               1: load
 *          compare               compare
 *          branch 2   counts     select
 *          add                   add
 *       2: branch 1              branch 1
 *
 * Where blocks lie says nothing: compilers move them out of line. What can fool it: the
 * end of a loop inside a loop counts as a branch of the outer one. Calls are not
 * followed. */
#include "arch/arch.h"

#include <errno.h>

enum { BRANCHES_MAX = 192, CODE_MAX = 4096 };

struct branch {
    ptrdiff_t from, to;
    enum arch_flow flow;
};

/* In the order of their places. */
struct branches {
    struct branch rows[BRANCHES_MAX];
    size_t count;
    ptrdiff_t farthest; /* where the farthest forward branch leads */
};

static int add_branch(struct branches *branches, ptrdiff_t at,
                      const struct arch_instruction *instruction)
{
    ptrdiff_t to = at + instruction->target;

    if (branches->count == BRANCHES_MAX)
        return -E2BIG;
    branches->rows[branches->count++] = (struct branch){at, to, instruction->flow};
    if (instruction->flow != FLOW_END && to > branches->farthest && to < CODE_MAX)
        branches->farthest = to;
    return 0;
}

static int read_branches(const unsigned char *code, struct branches *branches)
{
    for (ptrdiff_t at = 0; at < CODE_MAX;) {
        struct arch_instruction instruction;
        int error = sonde_arch_decode(code + at, &instruction);

        if (!error && instruction.flow != FLOW_ON)
            error = add_branch(branches, at, &instruction);
        if (error)
            return error;
        at += (ptrdiff_t)instruction.length;
        if ((instruction.flow == FLOW_JUMP || instruction.flow == FLOW_END) &&
            branches->farthest < at)
            return 0;
    }
    return -E2BIG;
}

/* The first branch or end that is met from `place` on; the count where there is none. */
static size_t next_branch(const struct branches *branches, ptrdiff_t place)
{
    size_t next = 0;

    if (place < 0)
        return branches->count;
    while (next < branches->count && branches->rows[next].from < place)
        next++;
    return next;
}

/* Does any way lead from branch `from` (itself included) to branch `to`? */
static bool leads_to(const struct branches *branches, size_t from, size_t to)
{
    bool met[BRANCHES_MAX + 1] = {false};
    size_t open[2 * BRANCHES_MAX + 1], count = 0;

    open[count++] = from;
    while (count > 0) {
        size_t at = open[--count];
        const struct branch *branch = &branches->rows[at];

        if (at == branches->count || met[at])
            continue;
        if (at == to)
            return true;
        met[at] = true;
        if (branch->flow != FLOW_END)
            open[count++] = next_branch(branches, branch->to);
        if (branch->flow == FLOW_CONDITIONAL)
            open[count++] = at + 1;
    }
    return false;
}

int sonde_arch_loop_branches(const void *function, size_t *count)
{
    struct branches branches = {.count = 0};
    int error = read_branches(function, &branches);

    *count = 0;
    for (size_t i = 0; !error && i < branches.count; i++)
        *count += branches.rows[i].flow == FLOW_CONDITIONAL &&
                  leads_to(&branches, i + 1, i) &&
                  leads_to(&branches, next_branch(&branches, branches.rows[i].to), i);
    return error;
}
