/* A matrix product, plain and in blocks: c += a * b, n by n numbers each.
 *   sonde bench matrix.c --baseline plain
 *   sonde bench matrix.c --param n=512 --param block=512,64,32
 * `plain` goes down a column of b for each number of c: every load is on another line,
 * and from n = 512 on on another page. `blocked` works on squares of `block` by `block`,
 * three of which should fit the level that one wants to work in (see matrix_tuned.c). */
#include <sonde.h>

static void set_up(double *m, long n)
{
    for (long i = 0; i < 2 * n * n; i++)
        m[i] = (double)(i % 7) - 3;
    for (long i = 2 * n * n; i < 3 * n * n; i++)
        m[i] = 0;
}

/* Both add to c what they find there, so the sum over a row of c is the product of the
 * sums, as often as they were called: row 0 must be a whole multiple of the true one. */
static int right(const double *m, long n)
{
    const double *a = m, *b = m + n * n, *c = m + 2 * n * n;
    double once = 0, found = 0, times;

    for (long j = 0; j < n; j++) {
        found += c[j];
        for (long k = 0; k < n; k++)
            once += a[k] * b[k * n + j];
    }
    if (once == 0)
        return found == 0;
    times = found / once;
    return times >= 1 && times == (double)(long)times;
}

long plain(void *data, long n)
{
    double *a = data, *b = a + n * n, *c = b + n * n;

    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double sum = c[i * n + j];

            for (long k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

/* One square of b, over all rows of a. */
static void work_on_block(double *a, long n, long block, long k0, long j0)
{
    double *b = a + n * n, *c = b + n * n;
    long k1 = least(k0 + block, n), j1 = least(j0 + block, n);

    for (long i = 0; i < n; i++)
        for (long k = k0; k < k1; k++)
            for (long j = j0; j < j1; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

long blocked(void *data, long n, long block)
{
    for (long j0 = 0; j0 < n; j0 += block)
        for (long k0 = 0; k0 < n; k0 += block)
            work_on_block(data, n, block, k0, j0);
    return 0;
}

void plain_setup(void *data, long bytes, const long *p)
{
    (void)bytes;
    set_up(data, p[0]);
}

void blocked_setup(void *data, long bytes, const long *p)
{
    (void)bytes;
    set_up(data, p[0]);
}

int plain_check(const void *data, long bytes, const long *p, long value)
{
    (void)bytes, (void)value;
    return right(data, p[0]);
}

int blocked_check(const void *data, long bytes, const long *p, long value)
{
    (void)bytes, (void)value;
    return right(data, p[0]);
}

SONDE_KERNEL(plain, "n=8..4096:256", "24*n*n", "n*n*n", "16*n*n*n", "2*n*n*n");
SONDE_KERNEL(blocked, "n=8..4096:256 block=4..4096:32", "24*n*n", "n*n*n", "16*n*n*n",
             "2*n*n*n");
