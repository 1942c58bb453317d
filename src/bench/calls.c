/* Calling a function again and again: the loop between the readings of the clock.
 *
 * Each call takes part of the result of the one before into its arguments (nothing is
 * added, but the core cannot know), so that a call whose work hangs on its arguments
 * cannot start before the last one is done. What does not hang on them may still overlap;
 * where that matters the calls are made alone, each behind a fence. */
#include "bench/subject.h"

static uint64_t call_alone(char *data, uint64_t count, struct bench_call *call)
{
    uint64_t total = 0;
    long last = 0;

    for (; count > 0; count--) {
        last = call->function(data, call->arguments[0], call->arguments[1],
                              call->arguments[2], call->arguments[3]);
        total += (uint64_t)last;
        sonde_arch_serialize();
    }
    call->last = last;
    return total;
}

uint64_t sonde_bench_calls_run(void *data, uint64_t count, uint64_t argument)
{
    struct bench_call *call = (struct bench_call *)(uintptr_t)argument;

    if (call->alone)
        return call_alone(data, count, call);
    return sonde_arch_chain(call->chain, call->passed)(
        call->function, data, count, call->arguments, call->zero, &call->last);
}

long sonde_bench_empty(void *data, long a, long b, long c, long d)
{
    (void)data, (void)a, (void)b, (void)c, (void)d;
    return 0;
}
