/* The plain fields of a passport and of a point, one row each, in the order of the JSON.
 *
 * The offsets are into structures whose members the rows name, so a row that does not fit
 * its structure does not compile; that `number` matches the member's type is checked too.
 */
#include "passport/fields.h"

#define IS_NUMBER(member)                                                                \
    _Generic(((struct passport *)0)->member, double : true, char * : false)
#define ROW(part, member)                                                                \
    {                                                                                    \
#part, #member, IS_NUMBER(part.member), offsetof(struct passport, part.member)   \
    }

static const struct passport_field fields[] = {
    ROW(tool, version),
    ROW(tool, compiler),
    ROW(tool, flags),
    ROW(tool, isa),
    ROW(tool, features),
    ROW(machine, host),
    ROW(machine, date),
    ROW(machine, kernel),
    ROW(machine, model),
    ROW(machine, allowed),
    ROW(machine, online),
    ROW(machine, possible),
    ROW(machine, cpus_allowed),
    ROW(machine, cpus_online),
    ROW(machine, memory_installed),
    ROW(machine, memory_available),
    ROW(machine, memory_granted),
    ROW(machine, memory_granted_by),
    ROW(machine, page_bytes),
    ROW(vantage, cpu),
    ROW(vantage, kind),
    ROW(vantage, cpus),
    ROW(vantage, run),
    ROW(environment, virtualization),
    ROW(environment, emulation),
    ROW(environment, clock_source),
    ROW(environment, thp),
    ROW(environment, governor),
    ROW(environment, smt),
    ROW(environment, counters),
    ROW(environment, load1),
    ROW(environment, core_hz),
    ROW(environment, core_hz_low),
    ROW(environment, core_hz_high),
    ROW(environment, lost_share),
    ROW(environment, timer),
    ROW(environment, timer_step_ns),
    ROW(environment, timer_cost_ns),
    ROW(environment, pages),
    ROW(environment, effort),
    ROW(environment, budget_s),
    ROW(environment, footprint_bytes),
    ROW(environment, peak_bytes),
};

const struct passport_field *sonde_passport_fields(size_t *count)
{
    *count = sizeof fields / sizeof fields[0];
    return fields;
}

double *sonde_passport_field_number(struct passport *passport,
                                    const struct passport_field *field)
{
    return (double *)(void *)((char *)passport + field->offset);
}

char **sonde_passport_field_string(struct passport *passport,
                                   const struct passport_field *field)
{
    return (char **)(void *)((char *)passport + field->offset);
}

#define FIGURE(member)                                                                   \
    {                                                                                    \
#member, offsetof(struct series_point, member)                                   \
    }

static const struct point_field point_fields[] = {
    FIGURE(min),      FIGURE(q25),
    FIGURE(median),   FIGURE(q75),
    FIGURE(q90),      FIGURE(p99),
    FIGURE(max),      FIGURE(mean),
    FIGURE(iqr),      FIGURE(low),
    FIGURE(high),     FIGURE(best),
    FIGURE(cycles),   FIGURE(autocorrelation),
    FIGURE(mode_low), FIGURE(mode_high),
};

const struct point_field *sonde_passport_point_fields(size_t *count)
{
    *count = sizeof point_fields / sizeof point_fields[0];
    return point_fields;
}

double *sonde_passport_point_field(struct series_point *point,
                                   const struct point_field *field)
{
    return (double *)(void *)((char *)point + field->offset);
}
