/* The functions behind the rows of kernels.def: the references of all (ref.c), the loops
 * that are C everywhere (touch.c, sums.c), and those in assembly, which exist only where
 * a folder of this room holds them. All do what kernel.h and their rows say. */
#ifndef SONDE_KERNELS_LOOPS_H
#define SONDE_KERNELS_LOOPS_H

#include "kernels/kernel.h"

kernel_function sonde_kernel_chase_reference;
kernel_function sonde_kernel_add_chain_reference;
kernel_function sonde_kernel_mul_chain_reference;
kernel_function sonde_kernel_add_wide_reference;
kernel_function sonde_kernel_touch_reference;
kernel_function sonde_kernel_sum_kept_reference;
kernel_function sonde_kernel_sum_discarded_reference;

kernel_function sonde_kernel_chase;
kernel_function sonde_kernel_add_chain;
kernel_function sonde_kernel_mul_chain;
kernel_function sonde_kernel_add_wide;

kernel_function sonde_kernel_touch;
kernel_function sonde_kernel_sum_kept;
kernel_function sonde_kernel_sum_discarded;

#endif
