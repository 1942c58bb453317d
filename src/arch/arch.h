/* The one contract between the program and an instruction set.
 *
 * Each folder beside this file (x86_64, aarch64, generic) offers the same functions from
 * files of the same names; the build takes exactly one folder. Nothing above this room
 * looks at the architecture. Where an ISA lacks a thing, its function says so by return
 * value; no caller needs an #if. */
#ifndef SONDE_ARCH_ARCH_H
#define SONDE_ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- ticks.c: the tick counter ------------------------------------------------------ */

/* "tsc", "cntvct", or NULL where user space has none. */
const char *sonde_arch_tick_name(void);
/* The counter, read so that earlier instructions have finished and later ones have not
 * begun (lfence; rdtsc; lfence / isb; mrs; isb). 0 where there is none. */
uint64_t sonde_arch_ticks(void);
/* What the machine announces as its rate, in Hz (CPUID 0x15 / CNTFRQ_EL0); 0: unknown. */
double sonde_arch_tick_announced_hz(void);
/* Does the machine promise a constant rate in all power states (CPUID 0x80000007)? */
bool sonde_arch_tick_invariant(void);

/* --- features.c: what the core has -------------------------------------------------- */

enum arch_feature {
    FEATURE_NONE = 0, /* every core of this ISA */
    FEATURE_SSE2 = 1 << 0,
    FEATURE_AVX2 = 1 << 1, /* with OS support (XCR0) */
    FEATURE_FMA = 1 << 2,
    FEATURE_AVX512F = 1 << 3,
    FEATURE_NEON = 1 << 4,
    FEATURE_SVE = 1 << 5,
    FEATURE_LSE = 1 << 6, /* aarch64 atomics */
    FEATURE_BMI2 = 1 << 7,
    FEATURE_SSE41 = 1 << 8,
};

/* Bit set of enum arch_feature, only what both the core and the kernel allow. */
unsigned sonde_arch_features(void);
/* "avx2" for FEATURE_AVX2; NULL for 0 or several. */
const char *sonde_arch_feature_name(unsigned feature);
/* Bytes of a vector register where the instruction set leaves its width open (SVE), as
 * the kernel grants it to this thread; 0: there are none. */
size_t sonde_arch_scalable_bytes(void);

/* --- identity.c: what the core says of itself --------------------------------------- */

/* One value read from the core: CPUID leaves on x86, CTR_EL0 and the ID registers on
 * aarch64, nothing on generic. Names are those of the facts (DESIGN: "l1d.size"). */
struct arch_fact {
    const char *name;   /* "l1d.size", "l2.ways", "line.size", "cpu.brand", ... */
    const char *source; /* "cpuid.4", "cpuid.0x8000001d", "ctr_el0", ... */
    const char *unit;   /* "bytes", "count", "hz", "" */
    double value;       /* NaN: text, or said to be unknown */
    char text[64];      /* for textual facts (brand strings, hypervisor vendor) */
    const char *note;   /* or NULL */
};

/* Fills at most `capacity` rows for the CPU the thread runs on; returns how many there
 * are. Reads registers only, never a file. */
size_t sonde_arch_identity(struct arch_fact *facts, size_t capacity);

struct arch_core {
    char vendor[16]; /* "AuthenticAMD", "ARM", "" unknown */
    unsigned family, model,
        stepping;  /* x86; on Arm: implementer, part, variant/revision */
    char kind[16]; /* kind of core on hybrid parts: "performance", "efficient", "" */
    char hypervisor[16]; /* vendor string of a hypervisor, or "" */
};
void sonde_arch_core(struct arch_core *core);

/* --- decode.c: machine code --------------------------------------------------------- */

enum arch_flow {
    FLOW_ON,          /* whatever does not jump, calls included */
    FLOW_CONDITIONAL, /* a conditional branch to `target` */
    FLOW_JUMP,        /* an unconditional branch to `target` */
    FLOW_END,         /* a return, an indirect jump, a trap */
};

struct arch_instruction {
    size_t length; /* bytes */
    enum arch_flow flow;
    ptrdiff_t target; /* bytes from the start of this instruction */
};

/* Length and flow of one instruction. 0, -EILSEQ when it is not known, -ENOTSUP where
 * machine code is not read on this ISA. */
int sonde_arch_decode(const unsigned char *code, struct arch_instruction *instruction);

/* --- loops.c, on every ISA ---------------------------------------------------------- */

/* How many conditional branches decide something inside a loop of a compiled function, by
 * its machine code from the entry to the last return; branches that end a loop are none
 * of them. 0 tells that the loops choose by arithmetic. 0 or an error of
 * sonde_arch_decode(); -E2BIG beyond 4 KiB of code or 192 branches and returns. */
int sonde_arch_loop_branches(const void *function, size_t *count);

/* --- call.S (or call.c): a call that is watched, and a chain of calls ------------------
 */

typedef long arch_function(void *data, long, long, long, long);

/* Calls `function` with `data` and the four `arguments`, every register that a function
 * must preserve filled with a pattern, and sets a bit of `*broken` for each that comes
 * back changed. */
long sonde_arch_watched_call(arch_function *function, void *data, const long *arguments,
                             uint64_t *broken);
/* Calls `function` so many times, each time with what the last call returned, AND `zero`,
 * added to `data` and to each of the `arguments`: nothing, if `zero` is 0, but the core
 * must wait for it. The sum of all values; `*last` is the last one, 0 without calls.
 * The loop costs next to nothing beside a call and a return. */
typedef uint64_t arch_chain(arch_function *function, void *data, uint64_t count,
                            const long *arguments, long zero, long *last);
/* There are so many loops, all alike: a core that has seen a call lead to more than one
 * function predicts it more slowly from then on (by 3 cycles on Zen 3), so each function
 * should have a loop of its own. Loop `number`, modulo how many there are, of those that
 * pass at least so many of the `arguments`: what nobody reads would be dead weight. */
enum { ARCH_CHAINS = 16 };
arch_chain *sonde_arch_chain(unsigned number, unsigned arguments);
/* "rbx" for bit 0, ...; NULL past the last (also where calls cannot be watched). */
const char *sonde_arch_preserved_name(unsigned bit);

/* --- barrier.c ---------------------------------------------------------------------- */

/* A hint that the thread spins (pause / yield). */
void sonde_arch_relax(void);
/* Nothing behind it starts before everything ahead of it has finished. */
void sonde_arch_serialize(void);

#endif
