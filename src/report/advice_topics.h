/* What the files of advice rules share: a table each, and how they read their evidence.
 */
#ifndef SONDE_REPORT_ADVICE_TOPICS_H
#define SONDE_REPORT_ADVICE_TOPICS_H

#include "report/advice.h"
#include "report/terminal_parts.h"

#include <math.h>

/* The text of a finding's value, with its unit. */
#define SHOWN(finding) (sonde_report_value(finding).text)

/* Of a size, the one to stay below and the one to keep apart by, where it is a range. */
#define LEAST(finding) (sonde_report_size_least_text(finding).text)
#define MOST(finding)  (sonde_report_size_most_text(finding).text)

static inline double sonde_report_advice_number(const struct finding *finding)
{
    return finding ? finding->value : NAN;
}

/* The rules of a topic, one file each. */
struct advice_table {
    const struct advice_rule *rules;
    size_t count;
};
struct advice_table sonde_report_advice_memory(void);
struct advice_table sonde_report_advice_core(void);
struct advice_table sonde_report_advice_threads(void);
struct advice_table sonde_report_advice_timing(void);

#endif
