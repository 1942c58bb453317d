/* Memory of one node.
 *
 * The kernel is told where pages of this thread may come from, and each page is asked
 * where it is. What can fool it: a machine whose firmware describes nodes that are not
 * there, and a hypervisor that moves memory about; only the time of an access shows it.
 */
#include "measure/node.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ASKED = 64, WORD_BITS = 8 * sizeof(unsigned long), WORDS = 1024 / WORD_BITS };

int sonde_measure_node_bind(int number)
{
    unsigned long mask[WORDS + 1] = {0}; /* one bit less is looked at than told */
    long result;

    if (number >= WORDS * WORD_BITS)
        return -EINVAL;
    if (number >= 0)
        mask[number / WORD_BITS] = 1UL << number % WORD_BITS;
    result = number < 0
                 ? syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL)
                 : syscall(SYS_set_mempolicy, MPOL_BIND, mask, WORDS * WORD_BITS + 1UL);
    return result == 0 ? 0 : -errno;
}

int sonde_measure_node_of(const void *address)
{
    int node = -1;

    if (syscall(SYS_get_mempolicy, &node, NULL, 0UL, address,
                (unsigned long)(MPOL_F_NODE | MPOL_F_ADDR)) != 0)
        return -errno;
    return node;
}

bool sonde_measure_node_holds(int number, const char *start, size_t bytes)
{
    for (size_t i = 0; i < ASKED; i++)
        if (sonde_measure_node_of(start + bytes / ASKED * i) != number)
            return false;
    return true;
}
