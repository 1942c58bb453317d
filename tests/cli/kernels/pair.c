/* The same loop twice under two names, and one that does twice the work. */
#include <sonde.h>

#define CHAIN(name, rounds)                                                              \
    __attribute__((aligned(64), noinline)) long name(void *data, long n)                 \
    {                                                                                    \
        unsigned long x = 1;                                                             \
        (void)data;                                                                      \
        for (long i = 0; i < n * (rounds); i++) {                                        \
            x = x * 3 + 1;                                                               \
            __asm__ volatile("" : "+r"(x));                                              \
        }                                                                                \
        return (long)x;                                                                  \
    }                                                                                    \
    SONDE_KERNEL(name, "n=1..2^20:200", "", "n", "0", "n")

CHAIN(one, 1);
CHAIN(same, 1);
CHAIN(twice, 2);
