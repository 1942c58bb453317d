/* The functions behind the table: for each row the loop that is timed,
 * sonde_kernel_<name>, and its reference, sonde_kernel_ref_<name>. */
#ifndef SONDE_KERNELS_NAMES_H
#define SONDE_KERNELS_NAMES_H

#include "kernels/kernel.h"

#define ASM(name, ...) kernel_function sonde_kernel_##name, sonde_kernel_ref_##name;
#define C(name, ...)   kernel_function sonde_kernel_##name, sonde_kernel_ref_##name;
#include "kernels/kernels.def"
#undef ASM
#undef C

#endif
