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

const struct advice_rule *sonde_report_advice_rule(const char *name)
{
    size_t count;
    const struct advice_rule *rules = sonde_report_advice_rules(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
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
                              void (*take)(void *self, const char *sentence), void *self)
{
    size_t count;
    const struct advice_rule *rules = sonde_report_advice_rules(&count);

    for (size_t i = 0; i < count; i++) {
        struct text text = {0};

        if (sonde_report_advice_apply(&rules[i], passport, &text) && !text.failed)
            take(self, text.data);
        sonde_base_text_free(&text);
    }
}

struct saying {
    struct sentences said;
    size_t vantage;
};

static void say(void *self, const char *sentence)
{
    struct saying *saying = self;

    sonde_report_sentence(&saying->said, saying->vantage, "· ", "%s", sentence);
}

void sonde_report_advice(struct canvas *canvas, const struct vantages *vantages)
{
    struct saying saying = {{0}, 0};

    for (; saying.vantage < vantages->count; saying.vantage++)
        sonde_report_advice_each(&vantages->rows[saying.vantage], say, &saying);
    sonde_report_sentences_draw(&saying.said, vantages, "what this means for your code",
                                canvas);
}
