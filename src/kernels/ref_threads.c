/* References of the loops that several threads run: pure where `data` is NULL, since of a
 * team only what does not depend on the interleaving is predicted; with memory, what one
 * thread alone leaves in it. */
#include "kernels/names.h"

#include <stddef.h>

/* Where the count of a pool lies, behind its lock. */
enum { POOL_WORD = 32 };

static uint64_t add_at(void *data, size_t word, uint64_t sum)
{
    if (data && sum)
        ((uint64_t *)data)[word] += sum;
    return sum;
}

#define COUNTS(name)                                                                     \
    uint64_t sonde_kernel_ref_##name(void *data, uint64_t count, uint64_t argument)      \
    {                                                                                    \
        (void)argument;                                                                  \
        return add_at(data, 0, count);                                                   \
    }
COUNTS(count_plain)
COUNTS(count_relaxed)
COUNTS(count_ordered)
COUNTS(count_swap)

#define LEAVES(name)                                                                     \
    uint64_t sonde_kernel_ref_##name(void *data, uint64_t count, uint64_t argument)      \
    {                                                                                    \
        (void)data, (void)argument;                                                      \
        return count;                                                                    \
    }
LEAVES(load_acquire)
LEAVES(load_fence)
LEAVES(ping_pong)
LEAVES(futex_handoff)

#define STORES(name)                                                                     \
    uint64_t sonde_kernel_ref_##name(void *data, uint64_t count, uint64_t argument)      \
    {                                                                                    \
        if (data && count)                                                               \
            *(uint64_t *)data = argument;                                                \
        return count;                                                                    \
    }
STORES(store_release)
STORES(store_ordered)
STORES(store_fence)
STORES(fence_store)

#define DRAWS(name)                                                                      \
    uint64_t sonde_kernel_ref_##name(void *data, uint64_t count, uint64_t argument)      \
    {                                                                                    \
        return add_at(data, POOL_WORD, count * argument);                                \
    }
DRAWS(lock_mutex)
DRAWS(lock_spin)
DRAWS(lock_read)
DRAWS(lock_write)
