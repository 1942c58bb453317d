/* All rules of advice, in the order in which their sentences are shown: what memory wants
 * first, then the core, then threads, then what a symptom hints at, then timing. A topic
 * is a file with a table of its own. */
#include "report/advice_topics.h"

#include <string.h>

const struct advice_rule *sonde_report_advice_at(size_t index)
{
    const struct advice_table tables[] = {
        sonde_report_advice_memory(),
        sonde_report_advice_core(),
        sonde_report_advice_threads(),
        sonde_report_advice_timing(),
    };

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (index < tables[i].count)
            return &tables[i].rules[index];
        index -= tables[i].count;
    }
    return NULL;
}

const struct advice_rule *sonde_report_advice_rule(const char *name)
{
    const struct advice_rule *rule;

    for (size_t i = 0; (rule = sonde_report_advice_at(i)); i++)
        if (strcmp(rule->name, name) == 0)
            return rule;
    return NULL;
}
