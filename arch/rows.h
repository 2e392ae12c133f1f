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

/* clang-format off */

/* Counts of a kernel without frames: instructions, branches, pushes, pops, exempt. */
#define RS_PLAIN_COUNTS(n, n_branches, n_pushes, n_pops, n_exempt)                     \
	{                                                                              \
	    .instructions = {(n), 0},                                                  \
	    .branches = {(n_branches), 0},                                             \
	    .pushes = {(n_pushes), 0},                                                 \
	    .pops = {(n_pops), 0},                                                     \
	    .exempt = {(n_exempt), 0},                                                 \
	}

/*
 * Of one below frames: what it executes without them, and the instructions of a frame,
 * of which one is a call and one a return.
 */
#define RS_FRAMED_COUNTS(of_frame, n, n_branches, n_pushes, n_pops, n_exempt)          \
	{                                                                              \
	    .instructions = {(n), (of_frame)},                                         \
	    .branches = {(n_branches), 2},                                             \
	    .pushes = {(n_pushes), 1},                                                 \
	    .pops = {(n_pops), 1},                                                     \
	    .exempt = {(n_exempt), 0},                                                 \
	}

/* The kernels of families that every ISA has; n_... are counts of the form alone, and
 * rest the instructions of the loop around it. */

#define RS_GETPC_KERNEL(rest, of_frame, form, n, n_branches, n_pushes, n_pops, n_exempt) \
	static const struct rs_kernel getpc_##form = {                                 \
	    RS_K_FRAMED_CODE(getpc_##form),                                            \
	    .pc = rs_k_getpc_##form##_pc,                                              \
	    .counts = RS_FRAMED_COUNTS(of_frame, (rest) + (n), 1 + (n_branches),       \
				       n_pushes, n_pops, n_exempt),                    \
	    .counts_are_exact = true,                                                  \
	}

/* The same around a call of the target, whose return is one more pop. */
#define RS_VCALL_KERNEL(rest, of_frame, form, n, n_branches, n_pushes, n_pops, n_exempt) \
	static const struct rs_kernel vcall_##form = {                                 \
	    RS_K_FRAMED_CODE(vcall_##form),                                            \
	    .counts = RS_FRAMED_COUNTS(of_frame, (rest) + (n), 2 + (n_branches),       \
				       1 + (n_pushes), 1 + (n_pops), n_exempt),        \
	}

/* A loop around a call of the target alone. */
#define RS_CALL_KERNEL(name, n)                                                        \
	static const struct rs_kernel name = {                                         \
	    RS_K_PLAIN_CODE(name),                                                     \
	    .counts = RS_PLAIN_COUNTS(n, 2, 1, 1, 0),                                  \
	}

#define RS_DATAPAGE_KERNEL(shape, n, n_branches, n_pushes, n_pops, n_exempt)           \
	static const struct rs_kernel datapage_##shape = {                             \
	    RS_K_PLAIN_CODE(datapage_##shape),                                         \
	    .data_word = rs_k_datapage_##shape##_data_word,                            \
	    .counts = RS_PLAIN_COUNTS(n, n_branches, n_pushes, n_pops, n_exempt),      \
	    .counts_are_exact = true,                                                  \
	}

/* profile: symbol, name, counts of the entry sequence, effect, text. */
#define RS_PROFILE_DECLARED(id, name, n, n_branches, n_pushes, n_pops, effect, text)   \
	RS_K_FRAMED(profile_##id);
#define RS_PROFILE_KERNEL(rest, of_frame, id, name, n, n_branches, n_pushes, n_pops,   \
			  effect, text)                                                \
	static const struct rs_kernel profile_##id = {                                 \
	    RS_K_FRAMED_CODE(profile_##id),                                            \
	    .result = RS_RESULT_CALLS,                                                 \
	    .counts = RS_FRAMED_COUNTS(of_frame, (rest) + (n), 1 + (n_branches),       \
				       n_pushes, n_pops, 0),                           \
	    .counts_are_exact = true,                                                  \
	};
