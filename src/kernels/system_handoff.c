/* A byte, a number or a word handed to another thread and back, asleep in between.
 *
 *   sends     |--give--|  sleeps  |--take--|--give--| ...
 *   answers      sleeps   |--take--|--give--|  sleeps  ...
 *
 * Who does both sides alone makes the same calls and never sleeps: what the calls cost
 * themselves. A thread that is started for the other side inherits the CPU. Whoever opens
 * the ways says so in `data`, which is all zero before and after; if that fails both
 * sides end. All return how many went there and back; errno tells why the first one did
 * not.
 *
 * What can fool it: a scheduler that moves the waker instead of waking the sleeper, and a
 * kernel that polls a while before it sleeps. */
#include "arch/arch.h"
#include "kernels/names.h"
#include "kernels/system.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSED, OPEN, FAILED };
/* Some 20 µs, then the CPU is given away. */
enum { SPINS_BEFORE_YIELD = 500 };
/* Between tries to wake who is not asleep yet: about a microsecond, as long as it takes
 * to fall asleep. The first yield comes soon: on one CPU nobody else can. */
enum { RELAXES = 20, TRIES_BEFORE_YIELD = 4 };

/* At `data`: all zero when nothing runs. */
struct meeting {
    _Atomic uint32_t state;
    int there[2], back[2]; /* ends to take from and to give to */
    bool apart;            /* the other side is on another CPU */
    char padding[64];      /* whatever alignment `data` has */
    struct lane {
        _Atomic uint32_t given, taken;
        _Atomic uint32_t still; /* slept on between two CPUs: nothing changes it */
    } lanes[2];                 /* there, and back */
};

struct way {
    bool (*open)(struct meeting *meeting);
    void (*close)(struct meeting *meeting);
    bool (*give)(struct meeting *meeting, bool back);
    bool (*take)(struct meeting *meeting, bool back);
};

/* --- pipes --- */

static void close_ends(const int ends[2])
{
    close(ends[0]);
    if (ends[1] != ends[0])
        close(ends[1]);
}

static bool open_pipes(struct meeting *meeting)
{
    if (pipe(meeting->there))
        return false;
    if (pipe(meeting->back) == 0)
        return true;
    close_ends(meeting->there);
    return false;
}

static void close_both(struct meeting *meeting)
{
    close_ends(meeting->there);
    close_ends(meeting->back);
}

static bool give_byte(struct meeting *meeting, bool back)
{
    return write((back ? meeting->back : meeting->there)[1], "", 1) == 1;
}

static bool take_byte(struct meeting *meeting, bool back)
{
    char byte;

    return read((back ? meeting->back : meeting->there)[0], &byte, 1) == 1;
}

static const struct way by_pipe = {open_pipes, close_both, give_byte, take_byte};

/* --- event counters --- */

static bool open_counters(struct meeting *meeting)
{
    meeting->there[0] = meeting->there[1] = eventfd(0, 0);
    if (meeting->there[0] < 0)
        return false;
    meeting->back[0] = meeting->back[1] = eventfd(0, 0);
    if (meeting->back[0] >= 0)
        return true;
    close_ends(meeting->there);
    return false;
}

static bool give_number(struct meeting *meeting, bool back)
{
    uint64_t one = 1;

    return write((back ? meeting->back : meeting->there)[1], &one, sizeof one) ==
           (ssize_t)sizeof one;
}

static bool take_number(struct meeting *meeting, bool back)
{
    uint64_t number;

    return read((back ? meeting->back : meeting->there)[0], &number, sizeof number) ==
           (ssize_t)sizeof number;
}

static const struct way by_counter = {open_counters, close_both, give_number,
                                      take_number};

/* --- a word of memory --- */

static bool open_word(struct meeting *meeting)
{
    (void)meeting;
    return true;
}

static void close_word(struct meeting *meeting)
{
    for (int i = 0; i < 2; i++) {
        atomic_store(&meeting->lanes[i].given, 0);
        atomic_store(&meeting->lanes[i].taken, 0);
    }
}

static void pause_a_while(unsigned tries)
{
    for (unsigned i = 0; i < RELAXES; i++)
        sonde_arch_relax();
    if (tries % TRIES_BEFORE_YIELD == 0)
        sched_yield();
}

static _Atomic uint32_t *bed(const struct meeting *meeting, struct lane *lane)
{
    return meeting->apart ? &lane->still : &lane->given;
}

/* Between two CPUs until somebody was woken: two that look at a word before they sleep on
 * it would never sleep, since each finds it changed while the other is still busy with
 * the call that should wake it. Who was woken by nobody says so in `taken`. */
