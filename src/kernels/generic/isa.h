/* No assembly: every kernel runs its reference, and no count of instructions is fixed. */
#define INSTR(x86_64, aarch64) 0
#define ASSEMBLY 0
