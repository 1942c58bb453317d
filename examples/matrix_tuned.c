/* A program that takes its block size from a passport:
 *   sonde run ways --json here.json && matrix_tuned here.json
 * Three squares of numbers of 8 bytes shall fit half of the first-level cache; without a
 * passport there is nothing to know, and it says so. The kernels are those of matrix.c.
 */
#include <math.h>
#include <sonde.h>
#include <stdio.h>
#include <stdlib.h>

long plain(void *data, long n);
long blocked(void *data, long n, long block);
void plain_setup(void *data, long bytes, const long *p);

enum { SIZE = 96, SAMPLES = 15 };

static long choose_block(const char *path)
{
    struct sonde_passport *passport;
    struct sonde_level level = {.size_bytes = NAN};
    char problem[200];
    long block;

    if (sonde_passport_open(&passport, path, 0, problem, sizeof problem)) {
        fprintf(stderr, "%s\n", problem);
        return -1;
    }
    sonde_passport_levels(passport, &level, 1);
    sonde_passport_close(passport);
    if (!(level.size_bytes > 0)) {
        fprintf(stderr, "%s: the size of the first level was not measured\n", path);
        return -1;
    }
    block = (long)sqrt(level.size_bytes / 2 / 3 / sizeof(double));
    printf("%s holds %.0f bytes: blocks of %ld by %ld\n", level.name, level.size_bytes,
           block, block);
    return block;
}

static long call_plain(void *data, long n, long b, long c, long d)
{
    (void)b, (void)c, (void)d;
    return plain(data, n);
}

static long call_blocked(void *data, long n, long block, long c, long d)
{
    (void)c, (void)d;
    return blocked(data, n, block);
}

static void start_again(void *data, const long *arguments)
{
    plain_setup(data, 0, arguments);
}

static int compare(void *data, long block)
{
    double ns[2 * SAMPLES];
    struct sonde_task tasks[] = {
        {call_plain, data, {SIZE}, start_again, NULL},
        {call_blocked, data, {SIZE, block}, start_again, NULL},
    };
    struct sonde_times times = {ns, NULL};
    struct sonde_meter *meter;
    struct sonde_ratio ratio;
    char problem[200];
    int error = sonde_meter_open(&meter, -1, problem, sizeof problem);

    if (!error)
        error =
            sonde_meter_time(meter, tasks, 2, SAMPLES, &times, problem, sizeof problem);
    if (!error)
        error = sonde_compare(ns + SAMPLES, ns, SAMPLES, &ratio);
    if (error)
        fprintf(stderr, "%s\n", problem);
    else
        printf("in blocks it takes %.2f (%.2f to %.2f) of the time%s\n", ratio.ratio,
               ratio.low, ratio.high,
               sonde_meter_emulated(meter) ? ", by an emulator" : "");
    sonde_meter_close(meter);
    return error ? 1 : 0;
}

int main(int argc, char **argv)
{
    long block = argc == 2 ? choose_block(argv[1]) : -1;
    void *data;
    int status;

    if (argc != 2)
        fprintf(stderr, "usage: matrix_tuned PASSPORT.json\n");
    if (block < 1)
        return 2;
    data = malloc(3 * sizeof(double) * SIZE * SIZE);
    status = data ? compare(data, block) : 1;
    free(data);
    return status;
}
