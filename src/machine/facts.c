/* The list of declared values, and what the sources together declare.
 *
 * A row keeps its source and its witness apart: sysfs, sysconf and hwloc on x86 all
 * repeat what CPUID says, so a hundred of them agreeing is still one opinion. The
 * consensus is therefore taken over witnesses; of two values with equally many witnesses,
 * the earlier row wins, and collect() appends the sources in the order in which they
 * deserve trust.
 *
 * What can fool it: two values that differ by rounding in the source are two values here
 * (sizes come in whole bytes, so this does not happen in practice). */
#include "base/text.h"
#include "machine/sources.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void release(struct fact *fact)
{
    free(fact->name);
    free(fact->source);
    free(fact->text);
    free(fact->note);
}

void sonde_machine_facts_free(struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        release(&facts->rows[i]);
    free(facts->rows);
    *facts = (struct facts){0};
}

static bool grow(struct facts *facts)
{
    if (facts->count < facts->capacity)
        return true;
    size_t capacity = facts->capacity ? 2 * facts->capacity : 64;
    struct fact *rows = realloc(facts->rows, capacity * sizeof *rows);
    if (!rows)
        return false;
    facts->rows = rows;
    facts->capacity = capacity;
    return true;
}

static struct fact *append(struct facts *facts, const char *name, const char *source,
                           const char *witness, const char *unit)
{
    if (!grow(facts))
        return NULL;
    struct fact fact = {.name = sonde_base_copy(name),
                        .source = sonde_base_copy(source),
                        .witness = witness,
                        .unit = unit,
                        .value = NAN};
    if (!fact.name || !fact.source) {
        release(&fact);
        return NULL;
    }
    facts->rows[facts->count] = fact;
    return &facts->rows[facts->count++];
}

struct fact *sonde_machine_fact_number(struct facts *facts, const char *name,
                                       const char *source, const char *witness,
                                       const char *unit, double value)
{
    struct fact *fact = append(facts, name, source, witness, unit);
    if (!fact)
        return NULL;
    if (isfinite(value))
        fact->value = value;
    else
        fact->status = FACT_UNKNOWN;
    return fact;
}

struct fact *sonde_machine_fact_text(struct facts *facts, const char *name,
                                     const char *source, const char *witness,
                                     const char *text)
{
    struct fact *fact = append(facts, name, source, witness, "");
    if (!fact)
        return NULL;
    if (!text || !*text) {
        fact->status = FACT_UNKNOWN;
        return fact;
    }
    fact->text = sonde_base_copy(text);
    if (fact->text)
        return fact;
    release(fact);
    facts->count--;
    return NULL;
}

struct fact *sonde_machine_fact_unknown(struct facts *facts, const char *name,
                                        const char *source, const char *witness,
                                        const char *unit, const char *why)
{
    struct fact *fact = append(facts, name, source, witness, unit);
    if (!fact)
        return NULL;
    fact->status = FACT_UNKNOWN;
    fact->note = sonde_base_copy(why);
    return fact;
}

void sonde_machine_fact_doubt(struct fact *fact, const char *why)
{
    char *note = sonde_base_copy(why);
    fact->status = FACT_IMPLAUSIBLE;
    if (!note)
        return;
    free(fact->note);
    fact->note = note;
}

void sonde_machine_fact_note(struct fact *fact, const char *format, ...)
{
    char *note = NULL;
    if (!fact)
        return;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&note, format, arguments) < 0)
        note = NULL;
    va_end(arguments);
    if (!note)
        return;
    free(fact->note);
    fact->note = note;
}

struct fact *sonde_machine_fact_cache(struct facts *facts, const char *name,
                                      const char *source, const char *witness,
                                      const char *unit, double value, const char *missing)
{
    if (value > 0)
        return sonde_machine_fact_number(facts, name, source, witness, unit, value);
    return sonde_machine_fact_unknown(facts, name, source, witness, unit,
                                      value == 0 ? SONDE_NOTE_ZERO : missing);
}

const char *sonde_machine_cache_witness(const struct machine *machine,
                                        const char *otherwise)
{
    const char *isa = machine->isa;
    bool x86 = strcmp(isa, "x86_64") == 0 || strcmp(isa, "x86") == 0;
    return x86 ? "cpuid" : otherwise;
}

/* A row that takes part in the consensus on a number. */
static bool counts(const struct fact *fact, const char *name, enum fact_status status)
{
    return fact->status == status && isfinite(fact->value) &&
           strcmp(fact->name, name) == 0;
}

static bool same_witness(const struct fact *a, const struct fact *b)
{
    const char *left = a->witness ? a->witness : a->source;
    const char *right = b->witness ? b->witness : b->source;
    return strcmp(left, right) == 0;
}

/* How many different witnesses give the value of row `index`. */
static unsigned count_witnesses(const struct facts *facts, size_t index, const char *name)
{
    unsigned count = 0;
    const struct fact *model = &facts->rows[index];
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->rows[i];
        if (!counts(fact, name, FACT_KNOWN) || fact->value != model->value)
            continue;
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++) {
            const struct fact *before = &facts->rows[j];
            seen = counts(before, name, FACT_KNOWN) && before->value == model->value &&
                   same_witness(before, fact);
        }
        count += !seen;
    }
    return count;
}

static struct declaration first_implausible(const struct facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->rows[i];
        if (counts(fact, name, FACT_IMPLAUSIBLE))
            return (struct declaration){
                .value = fact->value, .source = fact->source, .implausible = true};
    }
    return (struct declaration){.value = NAN};
}

struct declaration sonde_machine_declared(const struct facts *facts, const char *name)
{
    struct declaration best = {.value = NAN};
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->rows[i];
        if (!counts(fact, name, FACT_KNOWN) || fact->value == best.value)
            continue;
        unsigned witnesses = count_witnesses(facts, i, name);
        best.disagreement = best.witnesses > 0;
        if (witnesses > best.witnesses) {
            best.value = fact->value;
            best.source = fact->source;
            best.witnesses = witnesses;
        }
    }
    return best.witnesses ? best : first_implausible(facts, name);
}