#define RS_PROFILE_ROW(id, row_name, n, n_branches, n_pushes, n_pops, row_effect,      \
		       row_text)                                                       \
	{.name = row_name, .text = row_text, .effect = row_effect,                     \
	 .kernel = &profile_##id},

/* signal: name, counts of the handler, effect, text. Not exact: the system does some. */
#define RS_SIGNAL_DECLARED(way, n, n_branches, n_pushes, n_pops, effect, text)         \
	RS_K_FRAMED(signal_##way);
#define RS_SIGNAL_KERNEL(rest, of_frame, way, n, n_branches, n_pushes, n_pops, effect, \
			 text)                                                         \
	static const struct rs_kernel signal_##way = {                                 \
	    RS_K_FRAMED_CODE(signal_##way),                                            \
	    .result = RS_RESULT_CALLS,                                                 \
	    .takes_signals = true,                                                     \
	    .counts = RS_FRAMED_COUNTS(of_frame, (rest) + (n), 1 + (n_branches),       \
				       n_pushes, n_pops, 0),                           \
	};
#define RS_SIGNAL_ROW(way, n, n_branches, n_pushes, n_pops, row_effect, row_text)      \
	{.name = #way, .text = row_text, .effect = row_effect, .kernel = &signal_##way},

/* work+clock. Lower bounds: the counts are those of one line and one read (work.S). */
#define RS_WORK_KERNEL(id, n, n_branches, n_calls)                                     \
	static const struct rs_kernel work_##id = {                                    \
	    RS_K_PLAIN_CODE(work_##id),                                                \
	    .counts = RS_PLAIN_COUNTS(n, n_branches, n_calls, n_calls, 0),             \
	}

/* With one of clockread's forms in a called gettimeofday(). */
#define RS_WORK_READ_DECLARED(id)                                                      \
	RS_K_PLAIN(work_##id);                                                         \
	extern const unsigned char rs_k_work_##id##_data_word[];
#define RS_WORK_READ_KERNEL(id, n, n_branches, n_exempt)                               \
	static const struct rs_kernel work_##id = {                                    \
	    RS_K_PLAIN_CODE(work_##id),                                                \
	    .data_word = rs_k_work_##id##_data_word,                                   \
	    .counts = RS_PLAIN_COUNTS(n, n_branches, 1, 1, n_exempt),                  \
	};

/* Its rows that call the clock, or none. */
#define RS_WORK_ROWS(of_vdso, of_libc)                                                 \
	{                                                                              \
	    .name = "none",                                                            \
	    .text = "reads the block and no clock",                                    \
	    .kernel = &work_none,                                                      \
	},                                                                             \
	{                                                                              \
	    .name = "vdso",                                                            \
	    .text = "reads the clock through the vDSO",                                \
	    .target = RS_TARGET_VDSO,                                                  \
	    .kernel = (of_vdso),                                                       \
	},                                                                             \
	{                                                                              \
	    .name = "libc",                                                            \
	    .text = "reads the clock through the C library",                           \
	    .target = RS_TARGET_LIBC,                                                  \
	    .kernel = (of_libc),                                                       \
	},                                                                             \
	{                                                                              \
	    .name = "syscall",                                                         \
	    .text = "reads the clock by the system call",                              \
	    .target = RS_TARGET_SYSCALL,                                               \
	    .kernel = &work_syscall,                                                   \
	},

/* ctxsw: a target that hands over to a partner, the calls of which are not the loop's. */
#define RS_CTXSW_ROW(who, what, is_process, row_touches, why, row_text)                \
	{.name = who what, .text = row_text, .effect = RS_EFFECT_BALANCED,             \
	 .target = RS_TARGET_PARTNER, .kernel = &hand_over, .missing = why,            \
	 .in_process = is_process, .touches = row_touches},

/* Rows with a partner of one kind that every ISA has. */
#define RS_CTXSW_ROWS(who, partner, is_process)                                        \
	RS_CTXSW_ROW(who, "", is_process, 0, NULL,                                     \
		     "hands over to " partner " and waits for its turn: two switches") \
	RS_CTXSW_ROW(who, "+fp", is_process, RS_TOUCH_FP, rs_fp_missing,               \
		     "the same; each writes a floating-point register every turn")     \
	RS_CTXSW_ROW(who, "+vector", is_process, RS_TOUCH_VECTOR, rs_vector_missing,   \
		     "the same; each writes a vector register every turn")             \
	RS_CTXSW_ROW(who, "+vdso", is_process, RS_TOUCH_VDSO, NULL,                    \
		     "the same; each calls gettimeofday() every turn")                 \
	RS_CTXSW_ROW(who, "+all", is_process, RS_TOUCH_ALL, NULL,                      \
		     "the same; each does all of these every turn, where it can")

/* ctxsw.returns: the frames that enclose a switch, and the same beside it. */
#define RS_RETURNS_KERNEL(rest, of_frame, where)                                       \
	static const struct rs_kernel returns_##where = {                              \
	    RS_K_FRAMED_CODE(returns_##where),                                         \
	    .counts = RS_FRAMED_COUNTS(of_frame, rest, 2, 1, 1, 0),                    \
	}
#define RS_RETURNS_ROWS(who, partner, is_process)                                      \
	{.name = who, .effect = RS_EFFECT_BALANCED, .target = RS_TARGET_PARTNER,       \
	 .kernel = &returns_beside, .in_process = is_process,                          \
	 .text = "enters frames and leaves them, then hands over to " partner},        \
	{.name = who "+returns", .effect = RS_EFFECT_BALANCED,                         \
	 .target = RS_TARGET_PARTNER, .kernel = &returns_below,                        \
	 .in_process = is_process,                                                     \
	 .text = "hands over to " partner " at the bottom of the frames: their "       \
		 "returns come after the switches"},

/*
 * Chains (chain.S): instructions and branches of an iteration beside its n calls, and
 * of one of them. lost is entered elsewhere in the code of chain, and makes one call
 * more, which is not popped, in two instructions.
 */
#define RS_CHAIN_COUNTS(n, of_call, n_branches, branches_of_call, n_lost)              \
	{                                                                              \
	    .instructions = {(n) + 2 * (n_lost), (of_call)},                           \
	    .branches = {(n_branches) + (n_lost), (branches_of_call)},                 \
	    .pushes = {(n_lost), 1},                                                   \
	    .pops = {0, 1},                                                            \
	}
#define RS_CHAIN_KERNEL(name, code, ...)                                               \
	static const struct rs_kernel name = {                                         \
	    .start = rs_k_##code,                                                      \
	    .end = rs_k_##code##_end,                                                  \
	    .entry = {rs_k_##name},                                                    \
	    .counts = RS_CHAIN_COUNTS(__VA_ARGS__),                                    \
	    .counts_are_exact = true,                                                  \
	};
#define RS_CHAIN_KERNELS(...)                                                          \
	RS_CHAIN_KERNEL(chain, chain, __VA_ARGS__, 0)                                  \
	RS_CHAIN_KERNEL(lost, chain, __VA_ARGS__, 1)
#define RS_RECURSION_KERNELS(...)                                                      \
	RS_CHAIN_KERNEL(recursion, recursion, __VA_ARGS__, 0)                          \
	RS_CHAIN_KERNEL(pair, pair, __VA_ARGS__, 0)
#define RS_CHAIN_LIST                                                                  \
	{                                                                              \
		{                                                                      \
		    .name = "random",                                                  \
		    .text = "each level is called from one of two sites, by a fresh "  \
			    "random bit",                                              \
		    .sites = RS_SITES_RANDOM,                                          \
		    .kernel = &chain,                                                  \
		},                                                                     \
		{                                                                      \
		    .name = "fixed",                                                   \
		    .text = "each level has one call site of its own",                 \
		    .sites = RS_SITES_FIXED,                                           \
		    .kernel = &chain,                                                  \
		},                                                                     \
		{                                                                      \
		    .name = "recursion",                                               \
		    .text = "one call site serves all levels",                         \
		    .sites = RS_SITES_ONE,                                             \
		    .kernel = &recursion,                                              \
		},                                                                     \
		{                                                                      \
		    .name = "pair",                                                    \
		    .text = "two functions call each other: two sites take turns",     \
		    .sites = RS_SITES_PAIR,                                            \
		    .kernel = &pair,                                                   \
		},                                                                     \
		{                                                                      \
		    .name = "lost",                                                    \
		    .text = "as random, below a call that no return pops",             \
		    .sites = RS_SITES_LOST,                                            \
		    .kernel = &lost,                                                   \
		},                                                                     \
		{                                                                      \
		    .name = NULL                                                       \
		},                                                                     \
	}

/* clang-format on */

/* Kinds of registers that an ISA has, for rs_touch(). */
struct rs_registers {
	enum rs_touch touch; /* 0 ends a list */
	void (*write)(void);
	/* NULL, or asks the machine: returns NULL when it has them, else why not. */
	const char *(*missing)(void);
};

extern const struct rs_registers rs_registers[];

/* rs_touch_missing() as rows ask. */
const char *rs_fp_missing(void);
const char *rs_altivec_missing(void);
const char *rs_vector_missing(void);

/* Rows of the families that have a file of their own, beside isa.c. */
extern const struct rs_variant rs_clockread_rows[];
extern const struct rs_variant rs_clockday_rows[];
extern const struct rs_variant rs_ctxsw_rows[];
extern const struct rs_variant rs_profile_rows[];
extern const struct rs_variant rs_returns_rows[];
extern const struct rs_variant rs_signal_rows[];
extern const struct rs_variant rs_work_rows[];
extern const struct rs_chain rs_chain_rows[];

#pragma GCC visibility push(hidden)
RS_K_PLAIN(chain);
RS_K_PLAIN(recursion);
RS_K_PLAIN(pair);
extern const unsigned char rs_k_lost[];
#pragma GCC visibility pop

#endif
