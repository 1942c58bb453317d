/* Loops that several threads run at once: counters, atomic operations, locks, handoffs.
 *
 * In C, since a lock is an object of the C library and since the compiler picks exclusive
 * pairs or single instructions on aarch64 by what the core has. Every wait gives the CPU
 * away after a while: members that ended on one CPU must still come to an end. What can
 * fool it: a compiler that unites operations, which is why plain accesses are volatile.
 */
#include "arch/arch.h"
#include "kernels/names.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Some 20 µs, far above any way between cores. */
enum { SPINS_BEFORE_YIELD = 500 };

typedef _Atomic uint64_t shared_word;

static void wait_a_little(unsigned *spins)
{
    sonde_arch_relax();
    if (++*spins % SPINS_BEFORE_YIELD == 0)
        sched_yield();
}

/* --- one word --- */

uint64_t sonde_kernel_count_plain(void *data, uint64_t count, uint64_t argument)
{
    volatile uint64_t *word = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        *word = *word + 1;
    return count;
}

uint64_t sonde_kernel_count_relaxed(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
    return count;
}

uint64_t sonde_kernel_count_ordered(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        atomic_fetch_add(word, 1);
    return count;
}

uint64_t sonde_kernel_count_swap(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);

        while (!atomic_compare_exchange_weak(word, &seen, seen + 1))
            continue;
    }
    return count;
}

uint64_t sonde_kernel_load_acquire(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++)
        (void)atomic_load_explicit(word, memory_order_acquire);
    return count;
}

uint64_t sonde_kernel_store_release(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    for (uint64_t i = 0; i < count; i++)
        atomic_store_explicit(word, argument, memory_order_release);
    return count;
}

uint64_t sonde_kernel_store_ordered(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    for (uint64_t i = 0; i < count; i++)
        atomic_store(word, argument);
    return count;
}

uint64_t sonde_kernel_load_fence(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    (void)argument;
    for (uint64_t i = 0; i < count; i++) {
        (void)atomic_load_explicit(word, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    }
    return count;
}

uint64_t sonde_kernel_fence_store(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    for (uint64_t i = 0; i < count; i++) {
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(word, argument, memory_order_relaxed);
    }
    return count;
}

uint64_t sonde_kernel_store_fence(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    for (uint64_t i = 0; i < count; i++) {
        atomic_store_explicit(word, argument, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
    }
    return count;
}

/* --- handoffs: argument 1 sends, 2 answers, 0 does both alone --- */

static void await(shared_word *word, uint64_t value)
{
    unsigned spins = 0;

    while (atomic_load_explicit(word, memory_order_acquire) != value)
        wait_a_little(&spins);
}

uint64_t sonde_kernel_ping_pong(void *data, uint64_t count, uint64_t argument)
{
    shared_word *word = data;

    for (uint64_t i = 0; i < count; i++) {
        if (argument != 2)
            atomic_store_explicit(word, 1, memory_order_release);
        if (argument != 1) {
            await(word, 1);
            atomic_store_explicit(word, 0, memory_order_release);
        }
        if (argument != 2)
            await(word, 0);
    }
    return count;
}

static long wake(_Atomic uint32_t *word)
{
    return syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* To a thread that is asleep: one that is still on its way there would take the word
 * without ever having slept. It may wake up before the word is there and sleep again,
 * hence the second call. */
static void hand_over(_Atomic uint32_t *word, uint32_t value, bool to_other)
{
    while (to_other && wake(word) != 1)
        sched_yield();
    atomic_store(word, value);
    (void)wake(word);
}

static void sleep_until(_Atomic uint32_t *word, uint32_t value)
{
    while (atomic_load(word) != value)
        (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 1 - value, NULL, NULL, 0);
}

uint64_t sonde_kernel_futex_handoff(void *data, uint64_t count, uint64_t argument)
{
    _Atomic uint32_t *word = data;

    for (uint64_t i = 0; i < count; i++) {
        if (argument != 2)
            hand_over(word, 1, argument == 1);
        if (argument != 1) {
            sleep_until(word, 1);
            hand_over(word, 0, argument == 2);
        }
        if (argument != 2)
            sleep_until(word, 0);
    }
    return count;
}

/* --- locks: `argument` threads draw count * argument acquisitions from one pool --- */

/* The lock, and what it guards on a line of its own. All zero is unlocked and unused. */
struct pool {
    union {
        pthread_mutex_t mutex;
        _Atomic uint32_t spin;
        _Atomic int32_t readers; /* -1: a writer */
        char room[256];
    } lock;
    shared_word taken;
};

static bool take(struct pool *pool, uint64_t total)
{
    uint64_t taken = atomic_load_explicit(&pool->taken, memory_order_relaxed);

    if (taken >= total)
        return false;
    atomic_store_explicit(&pool->taken, taken + 1, memory_order_relaxed);
    return true;
}

uint64_t sonde_kernel_lock_mutex(void *data, uint64_t count, uint64_t argument)
{
    struct pool *pool = data;
    uint64_t mine = 0;
    bool more = count * argument > 0;

    while (more) {
        pthread_mutex_lock(&pool->lock.mutex);
        more = take(pool, count * argument);
        pthread_mutex_unlock(&pool->lock.mutex);
        mine += more;
    }
    return mine;
}

uint64_t sonde_kernel_lock_spin(void *data, uint64_t count, uint64_t argument)
{
    struct pool *pool = data;
    uint64_t mine = 0;
    bool more = count * argument > 0;

    while (more) {
        unsigned spins = 0;

        while (atomic_exchange_explicit(&pool->lock.spin, 1, memory_order_acquire))
            wait_a_little(&spins);
        more = take(pool, count * argument);
        atomic_store_explicit(&pool->lock.spin, 0, memory_order_release);
        mine += more;
    }
    return mine;
}

/* The reader-writer lock taken for writing: alone, as long as it lasts. */
uint64_t sonde_kernel_lock_write(void *data, uint64_t count, uint64_t argument)
{
    struct pool *pool = data;
    uint64_t mine = 0;
    bool more = count * argument > 0;

    while (more) {
        int32_t seen = 0;
        unsigned spins = 0;

        while (!atomic_compare_exchange_weak(&pool->lock.readers, &seen, -1)) {
            wait_a_little(&spins);
            seen = 0;
        }
        more = take(pool, count * argument);
        atomic_store_explicit(&pool->lock.readers, 0, memory_order_release);
        mine += more;
    }
    return mine;
}

/* Taken for reading; the pool is drawn from by atomic addition, as readers may. */
uint64_t sonde_kernel_lock_read(void *data, uint64_t count, uint64_t argument)
{
    struct pool *pool = data;
    uint64_t mine = 0, total = count * argument;
    bool more = total > 0;

    while (more) {
        int32_t seen = atomic_load_explicit(&pool->lock.readers, memory_order_relaxed);
        unsigned spins = 0;

        while (seen < 0 ||
               !atomic_compare_exchange_weak(&pool->lock.readers, &seen, seen + 1)) {
            wait_a_little(&spins);
            seen = atomic_load_explicit(&pool->lock.readers, memory_order_relaxed);
        }
        seen = 0;
        for (uint64_t taken = atomic_load(&pool->taken); taken < total && !seen;)
            seen = atomic_compare_exchange_weak(&pool->taken, &taken, taken + 1);
        more = seen;
        atomic_fetch_sub(&pool->lock.readers, 1);
        mine += more;
    }
    return mine;
}
