/* sonde.h - the public face of sonde: kernels for `sonde bench`, and libsonde.
 *
 * Part 1 declares a kernel, from C, C++ or assembly (this file may be included in a .S).
 * Part 2, for C and C++, is the library: link with -lsonde (pkg-config sonde).
 *
 * Everything here keeps its meaning within one major version. */
#ifndef SONDE_H
#define SONDE_H

#define SONDE_VERSION_MAJOR  0
#define SONDE_VERSION_MINOR  1
#define SONDE_KERNEL_VERSION 1

/* --- 1. Declaring a kernel -------------------------------------------------------------
 *
 *   SONDE_KERNEL(name, parameters, buffer, elements, bytes, operations)
 *
 * declares the function `name` as a kernel:
 *
 *   long name(void *data, long p1, long p2, long p3, long p4)
 *
 * with the declared parameters in their order (fewer are fine, and what is not declared
 * holds anything). All but the name are strings:
 *
 * - parameters: up to four, separated by spaces, each NAME=FROM..TO[/MULTIPLE][:DEFAULTS]
 *   such as "n=1..2^24:4096 stride=8..4096/8:8,64". MULTIPLE: of what values
 *   must be multiples. DEFAULTS: what is run without --param.
 * - buffer: bytes at `data`, as a formula in the parameters: "n*stride". "": none.
 * - elements: what one call works on, for figures "per element": "n".
 * - bytes: what one call reads and writes: "8*n".
 * - operations: what one call does: "n".
 *
 * Formulas know whole numbers, parameters, + - * / and brackets. If the file defines
 *
 *   void name_setup(void *data, long bytes, const long *parameters)
 *   int name_check(const void *data, long bytes, const long *parameters, long value)
 *
 * the first fills the buffer before every visit (otherwise it is filled with random
 * words), and the second looks at the buffer and the value of the last call after every
 * batch: it answers 1 if they are right, else 0. */

#ifdef __ASSEMBLER__

/* In assembly: one line, at any place of the file. `;` separates statements in GNU as on
 * x86-64 and AArch64. */
/* clang-format off */
#define SONDE_KERNEL(name, parameters, buffer, elements, bytes, operations)              \
    .pushsection .rodata; 7101: .asciz #name; 7102: .asciz parameters;                   \
    7103: .asciz buffer; 7104: .asciz elements; 7105: .asciz bytes;                      \
    7106: .asciz operations; .popsection;                                                \
    .pushsection .data.rel.ro, "aw"; .balign 8; .globl sonde_kernel_##name;              \
    .type sonde_kernel_##name, SONDE_OBJECT; .size sonde_kernel_##name, 80;              \
    sonde_kernel_##name: .long SONDE_KERNEL_VERSION, __LINE__; .quad 7101b; .quad name;  \
    .quad 7102b; .quad 7103b; .quad 7104b; .quad 7105b; .quad 7106b;                     \
    .weak name##_setup; .quad name##_setup; .weak name##_check; .quad name##_check;      \
    .popsection
/* clang-format on */
#define SONDE_OBJECT STT_OBJECT

#else

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef long sonde_function(void *data, long, long, long, long);
typedef void sonde_setup_function(void *data, long bytes, const long *parameters);
typedef int sonde_check_function(const void *data, long bytes, const long *parameters,
                                 long value);

/* What SONDE_KERNEL defines: 80 bytes, ten words, in this order. */
struct sonde_kernel {
    unsigned version; /* SONDE_KERNEL_VERSION */
    unsigned line;    /* of the declaration: kernels are run in this order */
    const char *name;
    sonde_function *run;
    const char *parameters, *buffer, *elements, *bytes, *operations;
    sonde_setup_function *setup; /* NULL: random words */
    sonde_check_function *check; /* NULL: unchecked */
};

#ifdef __cplusplus
#define SONDE_DECLARED extern "C"
#else
#define SONDE_DECLARED extern
#endif

/* A set-up or check that was defined before is not made weak, and need not be: clang says
 * so. */
#ifdef __clang__
#define SONDE_QUIET                                                                      \
    _Pragma("clang diagnostic push")                                                     \
        _Pragma("clang diagnostic ignored \"-Wignored-attributes\"")
#define SONDE_LOUD _Pragma("clang diagnostic pop")
#else
#define SONDE_QUIET
#define SONDE_LOUD
#endif

/* In C and C++: at file scope, after the function, followed by a semicolon. The function
 * may have any parameters that a call with a pointer and longs fits. */
#define SONDE_KERNEL(name_, parameters_, buffer_, elements_, bytes_, operations_)        \
    SONDE_QUIET                                                                          \
    SONDE_DECLARED __attribute__((weak)) sonde_setup_function name_##_setup;             \
    SONDE_DECLARED __attribute__((weak)) sonde_check_function name_##_check;             \
    SONDE_LOUD                                                                           \
    SONDE_DECLARED __attribute__((visibility("default")))                                \
    const struct sonde_kernel sonde_kernel_##name_;                                      \
    const struct sonde_kernel sonde_kernel_##name_ = {                                   \
        SONDE_KERNEL_VERSION,                                                            \
        __LINE__,                                                                        \
        #name_,                                                                          \
        (sonde_function *)(void (*)(void))name_,                                         \
        parameters_,                                                                     \
        buffer_,                                                                         \
        elements_,                                                                       \
        bytes_,                                                                          \
        operations_,                                                                     \
        name_##_setup,                                                                   \
        name_##_check}

/* --- 2. The library --------------------------------------------------------------------
 *
 * Functions answer 0, or a negative errno; where they take `problem` (which may be NULL)
 * they write there, in one line, what was wrong. What is not known is NaN, never 0.
 * Nothing is printed and nothing exits. Different objects may be used from different
 * threads. */

