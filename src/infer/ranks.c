/* Mann and Whitney's test: how often, of all pairs of a run of one side and one of the
 * other, the second is larger.
 *
 * Exactly: the number of orders with a given count of such pairs is a coefficient of the
 * Gaussian binomial, prod (1 - q^(m+i)) / (1 - q^i), which two passes over an array per
 * factor give. The low coefficients, which a small p is made of, are small whole numbers
 * and stay exact. */
#include "infer/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { EXACT_MOST = 40 };

static double pairs_won(const double *a, size_t n, const double *b, size_t m)
{
    double won = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            won += b[k] > a[i] ? 1 : b[k] == a[i] ? 0.5 : 0;
    return won;
}

static double by_normal(double won, double n, double m)
{
    double deviation = sqrt(n * m * (n + m + 1) / 12);
    double z = fmax(0, fabs(won - n * m / 2) - 0.5) / deviation;

    return erfc(z / sqrt(2));
}

static int exactly(size_t fewer, size_t n, size_t m, double *p)
{
    size_t size = n * m + 1;
    double *orders = calloc(size, sizeof *orders), tail = 0, all = 0;

    if (!orders)
        return -ENOMEM;
    orders[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        for (size_t k = size; k-- > m + i;)
            orders[k] -= orders[k - m - i];
        for (size_t k = i; k < size; k++)
            orders[k] += orders[k - i];
    }
    for (size_t k = 0; k < size; k++) {
        all += orders[k];
        tail += k <= fewer ? orders[k] : 0;
    }
    *p = fmin(1, 2 * tail / all);
    free(orders);
    return 0;
}

int sonde_infer_mann_whitney(const double *a, size_t n, const double *b, size_t m,
                             double *p)
{
    double won = pairs_won(a, n, b, m), all = (double)n * (double)m;

    if (n > EXACT_MOST || m > EXACT_MOST) {
        *p = by_normal(won, (double)n, (double)m);
        return 0;
    }
    return exactly((size_t)ceil(fmin(won, all - won)), n, m, p);
}
