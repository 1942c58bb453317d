/* What the core says of itself: CPUID leaves on x86, CTR_EL0 and the ID registers on Arm.
 *
 * The thread is bound to the CPU in question while they are read, since on hybrid parts
 * each kind of core answers for itself, and its former affinity is put back. Left out for
 * a captured tree: the registers are those of this machine.
 *
 * What can fool it: a hypervisor decides what CPUID says, and an emulator what the ID
 * registers do; where binding fails the rows say that they may be those of another CPU.
 */
#include "arch/arch.h"
#include "machine/sources.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 256 }; /* more than all leaves together give */

static const char *witness_of(const char *source)
{
    if (strncmp(source, "cpuid", 5) == 0)
        return "cpuid";
    if (strncmp(source, "ctr_el0", 7) == 0)
        return "ctr_el0";
    return "registers";
}

/* Values that cannot be 0: a cache that is there has a size, a line and ways. */
static bool about_cache(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && (strcmp(dot, ".size") == 0 || strcmp(dot, ".line") == 0 ||
                   strcmp(dot, ".ways") == 0);
}

static int add_row(struct facts *facts, const struct arch_fact *row)
{
    const char *witness = witness_of(row->source);
    struct fact *fact;
    if (row->text[0])
        fact = sonde_machine_fact_text(facts, row->name, row->source, witness, row->text);
    else if (about_cache(row->name))
        fact = sonde_machine_fact_cache(facts, row->name, row->source, witness, row->unit,
                                        row->value, "not declared");
    else
        fact = sonde_machine_fact_number(facts, row->name, row->source, witness,
                                         row->unit, row->value);
    if (!fact)
        return -ENOMEM;
    if (row->note && !(fact->note && strcmp(fact->note, SONDE_NOTE_ZERO) == 0))
        sonde_machine_fact_note(fact, "%s", row->note);
    return 0;
}

/* Reads on `cpu`; the result says whether the thread really was there. */
static bool read_on(unsigned cpu, struct arch_fact *rows, size_t *count)
{
    struct cpulist before = {0};
    bool there = false;
    bool known = sonde_machine_affinity_get(&before) == 0;
    if (known && sonde_base_cpulist_has(&before, cpu))
        there = sonde_machine_pin(cpu) == 0;
    *count = sonde_arch_identity(rows, ROWS_MAX);
    if (known)
        sonde_machine_affinity_set(&before);
    sonde_base_cpulist_free(&before);
    if (*count > ROWS_MAX)
        *count = ROWS_MAX;
    return there;
}

int sonde_machine_source_registers(const struct machine *machine, unsigned cpu,
                                   struct facts *facts)
{
    if (machine->sysroot)
        return 0;
    struct arch_fact *rows = calloc(ROWS_MAX, sizeof *rows);
    if (!rows)
        return -ENOMEM;
    size_t count = 0;
    int rc = 0;
    bool there = read_on(cpu, rows, &count);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        rc = add_row(facts, &rows[i]);
        struct fact *fact = rc == 0 ? &facts->rows[facts->count - 1] : NULL;
        if (fact && !there && !fact->note)
            sonde_machine_fact_note(
                fact, "perhaps of another CPU than %u: could not bind", cpu);
    }
    free(rows);
    return rc;
}