#define SONDE_API __attribute__((visibility("default")))

/* "0.1.0": of the library that runs, not of this header. */
SONDE_API const char *sonde_version(void);

/* --- statistics ---
 * Quantiles are type 7 of Hyndman and Fan (1996). Outliers lie more than 1.5 times (mild)
 * or 3 times (severe) the IQR beyond the quartiles (Tukey, 1977); they are counted, never
 * removed. [low, high] is a 99 % interval of the median from order statistics. */
struct sonde_summary {
    size_t count;
    double min, q25, median, q75, p99, max, mean, iqr, low, high;
    size_t outliers_mild, outliers_severe;
};

/* Summarises `values[count]` in any unit. -EINVAL: a value is NaN or infinite; -ENODATA:
 * count is 0 (all figures are then NaN); -ENOMEM. */
SONDE_API int sonde_summarize(const double *values, size_t count,
                              struct sonde_summary *summary);

enum sonde_verdict {
    SONDE_EQUAL = 1,   /* the interval lies within 1 % of 1 */
    SONDE_FASTER,      /* below the base by more than 1 %, the interval by 0.5 % */
    SONDE_SLOWER,      /* above it, likewise */
    SONDE_INCONCLUSIVE /* the spread is larger than the difference */
};

struct sonde_ratio {
    size_t pairs;
    double ratio, low, high; /* values over base, 99 % interval */
    enum sonde_verdict verdict;
};

/* Compares `values[i]` with `base[i]`, times of the same round (as sonde_meter_time gives
 * them); pairs with a NaN are left out. The estimate is that of Hodges and Lehmann (1963)
 * on logarithms, the interval that of the signed-rank test; below 8 pairs all is
 * inconclusive. -ENOMEM. */
SONDE_API int sonde_compare(const double *values, const double *base, size_t count,
                            struct sonde_ratio *ratio);

/* --- the harness ---
 * Times functions of the calling process: batches long enough for the clock, visited in
 * rounds of random order, between two readings of the core clock; samples over which the
 * clock moved or the CPU was lost are taken again. No guard pages and no child process:
 * that is what `sonde bench` adds. */
struct sonde_meter;

struct sonde_task {
    sonde_function *run;
    void *data;        /* handed to `run`; the caller's */
    long arguments[4]; /* likewise */
    /* Outside the time, before each visit; may be NULL. */
    void (*prepare)(void *data, const long *arguments);
    /* After each batch: is the value of its last call right? May be NULL. */
    int (*check)(const void *data, const long *arguments, long value);
};

struct sonde_times {
    double *ns;     /* [count * samples]: of one call; NaN: no undisturbed sample */
    double *cycles; /* the same in core cycles; NaN: the core clock is not known */
};

/* Binds the calling thread to `cpu` (-1: leaves it as it is) and weighs the clocks, which
 * takes about half a second. Use the meter in this thread only. -EINVAL: no such CPU;
 * -ENOMEM. */
SONDE_API int sonde_meter_open(struct sonde_meter **meter, int cpu, char *problem,
                               size_t problem_size);
/* Takes `samples` of each of `count` tasks. ns[t * samples + s] is sample s of task t;
 * samples of one s are neighbours in time. An element of `times` may be NULL. -EINVAL: no
 * task, no sample, no function; -EBADMSG: a check failed, and `problem` says whose;
 * -ENOMEM. */
SONDE_API int sonde_meter_time(struct sonde_meter *meter, const struct sonde_task *tasks,
                               size_t count, size_t samples,
                               const struct sonde_times *times, char *problem,
                               size_t problem_size);
/* Core clock in Hz, NaN where it cannot be measured. */
SONDE_API double sonde_meter_core_hz(const struct sonde_meter *meter);
/* 1 where the times are an emulator's, else 0. */
SONDE_API int sonde_meter_emulated(const struct sonde_meter *meter);
SONDE_API void sonde_meter_close(struct sonde_meter *meter); /* NULL is fine */

/* --- passports ---
 * What `sonde run --json FILE` wrote. A file may hold several kinds of core; `index`
 * chooses one, from 0. */
struct sonde_passport;

struct sonde_level {
    char name[16];         /* "l1d", "l2", "l3", "llc" */
    double size_bytes;     /* measured, of a range the low end; NaN: not known */
    double ways;           /* measured; NaN */
    double latency_ns;     /* of a load; NaN */
    double latency_cycles; /* NaN */
    double declared_bytes; /* what the machine says; NaN: nothing */
};

/* -ENOENT and its like: the file; -EINVAL: it is no passport; -ERANGE: it holds no
 * passport of that index. */
SONDE_API int sonde_passport_open(struct sonde_passport **passport, const char *path,
                                  size_t index, char *problem, size_t problem_size);
/* Fills at most `capacity` levels, nearest to the core first; answers how many there are.
 */
SONDE_API size_t sonde_passport_levels(const struct sonde_passport *passport,
                                       struct sonde_level *levels, size_t capacity);
/* Bytes of a cache line and of a page of address translation: measured, otherwise
 * declared, otherwise NaN. */
SONDE_API double sonde_passport_line(const struct sonde_passport *passport);
SONDE_API double sonde_passport_page(const struct sonde_passport *passport);
/* Value of any finding by its name ("l1d.size", "branch.mispredict"), its interval in
 * `low` and `high` (which may be NULL); NaN: not measured. */
SONDE_API double sonde_passport_value(const struct sonde_passport *passport,
                                      const char *name, double *low, double *high);
SONDE_API void sonde_passport_close(struct sonde_passport *passport); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */
#endif /* SONDE_H */
