/* Which CPUs are declared to be threads of one core. Pure. */
#ifndef SONDE_INFER_CORES_H
#define SONDE_INFER_CORES_H

#include <stddef.h>

enum { CORE_UNKNOWN = -1 };

/* `text` lists the cores: "0,64; 1,65". Fills core[i], the number of the core of cpus[i];
 * CORE_UNKNOWN where none has it. How many pairs of `cpus` share a core; -EINVAL for a
 * NULL or malformed text (all are then unknown); -ENOMEM. */
long sonde_infer_cores(const char *text, const unsigned *cpus, size_t count, int *core);

#endif
