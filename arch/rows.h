#ifndef ARCH_ROWS_H
#define ARCH_ROWS_H

/*
 * For the files of an ISA's folder that hold rows: how a kernel's symbols are declared
 * and put into its struct rs_kernel. RS_K_PLAIN is a kernel called straight from its
 * loop, RS_K_FRAMED one below frames. Declarations go between
 * #pragma GCC visibility push(hidden) and pop.
 */

#include <stddef.h>

#include "arch/arch.h"

#define RS_K_PLAIN(name) extern const unsigned char rs_k_##name[], rs_k_##name##_end[]
#define RS_K_FRAMED(name)                                                              \
	extern const unsigned char rs_k_##name##_1[], rs_k_##name##_2[],               \
	    rs_k_##name##_3[], rs_k_##name##_4[], rs_k_##name##_5[],                   \
	    rs_k_##name##_6[], rs_k_##name##_7[], rs_k_##name##_8[],                   \
	    rs_k_##name##_end[]

#define RS_K_PLAIN_CODE(name)                                                          \
	.start = rs_k_##name, .end = rs_k_##name##_end, .entry = {rs_k_##name}
#define RS_K_FRAMED_CODE(name)                                                         \
	.start = rs_k_##name##_1, .end = rs_k_##name##_end,                            \
	.entry = {                                                                     \
	    NULL,                                                                      \
	    rs_k_##name##_1,                                                           \
	    rs_k_##name##_2,                                                           \
	    rs_k_##name##_3,                                                           \
	    rs_k_##name##_4,                                                           \
	    rs_k_##name##_5,                                                           \
	    rs_k_##name##_6,                                                           \
	    rs_k_##name##_7,                                                           \
	    rs_k_##name##_8,                                                           \
	}

/* getrandom: the vDSO's takes a state; no form of getpc is put in front of it. */
#define RS_GETRANDOM_ROWS(of_vdso, of_libc, of_syscall)                                \
	{                                                                              \
		{                                                                      \
		    .name = "vdso",                                                    \
		    .text =                                                            \
			"calls the vDSO's function with a state, straight from the "   \
			"loop",                                                        \
		    .effect = RS_EFFECT_NONE,                                          \
		    .target = RS_TARGET_VDSO,                                          \
		    .kernel = (of_vdso),                                               \
		},                                                                     \
		    {                                                                  \
			.name = "libc",                                                \
			.text =                                                        \
			    "calls the C library's function straight from the loop",   \
			.effect = RS_EFFECT_NONE,                                      \
			.target = RS_TARGET_LIBC,                                      \
			.kernel = (of_libc),                                           \
		    },                                                                 \
		    {                                                                  \
			.name = "syscall",                                             \
			.text = "makes the system call that the function stands for",  \
			.effect = RS_EFFECT_NONE,                                      \
			.target = RS_TARGET_SYSCALL,                                   \
			.kernel = (of_syscall),                                        \
		    },                                                                 \
		{                                                                      \
			.name = NULL                                                   \
		}                                                                      \
	}

/* Rows of the families that have a file of their own, beside isa.c. */
extern const struct rs_variant rs_clockread_rows[];
extern const struct rs_variant rs_clockday_rows[];
extern const struct rs_variant rs_profile_rows[];
extern const struct rs_variant rs_signal_rows[];
extern const struct rs_variant rs_work_rows[];
extern const struct rs_chain rs_chain_rows[];

#endif
