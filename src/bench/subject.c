/* The buffer of a subject:
 *
 *     | guard | slack | buffer        | guard |     at_end: nothing past the last byte
 *     | guard | buffer        | slack | guard |     otherwise: nothing before the first
 *
 * Guards cannot be touched; slack, which makes whole pages, holds a pattern that must
 * still be there afterwards. What can fool it: an access further than the guards reach
 * (1 MiB) may find other memory. */
#include "bench/subject.h"

#include "base/pages.h"
#include "base/random.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t guard_bytes = 1 << 20;
static const unsigned char slack_byte = 0xa7;

const struct kernel sonde_bench_calls = {
    .name = "calls",
    .summary = "calls of somebody else's function",
    .step = "one call",
    .argument = "",
    .unroll = 1,
    .run = sonde_bench_calls_run,
};

static size_t whole_pages(size_t bytes)
{
    size_t page = sonde_base_page_bytes();

    return (bytes + page - 1) / page * page;
}

static void unmap(struct bench_subject *subject)
{
    if (subject->map)
        munmap(subject->map, subject->map_bytes);
    subject->map = subject->buffer = NULL;
}

static int map(struct bench_subject *subject)
{
    size_t usable = whole_pages(subject->bytes);
    char *memory;

    unmap(subject);
    if (subject->bytes == 0)
        return 0;
    subject->map_bytes = usable + 2 * guard_bytes;
    memory = mmap(NULL, subject->map_bytes, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -ENOMEM;
    subject->map = memory;
    memory += guard_bytes;
    if (mprotect(memory, usable, PROT_READ | PROT_WRITE))
        return -ENOMEM;
    subject->buffer = memory + (subject->at_end ? usable - subject->bytes : 0);
    memset(memory, slack_byte, usable);
    return 0;
}

static void fill(struct bench_subject *subject, uint64_t seed)
{
    struct random_source random;
    uint64_t word;
    size_t at = 0;

    if (subject->setup) {
        subject->setup(subject->buffer, (long)subject->bytes, subject->call.arguments);
        return;
    }
    sonde_base_random_seed(&random, seed);
    for (; at + sizeof word <= subject->bytes; at += sizeof word) {
        word = sonde_base_random_next(&random);
        memcpy(subject->buffer + at, &word, sizeof word);
    }
    memset(subject->buffer + at, 0, subject->bytes - at);
}

static long sum_words(const struct bench_subject *subject)
{
    uint64_t total = 0, word;

    for (long i = 0; i < subject->sum_count; i++) {
        size_t at = (size_t)i * (size_t)subject->sum_stride;

        if (at + sizeof word > subject->bytes)
            break;
        memcpy(&word, subject->buffer + at, sizeof word);
        total += word;
    }
    return (long)total;
}

int sonde_bench_subject_prepare(struct bench_subject *subject, uint64_t seed)
{
    int error = map(subject);

    if (error)
        return error;
    if (subject->bytes || subject->setup)
        fill(subject, seed);
    if (subject->sum)
        subject->expected = sum_words(subject);
    return 0;
}

static bool right(const struct bench_subject *subject, uint64_t steps, uint64_t total)
{
    const struct bench_call *call = &subject->call;

    if (subject->sum)
        return total == steps * (uint64_t)subject->expected;
    return !subject->check || subject->check(subject->buffer, (long)subject->bytes,
                                             call->arguments, call->last) == 1;
}

bool sonde_bench_subject_watch(struct bench_subject *subject, uint64_t *broken)
{
    struct bench_call *call = &subject->call;

    call->last =
        sonde_arch_watched_call(call->function, subject->buffer, call->arguments, broken);
    return right(subject, 1, (uint64_t)call->last);
}

size_t sonde_bench_subject_spilt(const struct bench_subject *subject)
{
    size_t usable = whole_pages(subject->bytes), spilt = 0;
    const unsigned char *slack = (const unsigned char *)subject->map + guard_bytes;

    if (!subject->map)
        return 0;
    if (!subject->at_end)
        slack += subject->bytes;
    for (size_t i = 0; i < usable - subject->bytes; i++)
        spilt += slack[i] != slack_byte;
    return spilt;
}

long sonde_bench_subject_distance(const struct bench_subject *subject, uint64_t address)
{
    uint64_t start = (uintptr_t)subject->buffer, end = start + subject->bytes;

    if (!subject->buffer)
        return 0;
    if (address >= end && address < end + guard_bytes)
        return (long)(address - end) + 1;
    if (address < start && address >= start - guard_bytes)
        return -(long)(start - address);
    return 0;
}

/* --- as a point of a plan -------------------------------------------------------------
 */

static void tell(const struct bench_subject *subject, uint64_t steps)
{
    if (subject->beat)
        subject->beat(subject->self, steps);
}

static int prepare_visit(void *self, uint64_t seed, void **data)
{
    struct bench_subject *subject = self;
    int error;

    tell(subject, 0);
    error = sonde_bench_subject_prepare(subject, seed);
    *data = subject->buffer;
    return error;
}

static bool check_batch(void *self, uint64_t steps, uint64_t value)
{
    struct bench_subject *subject = self;

    tell(subject, steps);
    return right(subject, steps, value);
}

void sonde_bench_subject_ready(struct bench_subject *subject)
{
    subject->hooks = (struct subject){subject, prepare_visit, check_batch};
}

void sonde_bench_subject_close(struct bench_subject *subject)
{
    unmap(subject);
}
