/* Numbers for people: formatting with units.
 *
 * Every number is rounded first, to significant digits, and its unit chosen afterwards,
 * so that 999.9 ns becomes "1.00 µs" and never "1000 ns". Sizes are binary; rates,
 * frequencies and times decimal.
 *
 * What can fool it: rounding that carries into one more digit (9.999 to "10.0"), and the
 * decimal point of a foreign LC_NUMERIC, which sonde_base_format keeps out. */
#include "base/units.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Above this a double no longer tells whole numbers apart. */
#define WHOLE_LIMIT 0x1p53

__attribute__((format(printf, 2, 3))) static struct number_text
print(const char *unit, const char *format, ...)
{
    struct number_text out;
    va_list arguments;
    size_t length;

    va_start(arguments, format);
    sonde_base_format(out.text, sizeof out.text, format, arguments);
    va_end(arguments);
    length = strlen(out.text);
    if (unit[0] != '\0' && length + 1 + strlen(unit) < sizeof out.text) {
        out.text[length] = ' ';
        memcpy(out.text + length + 1, unit, strlen(unit) + 1);
    }
    return out;
}

static struct number_text unknown(void)
{
    return print("", "unknown");
}

/* The power of ten of the first digit, after rounding to `significant` digits. */
static int exponent_of(double value, int significant)
{
    struct number_text rounded = print("", "%.*e", significant - 1, value);
    const char *digits = strchr(rounded.text, 'e') + 1;
    int exponent = 0;

    for (const char *at = digits + 1; *at != '\0'; at++)
        exponent = exponent * 10 + (*at - '0');
    return digits[0] == '-' ? -exponent : exponent;
}

static double round_to(double value, int significant)
{
    double step;

    if (value == 0)
        return 0;
    step = pow(10, exponent_of(value, significant) - significant + 1);
    return round(value / step) * step;
}

/* With exactly so many significant digits: "1.20", "27.3", "508", "1230". */
static struct number_text print_digits(double value, int significant, const char *unit)
{
    int exponent = exponent_of(value, significant);
    int decimals = significant - 1 - exponent;

    if (value == 0)
        return print(unit, "0");
    if (exponent < -4 || exponent > 15)
        return print(unit, "%.*e", significant - 1, value);
    if (decimals < 0)
        return print(unit, "%.0f", round_to(value, significant));
    return print(unit, "%.*f", decimals, value);
}

struct number_text sonde_base_format_number(double value, int significant)
{
    if (!isfinite(value))
        return unknown();
    if (significant < 1 || significant > 17)
        significant = significant < 1 ? 1 : 17;
    if (value == floor(value) && fabs(value) < WHOLE_LIMIT)
        return print("", "%.0f", value + 0.0); /* -0 becomes 0 */
    return print_digits(value, significant, "");
}

struct number_text sonde_base_format_bytes(double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    double scaled;

    if (!isfinite(bytes))
        return unknown();
    for (scaled = bytes; fabs(scaled) >= 1024 && unit + 1 < sizeof units / sizeof *units;
         unit++)
        scaled /= 1024;
    if (scaled != floor(scaled))
        scaled = round_to(scaled, 3);
    if (fabs(scaled) >= 1e6)
        return print(units[unit], "%.3g", scaled);
    if (fabs(scaled) >= 100)
        return print(units[unit], "%.0f", scaled);
    return print(units[unit], "%.3g", scaled + 0.0);
}

/* `units` climb by 1000 from `value`'s own; NULL ends them. */
static struct number_text format_decimal(double value, const char *const *units)
{
    if (!isfinite(value))
        return unknown();
    while (fabs(round_to(value, 3)) >= 1000 && units[1] != NULL) {
        value /= 1000;
        units++;
    }
    return print_digits(value, 3, units[0]);
}

struct number_text sonde_base_format_time(double nanoseconds)
{
    static const char *const units[] = {"ns", "µs", "ms", "s", NULL};

    return format_decimal(nanoseconds, units);
}

struct number_text sonde_base_format_rate(double bytes_per_second)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", NULL};

    return format_decimal(bytes_per_second, units);
}

struct number_text sonde_base_format_frequency(double hertz)
{
    static const char *const units[] = {"Hz", "kHz", "MHz", "GHz", "THz", NULL};

    return format_decimal(hertz, units);
}

struct number_text sonde_base_format_unit(double value, const char *unit)
{
    struct number_text number;

    if (!isfinite(value))
        return unknown();
    if (strcmp(unit, "bytes") == 0)
        return sonde_base_format_bytes(value);
    if (strcmp(unit, "ns") == 0)
        return sonde_base_format_time(value);
    if (strcmp(unit, "bytes/s") == 0)
        return sonde_base_format_rate(value);
    if (strcmp(unit, "hz") == 0)
        return sonde_base_format_frequency(value);
    number = sonde_base_format_number(value, 3);
    if (strcmp(unit, "ratio") == 0 || strcmp(unit, "count") == 0)
        unit = "";
    return print(strcmp(unit, "percent") == 0 ? "%" : unit, "%s", number.text);
}

double sonde_base_snap_bytes(double bytes)
{
    static const double shares[] = {1, 1.25, 1.5, 1.75, 2};
    double best = 0, power;

    if (!isfinite(bytes) || bytes <= 0)
        return bytes;
    power = exp2(floor(log2(bytes)));
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double candidate = shares[i] * power;

        if (fabs(candidate - bytes) < fabs(best - bytes))
            best = candidate;
    }
    return best;
}
