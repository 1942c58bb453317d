/* Values for people: units, ranges, and the round size behind a measured one.
 *
 * A measured capacity is a point on a curve; caches are built in round sizes. The round
 * size is shown only where the measured interval holds it, and never enters the JSON. */
#include "report/terminal_parts.h"

#include "infer/names.h"

#include <math.h>
#include <string.h>

/* Below this a value is given as its range (the levels' own rule, see infer/levels.h). */
static const double sure = 0.7;
/* Without a wide interval, a round size this near is taken for the measured one: half a
 * step of a curve with 8 points an octave, 2^(1/16) - 1. */
static const double near_round = 0.0445;
/* A range wider than this is no noise: the curve has too few points to tell more. */
static const double coarse = 1.5;
/* A range narrower than this reads better as one number. */
static const double narrow = 1.1;

/* Factors beyond this only say that one side was next to nothing. */
static const double most_times = 1000;

struct glued {
    char text[2 * SONDE_NUMBER_TEXT];
};

/* A number must not be parted from its unit at the end of a line. */
static struct glued glue(struct number_text number)
{
    struct glued out = {{0}};
    size_t used = 0;

    for (const char *c = number.text; *c && used + 3 < sizeof out.text; c++)
        if (*c == ' ') {
            memcpy(out.text + used, GLUE, 2);
            used += 2;
        } else {
            out.text[used++] = *c;
        }
    return out;
}

/* Cycles keep their decimals: 4.00 says more than 4. */
static struct number_text cycles_text(double value)
{
    struct number_text number = sonde_base_format_number(value, 3);

    if (value == floor(value) && value >= 0 && value < 10)
        snprintf(number.text, sizeof number.text, "%d.00", (int)value);
    else if (value == floor(value) && value >= 10 && value < 100)
        snprintf(number.text, sizeof number.text, "%d.0", (int)value);
    else if (value >= 100)
        number = sonde_base_format_number(round(value), 3);
    return number;
}

struct value_text sonde_report_number(double value, const char *unit)
{
    struct value_text out;
    double percent = strcmp(unit, "share") == 0 ? 100 * value : value;

    if (strcmp(unit, "share") == 0 || strcmp(unit, "percent") == 0)
        snprintf(out.text, sizeof out.text, "%s" GLUE "%%",
                 sonde_base_format_number(percent, percent < 10 ? 2 : 3).text);
    else if (strcmp(unit, "times") == 0 && value > most_times)
        snprintf(out.text, sizeof out.text, "over %.0f×", most_times);
    else if (strcmp(unit, "times") == 0 && value >= 100)
        snprintf(out.text, sizeof out.text, "%s×",
                 sonde_base_format_number(round(value), 3).text);
    else if (strcmp(unit, "times") == 0)
        snprintf(out.text, sizeof out.text, "%s×",
                 sonde_base_format_number(value, value < 2 ? 3 : 2).text);
    else if (strcmp(unit, "cycles") == 0)
        snprintf(out.text, sizeof out.text, "%s" GLUE "cyc", cycles_text(value).text);
    else if (strcmp(unit, "per second") == 0 || strcmp(unit, "count") == 0)
        snprintf(out.text, sizeof out.text, "%s%s%s",
                 sonde_base_format_number(value, 3).text, *unit == 'p' ? GLUE : "",
                 *unit == 'p' ? "per" GLUE "second" : "");
    else
        snprintf(out.text, sizeof out.text, "%s",
                 glue(sonde_base_format_unit(value, unit)).text);
    return out;
}

/* "4–6 MiB": both in the unit of the larger. */
static struct value_text bytes_range(double low, double high)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    struct value_text out;
    unsigned unit = 0;

    for (; high >= 1024 && unit < 4; unit++) {
        high /= 1024;
        low /= 1024;
    }
    snprintf(out.text, sizeof out.text, "%s–%s" GLUE "%s",
             sonde_base_format_number(low, low < 10 ? 2 : 3).text,
             sonde_base_format_number(high, high < 10 ? 2 : 3).text, units[unit]);
    return out;
}

struct value_text sonde_report_range(double low, double high, const char *unit)
{
    struct value_text out, from = sonde_report_number(low, unit),
                           to = sonde_report_number(high, unit);

    if (strcmp(from.text, to.text) == 0)
        return to;
    if (strcmp(unit, "bytes") == 0)
        return bytes_range(low, high);
    /* One unit is enough where both have the same. */
    const char *from_unit = strstr(from.text, GLUE), *to_unit = strstr(to.text, GLUE);
    int length = (int)strlen(from.text);

    if (from_unit && to_unit && strcmp(from_unit, to_unit) == 0)
        length = (int)(from_unit - from.text);
    snprintf(out.text, sizeof out.text, "%.*s–%.40s", length > 36 ? 36 : length,
             from.text, to.text);
    return out;
}

