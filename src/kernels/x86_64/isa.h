/* Which kernels of kernels.def are assembly here, and which count of instructions is meant. */
#define INSTR(x86_64, aarch64) (x86_64)
#define ASSEMBLY 1
/* Features that a kernel needs. */
#define NEEDS(x86_64, aarch64) (x86_64)
/* Registers beyond 128 bits: the rows ASM_WIDE. */
#define ASSEMBLY_WIDE 1
/* Chains of the kernels named _wide; at least the pipes of a core times their latency. */
#define WIDE_CHAINS 12
