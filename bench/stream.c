/* Streams as a programmer would write them, for a compiler at -O3 -march=native: one of
 * read, write, copy, triad on doubles, by threads that each have arrays of their own.
 *
 *   stream OPERATION BYTES THREADS SECONDS
 *
 * BYTES are all arrays of one thread together. Prints bytes a second of all threads,
 * those that the loops read plus those they write: the 90th percentile of hundredths of
 * SECONDS, in each of which all threads count, which is what sonde gives of its samples.
 * For the scripts of this folder; a compiler may call memcpy, which counts. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOWS = 100, THREADS_MAX = 256 };

struct job {
    const char *operation;
    size_t length; /* doubles of an array */
    unsigned arrays;
    double seconds, rates[WINDOWS]; /* of this thread */
    double *memory;
    pthread_barrier_t *start;
};

static volatile double sink;
/* Not known to the compiler, so that a pass is not seen to repeat the last one. */
static volatile double scalar = 3;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* -O3 alone may not reorder a floating sum: a loop over integers may be vectorised. */
__attribute__((noinline)) static void read_pass(const double *restrict a, size_t length)
{
    const uint64_t *words = (const uint64_t *)(const void *)a;
    uint64_t sum = 0;

    for (size_t i = 0; i < length; i++)
        sum += words[i];
    sink = (double)sum;
}

__attribute__((noinline)) static void write_pass(double *restrict a, size_t length)
{
    double value = scalar;

    for (size_t i = 0; i < length; i++)
        a[i] = value;
}

__attribute__((noinline)) static void copy_pass(double *restrict a,
                                                const double *restrict b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        a[i] = b[i];
}

__attribute__((noinline)) static void triad_pass(double *restrict a,
                                                 const double *restrict b,
                                                 const double *restrict c, size_t length)
{
    double factor = scalar;

    for (size_t i = 0; i < length; i++)
        a[i] = b[i] + factor * c[i];
}

static void pass(const struct job *job)
{
    double *a = job->memory, *b = a + job->length, *c = b + job->length;

    switch (job->operation[0]) {
    case 'r':
        read_pass(a, job->length);
        break;
    case 'w':
        write_pass(a, job->length);
        break;
    case 'c':
        copy_pass(a, b, job->length);
        break;
    default:
        triad_pass(a, b, c, job->length);
    }
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static void *work(void *argument)
{
    struct job *job = argument;
    double bytes = (double)(job->length * job->arrays * sizeof(double)), start, to;

    for (size_t i = 0; i < job->length * job->arrays; i++)
        job->memory[i] = 1;
    pthread_barrier_wait(job->start);
    start = to = now();
    for (int window = 0; window < WINDOWS; window++) {
        double from = to, end = start + job->seconds / WINDOWS * (window + 1);
        size_t passes = 0;

        while (to < end || passes == 0) {
            size_t batch = bytes > 1e6 ? 1 : 64;

            for (size_t i = 0; i < batch; i++)
                pass(job);
            passes += batch;
            to = now();
        }
        job->rates[window] = bytes * (double)passes / (to - from);
    }
    return NULL;
}

static unsigned arrays_of(const char *operation)
{
    static const char *const names[] = {"read", "write", "copy", "triad"};
    static const unsigned arrays[] = {1, 1, 2, 3};

    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], operation) == 0)
            return arrays[i];
    return 0;
}

int main(int argc, char **argv)
{
    static struct job jobs[THREADS_MAX];
    static pthread_t threads[THREADS_MAX];
    size_t count = argc == 5 ? strtoul(argv[3], NULL, 10) : 0;
    unsigned arrays = argc == 5 ? arrays_of(argv[1]) : 0;
    pthread_barrier_t start;
    double rates[WINDOWS] = {0};

    if (!arrays || count < 1 || count > THREADS_MAX) {
        fputs("usage: stream read|write|copy|triad BYTES THREADS SECONDS\n", stderr);
        return 2;
    }
    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strtoul(argv[2], NULL, 10) / arrays / 512 * 64;

        jobs[i] = (struct job){
            argv[1], length,
            arrays,  strtod(argv[4], NULL),
            {0},     aligned_alloc(4096, (length * arrays * 8 + 4095) / 4096 * 4096),
            &start};
        if (!jobs[i].memory || pthread_create(&threads[i], NULL, work, &jobs[i]))
            return 1;
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        for (int window = 0; window < WINDOWS; window++)
            rates[window] += jobs[i].rates[window];
    }
    qsort(rates, WINDOWS, sizeof rates[0], ascending);
    printf("%.0f\n", rates[WINDOWS * 9 / 10]);
    return 0;
}
