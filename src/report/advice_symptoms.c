/* What to suspect when a program shows a symptom: slower when the data grew, slower with
 * more threads, fast on average and late sometimes.
 *
 * Each sentence is a list of suspects, each with the figure that makes it one; a suspect
 * that was not measured, or that is innocent on this machine, is left out, and a sentence
 * without suspects is not said. What can fool it: what was not measured here (a disk, a
 * network, an algorithm) is the likelier culprit often enough. */
#include "report/advice.h"
#include "report/terminal_parts.h"

#include <math.h>

/* A list of suspects that grows: the first one opens the sentence. */
struct suspects {
    struct text *out;
    const char *symptom;
    bool any;
};

__attribute__((format(printf, 2, 3))) static void suspect(struct suspects *suspects,
                                                          const char *format, ...)
{
    char line[240];
    va_list arguments;

    va_start(arguments, format);
    sonde_base_format(line, sizeof line, format, arguments);
    va_end(arguments);
    sonde_base_text_print(suspects->out, "%s%s",
                          suspects->any ? ", or " : suspects->symptom, line);
    suspects->any = true;
}

static double ratio(const struct finding *over, const struct finding *under)
{
    return over && under ? over->value / under->value : NAN;
}

static struct number_text times(double value)
{
    return sonde_base_format_number(value, 2);
}

static void outgrown(struct suspects *suspects, const struct finding *size,
                     const char *what)
{
    if (size)
        suspect(suspects, "%s at %s", what, sonde_report_value(size).text);
}

void sonde_report_suspect_size(const struct advice_evidence *evidence, struct text *out)
{
    static const char *const what[] = {
        "the first level",
        "the second level",
        "the third level",
        "the last level",
        "the first level of translation",
        "the second level of translation",
    };
    struct suspects suspects = {
        out, "slower when the data grew: suspect that it outgrew ", false};

    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++)
        outgrown(&suspects, evidence->of[i], what[i]);
}

/* Twice is what taking turns explains for two threads. */
void sonde_report_suspect_threads(const struct advice_evidence *evidence,
                                  struct text *out)
{
    const struct finding *const *of = evidence->of;
    struct suspects suspects = {out, "slower with more threads: suspect ", false};
    double add = ratio(of[1], of[0]), lock = ratio(of[5], of[4]);

    if (add > 2)
        suspect(&suspects, "words that all write (an atomic add: %s times as long)",
                times(add).text);
    if (of[2] && of[3] && of[3]->value >= 1.1)
        suspect(
            &suspects, "neighbours nearer than %s (%s times)",
            sonde_report_number(sonde_report_safe_distance(of[2], of[8]), "bytes").text,
            times(of[3]->value).text);
    if (lock > 2)
        suspect(&suspects, "a lock that all want (a mutex: %s times as long)",
                times(lock).text);
    if (of[6] && of[6]->value < evidence->passport->machine.cpus_allowed)
        suspect(&suspects, "memory, which %s %s saturate%s",
                sonde_report_value(of[6]).text, of[6]->value > 1 ? "threads" : "thread",
                of[6]->value > 1 ? "" : "s");
    if (of[7] && of[7]->value >= 1)
        suspect(&suspects, "CPUs that share a core (%s %s)",
                sonde_report_value(of[7]).text, of[7]->value > 1 ? "pairs" : "pair");
}

/* Of what is always there, only what a program notices: a pause each second, a hundredth
 * of the time, a fault of a microsecond. */
void sonde_report_suspect_moments(const struct advice_evidence *evidence,
                                  struct text *out)
{
    const struct finding *const *of = evidence->of;
    struct suspects suspects = {out, "fast on average and late sometimes: suspect ",
                                false};

    if (of[0] && of[0]->value >= 1)
        suspect(&suspects, "others on the CPU (pauses above 100 µs: %s)",
                sonde_report_value(of[0]).text);
    else if (of[1] && of[1]->value >= 0.01)
        suspect(&suspects, "others on the CPU (%s of the time)",
                sonde_report_value(of[1]).text);
    if (of[2] && of[2]->value >= 1000)
        suspect(&suspects, "first touches of memory (%s a page%s%s)",
                sonde_report_value(of[2]).text, of[3] ? ", one in ten above " : "",
                of[3] ? sonde_report_value(of[3]).text : "");
    if (of[4] && of[4]->value >= 1000)
        suspect(&suspects, "threads that sleep (%s to wake one)",
                sonde_report_value(of[4]).text);
    if (of[5] && of[5]->value < 0.5)
        suspect(&suspects, "an unfair lock (least over most acquisitions: %s)",
                sonde_report_value(of[5]).text);
}
