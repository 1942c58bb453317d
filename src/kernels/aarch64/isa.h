/* Which kernels of kernels.def are assembly here, and which count of instructions is meant. */
#define INSTR(x86_64, aarch64) (aarch64)
#define ASSEMBLY 1
