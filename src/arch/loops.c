/* Branches inside loops, read from machine code.
 *
 * A function is decoded from its entry to the return beyond which no branch of it leads.
 * Each backward branch spans a loop; spans that overlap are one loop. A loop needs one
 * conditional branch to end; more than that decide something inside it:
 *
 *       1: load               1: load
 *          compare               compare
 *          branch 2              select
 *          add                   add
 *       2: branch 1              branch 1
 *       one beside the end    none
 *
 * What can fool it: a loop inside a loop counts as a branch of the outer one, and so does
 * a second way out. Calls are not followed. */
#include "arch/arch.h"

#include <errno.h>

enum { BRANCHES_MAX = 128, CODE_MAX = 4096 };

struct branch {
    ptrdiff_t from, to;
    bool conditional;
};

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
    branches->rows[branches->count++] =
        (struct branch){at, to, instruction->flow == FLOW_CONDITIONAL};
    if (to > branches->farthest && to < CODE_MAX)
        branches->farthest = to;
    return 0;
}

static int read_branches(const unsigned char *code, struct branches *branches)
{
    for (ptrdiff_t at = 0; at < CODE_MAX;) {
        struct arch_instruction instruction;
        int error = sonde_arch_decode(code + at, &instruction);

        if (!error &&
            (instruction.flow == FLOW_CONDITIONAL || instruction.flow == FLOW_JUMP))
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

/* Grows [`*first`, `*last`] by every backward branch that overlaps it. */
static void grow_span(const struct branches *branches, ptrdiff_t *first, ptrdiff_t *last)
{
    bool grown = true;

    while (grown) {
        grown = false;
        for (size_t i = 0; i < branches->count; i++) {
            const struct branch *branch = &branches->rows[i];

            if (branch->to > branch->from || branch->to > *last ||
                branch->from < *first || (branch->to >= *first && branch->from <= *last))
                continue;
            *first = branch->to < *first ? branch->to : *first;
            *last = branch->from > *last ? branch->from : *last;
            grown = true;
        }
    }
}

static size_t count_inside(const struct branches *branches, ptrdiff_t first,
                           ptrdiff_t last)
{
    size_t inside = 0;

    for (size_t i = 0; i < branches->count; i++)
        inside += branches->rows[i].conditional && branches->rows[i].from >= first &&
                  branches->rows[i].from <= last;
    return inside;
}

int sonde_arch_loop_branches(const void *function, size_t *count)
{
    struct branches branches = {.count = 0};
    ptrdiff_t counted = -1;
    int error = read_branches(function, &branches);

    *count = 0;
    /* In order of their ends, so that a span is met once: at its first backward branch.
     */
    for (size_t i = 0; !error && i < branches.count; i++) {
        ptrdiff_t first = branches.rows[i].to, last = branches.rows[i].from;
        size_t inside;

        if (first > last || last <= counted)
            continue;
        grow_span(&branches, &first, &last);
        inside = count_inside(&branches, first, last);
        *count += inside > 0 ? inside - 1 : 0;
        counted = last;
    }
    return error;
}
