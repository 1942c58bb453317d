/* What the findings mean for a program: runs the table of rules over a passport.
 *
 * Each rule names the findings it stands on. One that is missing, was declared and not
 * seen, or is less likely right than wrong keeps the rule silent; so does an emulator
 * where the rule speaks of hardware. What can fool it: a finding that is wrong and sure
 * of it. */
#include "report/advice.h"
#include "report/sentences.h"

#include <math.h>
#include <string.h>

/* Below it a finding is more likely wrong than right. */
static const double likely = 0.5;

bool sonde_report_advice_stands(const struct finding *finding)
{
    if (!sonde_report_known(finding) || finding->verdict == VERDICT_NOT_SEEN)
        return false;
    if (!(finding->confidence < likely))
        return true;
    return !isfinite(finding->value) ||
           (strcmp(finding->unit ? finding->unit : "", "bytes") == 0 &&
            !isfinite(sonde_report_size(finding)));
}

double sonde_report_safe_distance(const struct finding *granule,
                                  const struct finding *line)
{
    return fmax(fmax(granule->value, granule->high), line ? line->value : NAN);
}

static bool gather(const struct advice_rule *rule, struct advice_evidence *evidence)
{
    for (size_t i = 0; i < ADVICE_EVIDENCE_MAX && rule->evidence[i]; i++) {
        bool optional = rule->evidence[i][0] == '?';
        const struct finding *finding =
            sonde_passport_finding(evidence->passport, rule->evidence[i] + optional);

        if (sonde_report_advice_stands(finding))
            evidence->of[i] = finding;
        else if (!optional)
            return false;
    }
    return true;
}

bool sonde_report_advice_apply(const struct advice_rule *rule,
                               const struct passport *passport, struct text *out)
{
    struct advice_evidence evidence = {.passport = passport};
    size_t before = out->length;

    if (passport->environment.emulation && !rule->emulated)
        return false;
    if (!gather(rule, &evidence) || (rule->holds && !rule->holds(&evidence)))
        return false;
    rule->say(&evidence, out);
    return out->length > before;
}

void sonde_report_advice_each(const struct passport *passport,
                              void (*take)(void *self, const struct advice_rule *rule,
                                           const char *sentence),
                              void *self)
{
    const struct advice_rule *rule;

    for (size_t i = 0; (rule = sonde_report_advice_at(i)); i++) {
        struct text text = {0};

        if (sonde_report_advice_apply(rule, passport, &text) && !text.failed)
            take(self, rule, text.data);
        sonde_base_text_free(&text);
    }
}

struct saying {
    struct sentences said;
    size_t vantage;
    bool whole, more; /* more: something was left unsaid */
};

static void say(void *self, const struct advice_rule *rule, const char *sentence)
{
    struct saying *saying = self;

    if (!rule->leads && !saying->whole) {
        saying->more = true;
        return;
    }
    sonde_report_sentence(&saying->said, saying->vantage, "· ", "%s", sentence);
}

static void say_all(struct saying *saying, const struct vantages *vantages)
{
    for (size_t v = 0; v < vantages->count; v++) {
        saying->vantage = v;
        sonde_report_advice_each(&vantages->rows[v], say, saying);
    }
}

void sonde_report_advice(struct canvas *canvas, const struct vantages *vantages)
{
    struct saying saying = {.whole = vantages->whole};

    say_all(&saying, vantages);
    if (saying.more && !saying.said.count) { /* none of them leads: then all do */
        saying.whole = true;
        saying.more = false;
        say_all(&saying, vantages);
    }
    sonde_report_sentences_draw(&saying.said, vantages,
                                saying.more
                                    ? "what this means for your code (more: --verbose)"
                                    : "what this means for your code",
                                canvas);
}
