/* Latencies and throughputs of operations from their chains. */
#ifndef SONDE_INFER_ARITH_H
#define SONDE_INFER_ARITH_H

#include "infer/finding.h"
#include "measure/series.h"

#include <stdbool.h>
#include <stddef.h>

struct arith_operation {
    const char *name;     /* "fadd": findings arith.fadd.latency_cycles, .throughput */
    const char *included; /* operation that each step of the latency chain has beside it,
                             whose latency is taken off; NULL: none */
    bool whole;           /* pipelined: its latency should be a whole number of cycles */
    unsigned chains;    /* that its throughput kernel keeps going; 0: no bound of ours */
    const char *vector; /* its registers, "v256"; NULL: scalar */
    unsigned bits;      /* of such a register */
};

/* `latency` and `throughput` have one category axis: the index of the operation in
 * `operations`; one that was not planned has no point and no finding. Adds
 *
 *   arith.<name>.latency_cycles   cycles from operand to result
 *   arith.<name>.throughput       operations a cycle (of vectors: whole vectors)
 *   arith.<vector>.core_hz        the core clock beside the last operation of each kind
 * of registers, which should be the heaviest
 *
 * and the controls. Where the core clock is not known, or the interval is wider than a
 * quarter of the value, a finding says so instead of a number. 0 or -ENOMEM. */
int sonde_infer_arith(const struct series *latency, const struct series *throughput,
                      const struct arith_operation *operations, size_t count,
                      struct findings *findings);

/* What overlap hides: `chains` has one axis, the number of chains of one operation.
 * Adds chain.latency_cycles, chain.parallelism (dependent time over the best time, a
 * ratio), chain.saturation (chains from which more gain less than 5 %), and controls. */
int sonde_infer_chains(const struct series *chains, struct findings *findings);

/* What subnormal numbers cost: `add` and `multiply` have one category axis of four,
 * subnormal operands (1) and flushing (2). Adds denormal.add and denormal.multiply
 * (ratio to normal operands), denormal.penalty (the greater of both), its cycles, and
 * denormal.with_ftz (what remains of it when flushed), and controls. A ratio of about 1
 * is a result: no penalty on this core. */
int sonde_infer_denormal(const struct series *add, const struct series *multiply,
                         struct findings *findings);

#endif
