/* No assembly: every kernel runs its reference, and no count of instructions is fixed. */
#define INSTR(x86_64, aarch64) 0
#define ASSEMBLY 0
/* Features that a kernel needs. */
#define NEEDS(x86_64, aarch64) (FEATURE_NONE)
/* Registers beyond 128 bits: the rows ASM_WIDE. */
#define ASSEMBLY_WIDE 0
/* Chains of the kernels named _wide; at least the pipes of a core times their latency. */
#define WIDE_CHAINS 12
