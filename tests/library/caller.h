/* What a caller does with the library: the same in C99 and in C++. */
#include <sonde.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXPECT(what)                                                                     \
    do {                                                                                 \
        if (!(what)) {                                                                   \
            printf("line %d: not so: %s\n", __LINE__, #what);                            \
            return 1;                                                                    \
        }                                                                                \
    } while (0)

/* A chain of n multiplications, and one of twice as many. */
static long chain(void *data, long n, long b, long c, long d)
{
    unsigned long x = 1;
    long i;

    (void)data, (void)b, (void)c, (void)d;
    for (i = 0; i < n; i++) {
        x = x * 3 + 1;
        __asm__ __volatile__("" : "+r"(x));
    }
    return (long)(x & 0xff);
}

static int check_any(const void *data, const long *arguments, long value)
{
    (void)data, (void)arguments;
    return value >= 0 && value <= 0xff;
}

static int check_never(const void *data, const long *arguments, long value)
{
    (void)data, (void)arguments, (void)value;
    return 0;
}

static int test_statistics(void)
{
    double values[9], base[9];
    struct sonde_summary summary;
    struct sonde_ratio ratio;
    int i;

    for (i = 0; i < 9; i++) {
        values[i] = 10 + i;
        base[i] = 2 * values[i];
    }
    values[8] = 1000;
    base[8] = 2000;
    EXPECT(sonde_summarize(values, 9, &summary) == 0);
    EXPECT(summary.count == 9 && summary.median == 14 && summary.min == 10);
    EXPECT(summary.q25 == 12 && summary.q75 == 16 && summary.iqr == 4);
    EXPECT(summary.outliers_severe == 1 && summary.outliers_mild == 0);
    EXPECT(summary.low <= summary.median && summary.median <= summary.high);
    EXPECT(sonde_summarize(values, 0, &summary) == -ENODATA && isnan(summary.median));
    EXPECT(sonde_summarize(values, 1, &summary) == 0 && summary.median == 10);
    values[3] = NAN;
    EXPECT(sonde_summarize(values, 9, &summary) == -EINVAL);
    values[3] = 13;
    EXPECT(sonde_compare(values, base, 9, &ratio) == 0 && ratio.pairs == 9);
    EXPECT(fabs(ratio.ratio - 0.5) < 1e-9 && ratio.verdict == SONDE_FASTER);
    EXPECT(sonde_compare(values, base, 3, &ratio) == 0);
    EXPECT(ratio.verdict == SONDE_INCONCLUSIVE && isnan(ratio.ratio));
    EXPECT(sonde_compare(values, values, 9, &ratio) == 0 && ratio.verdict == SONDE_EQUAL);
    return 0;
}

static int test_meter(void)
{
    enum { SAMPLES = 9 };
    double ns[2 * SAMPLES], cycles[2 * SAMPLES];
    struct sonde_task tasks[2];
    struct sonde_times times;
    struct sonde_meter *meter;
    struct sonde_ratio ratio;
    char problem[200] = "";

    memset(tasks, 0, sizeof tasks);
    times.ns = ns;
    times.cycles = cycles;
    EXPECT(sonde_meter_open(&meter, 65000, problem, sizeof problem) == -EINVAL);
    EXPECT(strstr(problem, "65000") && !meter);
    EXPECT(sonde_meter_open(&meter, -1, problem, sizeof problem) == 0);
    tasks[0].run = tasks[1].run = chain;
    tasks[0].check = tasks[1].check = check_any;
    tasks[0].arguments[0] = 1000;
    tasks[1].arguments[0] = 4000;
    EXPECT(sonde_meter_time(meter, tasks, 2, SAMPLES, &times, problem, sizeof problem) ==
           0);
    EXPECT(sonde_compare(ns + SAMPLES, ns, SAMPLES, &ratio) == 0);
    EXPECT(ratio.pairs < 8 || (ratio.ratio > 1.5 && ratio.ratio < 12));
    tasks[1].check = check_never;
    EXPECT(sonde_meter_time(meter, tasks, 2, 2, &times, problem, sizeof problem) ==
           -EBADMSG);
    EXPECT(strstr(problem, "task 1"));
    tasks[1].run = NULL;
    EXPECT(sonde_meter_time(meter, tasks, 2, 2, &times, NULL, 0) == -EINVAL);
    EXPECT(sonde_meter_time(meter, tasks, 0, 2, &times, NULL, 0) == -EINVAL);
    EXPECT(sonde_meter_emulated(meter) == 0 || sonde_meter_emulated(meter) == 1);
    sonde_meter_close(meter);
    sonde_meter_close(NULL);
    return 0;
}

static int test_passport(const char *path)
{
    struct sonde_passport *passport;
    struct sonde_level levels[8];
    char problem[200] = "";
    double low, high;
    size_t count;

    EXPECT(sonde_passport_open(&passport, "no/such.json", 0, problem, sizeof problem) ==
           -ENOENT);
    EXPECT(strstr(problem, "no/such.json") && !passport);
    EXPECT(sonde_passport_open(&passport, path, 99, NULL, 0) == -ERANGE);
    EXPECT(sonde_passport_open(&passport, path, 0, problem, sizeof problem) == 0);
    count = sonde_passport_levels(passport, levels, 8);
    EXPECT(count >= 1 && count <= 8 && sonde_passport_levels(passport, NULL, 0) == count);
    EXPECT(strcmp(levels[0].name, "l1d") == 0 && levels[0].size_bytes == 32768);
    EXPECT(levels[0].ways == 8);
    EXPECT(sonde_passport_value(passport, "l1d.size", &low, &high) == 32768);
    EXPECT(low <= 32768 && high >= 32768);
    EXPECT(isnan(sonde_passport_value(passport, "no.such", NULL, NULL)));
    EXPECT(sonde_passport_line(passport) == 64 && sonde_passport_page(passport) == 4096);
    sonde_passport_close(passport);
    sonde_passport_close(NULL);
    return 0;
}

int main(int argc, char **argv)
{
    if (strlen(sonde_version()) < 5)
        return 1;
    return test_statistics() || test_meter() || (argc > 1 && test_passport(argv[1]));
}