static bool give_word(struct meeting *meeting, bool back)
{
    struct lane *lane = &meeting->lanes[back];
    uint32_t number = atomic_fetch_add(&lane->given, 1) + 1;

    for (unsigned tries = 1;; tries++) {
        long woken =
            syscall(SYS_futex, bed(meeting, lane), FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);

        if (woken || !meeting->apart || atomic_load(&lane->taken) == number)
            return woken >= 0;
        pause_a_while(tries);
    }
}

static bool take_word(struct meeting *meeting, bool back)
{
    struct lane *lane = &meeting->lanes[back];
    uint32_t number = atomic_load(&lane->taken) + 1;
    uint32_t now = meeting->apart ? 0 : number - 1;

    while (meeting->apart || atomic_load(&lane->given) != number) {
        if (syscall(SYS_futex, bed(meeting, lane), FUTEX_WAIT_PRIVATE, now, NULL, NULL,
                    0) &&
            errno != EINTR && errno != EAGAIN)
            return false;
        if (atomic_load(&lane->given) == number)
            break;
    }
    atomic_store(&lane->taken, number);
    return true;
}

static const struct way by_word = {open_word, close_word, give_word, take_word};

/* --- both sides --- */

static uint64_t send_all(const struct way *way, struct meeting *meeting, uint64_t count)
{
    uint64_t done = 0;

    while (done < count && way->give(meeting, false) && way->take(meeting, true))
        done++;
    return done;
}

static uint64_t answer_all(const struct way *way, struct meeting *meeting, uint64_t count)
{
    uint64_t done = 0;

    while (done < count && way->take(meeting, false) && way->give(meeting, true))
        done++;
    return done;
}

static uint64_t do_both(const struct way *way, struct meeting *meeting, uint64_t count)
{
    uint64_t done = 0;

    while (done < count && way->give(meeting, false) && way->take(meeting, false) &&
           way->give(meeting, true) && way->take(meeting, true))
        done++;
    return done;
}

struct other_side {
    const struct way *way;
    struct meeting *meeting;
    uint64_t count;
};

static void *answer_main(void *argument)
{
    const struct other_side *side = argument;

    answer_all(side->way, side->meeting, side->count);
    return NULL;
}

static uint64_t with_thread(const struct way *way, struct meeting *meeting,
                            uint64_t count)
{
    struct other_side side = {way, meeting, count};
    pthread_t thread;
    uint64_t done;
    int error = pthread_create(&thread, NULL, answer_main, &side);

    if (error) {
        errno = error;
        return 0;
    }
    done = send_all(way, meeting, count);
    pthread_join(thread, NULL);
    return done;
}

static uint64_t open_and_run(const struct way *way, struct meeting *meeting,
                             uint64_t count, enum system_role role)
{
    uint64_t done;

    if (!way->open(meeting)) {
        atomic_store(&meeting->state, role == ROLE_SENDS ? FAILED : CLOSED);
        return 0;
    }
    meeting->apart = role == ROLE_SENDS;
    atomic_store(&meeting->state, OPEN);
    if (role == ROLE_ALONE)
        done = do_both(way, meeting, count);
    else if (role == ROLE_SENDS)
        done = send_all(way, meeting, count);
    else
        done = with_thread(way, meeting, count);
    way->close(meeting);
    meeting->there[0] = meeting->there[1] = meeting->back[0] = meeting->back[1] = 0;
    meeting->apart = false;
    atomic_store(&meeting->state, CLOSED);
    return done;
}

static uint64_t answer_when_open(const struct way *way, struct meeting *meeting,
                                 uint64_t count)
{
    uint32_t state;

    for (unsigned spins = 1; (state = atomic_load(&meeting->state)) == CLOSED; spins++) {
        sonde_arch_relax();
        if (spins % SPINS_BEFORE_YIELD == 0)
            sched_yield();
    }
    if (state == FAILED) {
        atomic_store(&meeting->state, CLOSED);
        return 0;
    }
    return answer_all(way, meeting, count);
}

/* The result goes through memory, so that no kernel ends in a jump to here: its machine
 * code is read up to its last return. */
__attribute__((noinline)) static void
run(const struct way *way, void *data, uint64_t count, uint64_t argument, uint64_t *done)
{
    if (count == 0)
        *done = 0;
    else if (argument == ROLE_ANSWERS)
        *done = answer_when_open(way, data, count);
    else
        *done = open_and_run(way, data, count, (enum system_role)argument);
}

uint64_t sonde_kernel_os_pipe(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done;

    run(&by_pipe, data, count, argument, &done);
    return done;
}

uint64_t sonde_kernel_os_eventfd(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done;

    run(&by_counter, data, count, argument, &done);
    return done;
}

uint64_t sonde_kernel_os_futex(void *data, uint64_t count, uint64_t argument)
{
    uint64_t done;

    run(&by_word, data, count, argument, &done);
    return done;
}
