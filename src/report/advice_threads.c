/* Advice on threads and the system below: what to share, what to hand over, how often to
 * ask the kernel.
 *
 * A new sentence is a row at the end of this file; its functions read the evidence in the
 * order of the names in that row. */
#include "report/advice_topics.h"

#include <math.h>

/* Two threads that take turns pay twice; above that the word itself travels. The low end
 * of what contention costs counts, and the high end of what one thread pays. */
static bool is_contended(const struct advice_evidence *evidence)
{
    const struct finding *alone = evidence->of[0], *contended = evidence->of[1];
    double least = isfinite(contended->low) ? contended->low : contended->value;
    double most = isfinite(alone->high) ? alone->high : alone->value;

    return least > 2 * most;
}

static void split_counter(const struct advice_evidence *evidence, struct text *out)
{
    sonde_base_text_print(out,
                          "split a counter that threads add to more often than it is "
                          "read, one part a thread: an atomic add takes %s alone, and %s "
                          "when all add to one word",
                          SHOWN(evidence->of[0]), SHOWN(evidence->of[1]));
}

/* Below it a program that calls once in a microsecond does not notice. */
static const double call_noticed_ns = 50;

static bool calls_cost(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= call_noticed_ns;
}

static void call_seldom(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *call = evidence->of[0];
    double core_hz = evidence->passport->environment.core_hz;

    sonde_base_text_print(out,
                          "ask the kernel seldom and for much: the cheapest call "
                          "takes %s",
                          SHOWN(call));
    if (isfinite(core_hz))
        sonde_base_text_print(out, ", the time of %.0f dependent adds",
                              round(call->value * core_hz / 1e9));
}

static void hand_over_much(const struct advice_evidence *evidence, struct text *out)
{
    const struct finding *wake = evidence->of[0], *make = evidence->of[1];

    sonde_base_text_print(out,
                          "hand a thread that sleeps no less than %s of work: waking it "
                          "takes %s",
                          sonde_report_number(10 * wake->value, "ns").text, SHOWN(wake));
    if (make)
        sonde_base_text_print(out, ", and making one %s", SHOWN(make));
}

static bool is_any(const struct advice_evidence *evidence)
{
    return sonde_report_advice_number(evidence->of[0]) >= 1;
}

static void take_fewer_calls(const struct advice_evidence *evidence, struct text *out)
{
    const char *reason = evidence->of[0]->reason;

    sonde_base_text_print(out,
                          "ask the system seldom, and for much at once: %s of its calls "
                          "are%s%s",
                          SHOWN(evidence->of[0]), reason ? " " : " out of the ordinary",
                          reason ? reason : "");
}

/* --- the table -------------------------------------------------------------------------
 */

static const struct advice_rule rules[] = {
    {"counter",
     {"atomics.relaxed.alone", "atomics.relaxed.contended"},
     true,
     false,
     is_contended,
     split_counter},
    {"hand-over", {"os.switch.other", "?os.thread"}, false, false, NULL, hand_over_much},
    {"calls", {"os.syscall"}, false, false, calls_cost, call_seldom},
    {"few-calls", {"os.unusual"}, true, true, is_any, take_fewer_calls},
    {"grown",
     {"?l1d.size", "?l2.size", "?l3.size", "?llc.effective", "?tlb.l1.reach",
      "?tlb.l2.reach"},
     false,
     false,
     NULL,
     sonde_report_suspect_size},
    {"threads",
     {"?atomics.relaxed.alone", "?atomics.relaxed.contended", "?sharing.granule",
      "?sharing.cost", "?locks.mutex.alone", "?locks.mutex.contended",
      "?bandwidth.memory.saturation", "?c2c.sibling_pairs", "?line.size"},
     false,
     false,
     NULL,
     sonde_report_suspect_threads},
    {"moments",
     {"?clock.long_gaps", "?clock.lost_share", "?fault.first", "?fault.first_q90",
      "?os.switch.other", "?locks.mutex.fairness"},
     false,
     true,
     NULL,
     sonde_report_suspect_moments},
};

struct advice_table sonde_report_advice_threads(void)
{
    return (struct advice_table){rules, sizeof rules / sizeof rules[0]};
}
