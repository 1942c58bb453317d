/* Student's t, for a handful of runs a side, where a normal distribution would be sure of
 * itself too soon.
 *
 * The tail is a regularised incomplete beta function, by Lentz's continued fraction
 * (Press et al., "Numerical Recipes", 6.4, describe it); the inverse is bisected. */
#include "infer/compare.h"

#include <math.h>

static double away_from_zero(double value)
{
    return fabs(value) < 1e-300 ? 1e-300 : value;
}

static double fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;

    for (int i = 1; i < 300; i++) {
        double m = i, step;

        step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + step * d);
        c = away_from_zero(1 + step / c);
        value *= d * c;
        step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + step * d);
        c = away_from_zero(1 + step / c);
        value *= d * c;
        if (fabs(d * c - 1) < 1e-14)
            break;
    }
    return value;
}

static double incomplete_beta(double a, double b, double x)
{
    double front;

    if (!(x > 0))
        return 0;
    if (!(x < 1))
        return 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a
                                     : 1 - front * fraction(b, a, 1 - x) / b;
}

double sonde_infer_student_p(double t, double freedom)
{
    if (isnan(t) || !(freedom > 0))
        return NAN;
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double sonde_infer_student_t(double p, double freedom)
{
    double low = 0, high = 1;

    if (!(p > 0) || !(p < 1) || !(freedom > 0))
        return NAN;
    while (sonde_infer_student_p(high, freedom) > p && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;

        if (sonde_infer_student_p(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