static const char *unit_of(const struct finding *finding)
{
    const struct finding_name *name = sonde_infer_name(finding->name);
    const char *unit = finding->unit ? finding->unit : "";

    return name && strcmp(unit, "ratio") == 0 ? name->unit : unit;
}

static bool has_range(const struct finding *finding)
{
    return isfinite(finding->low) && isfinite(finding->high) &&
           finding->high >= finding->low;
}

double sonde_report_size(const struct finding *finding)
{
    double value = finding->value, round_size = sonde_base_snap_bytes(value);
    bool range = has_range(finding),
         wide = range && finding->high > narrow * finding->low;
    bool shared = strcmp(finding->name, "llc.effective") == 0;

    if (wide &&
        (shared || finding->confidence < sure ||
         (strstr(finding->name, ".size") && finding->high > coarse * finding->low)))
        return NAN;
    if (wide ? round_size >= finding->low && round_size <= finding->high
             : fabs(round_size / value - 1) < near_round)
        value = round_size;
    return value;
}

double sonde_report_size_least(const struct finding *finding)
{
    double size = sonde_report_size(finding);

    return isfinite(size) ? size : finding->low;
}

/* With the digits that bytes_range() gives it. */
static struct value_text end_text(double bytes)
{
    double scaled = bytes;

    while (scaled >= 1024)
        scaled /= 1024;
    if (scaled < 10 && bytes >= 1024)
        bytes *= round(scaled * 10) / 10 / scaled;
    return sonde_report_number(bytes, "bytes");
}

static struct value_text size_or_end(const struct finding *finding, double end)
{
    double size = sonde_report_size(finding);

    return isfinite(size) ? sonde_report_number(size, "bytes") : end_text(end);
}

struct value_text sonde_report_size_least_text(const struct finding *finding)
{
    return size_or_end(finding, finding->low);
}

struct value_text sonde_report_size_most_text(const struct finding *finding)
{
    return size_or_end(finding, finding->high);
}

static struct value_text size_text(const struct finding *finding)
{
    double size = sonde_report_size(finding);

    return isfinite(size) ? sonde_report_number(size, "bytes")
                          : sonde_report_range(finding->low, finding->high, "bytes");
}

bool sonde_report_known(const struct finding *finding)
{
    return finding && finding->verdict != VERDICT_NOT_MEASURABLE &&
           (isfinite(finding->value) || has_range(finding) || finding->text);
}

struct value_text sonde_report_value(const struct finding *finding)
{
    const char *unit = unit_of(finding);
    struct value_text out;

    if (!sonde_report_known(finding)) {
        snprintf(out.text, sizeof out.text, "%s",
                 finding->verdict == VERDICT_NOT_SEEN ? "not seen" : "not measurable");
        return out;
    }
    if (finding->text) {
        snprintf(out.text, sizeof out.text, "%.76s", finding->text);
        return out;
    }
    if (!isfinite(finding->value))
        return sonde_report_range(finding->low, finding->high, unit);
    if (strcmp(unit, "bytes") == 0)
        return size_text(finding);
    return sonde_report_number(finding->value, unit);
}

bool sonde_report_of_level(const char *name)
{
    static const char *const levels[] = {"l1d.", "l2.", "l3.", "l4.", "llc.", "memory."};

    if (strstr(name, ".misses_begin")) /* a witness, not a column */
        return false;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strncmp(name, levels[i], strlen(levels[i])) == 0)
            return true;
    return false;
}

bool sonde_report_is_further(const struct passport *passport,
                             const struct finding *finding)
{
    return finding->name && sonde_report_known(finding) &&
           sonde_passport_finding(passport, finding->name) == finding &&
           !sonde_report_of_level(finding->name) &&
           !sonde_report_in_header(passport, finding->name) &&
           !sonde_report_in_surface(finding->name);
}

bool sonde_report_in_header(const struct passport *passport, const char *name)
{
    const struct passport_environment *environment = &passport->environment;

    if (strcmp(name, "clock.core_hz") == 0 || strcmp(name, "clock.drift") == 0)
        return isfinite(environment->core_hz);
    if (strcmp(name, "clock.read_cost") == 0)
        return isfinite(environment->timer_cost_ns);
    if (strcmp(name, "clock.step") == 0)
        return isfinite(environment->timer_step_ns);
    if (strcmp(name, "clock.lost_share") == 0)
        return isfinite(environment->lost_share);
    return strcmp(name, "clock.timer") == 0 && environment->timer;
}

struct value_text sonde_report_vantage(const struct passport *passport)
{
    const struct passport_vantage *vantage = &passport->vantage;
    const char *kind = vantage->kind ? vantage->kind : "these";
    struct value_text out;

    if (isfinite(vantage->cpu))
        snprintf(out.text, sizeof out.text, "%.40s (CPU %.0f)", kind, vantage->cpu);
    else
        snprintf(out.text, sizeof out.text, "%.60s", kind);
    return out;
}
