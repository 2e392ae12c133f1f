#include "arch/arch.h"

#include <stddef.h>

#include "arch/datapage.h"
#include "arch/rows.h"

#pragma GCC visibility push(hidden)
RS_K_PLAIN(empty);
RS_K_PLAIN(vcall);
RS_K_PLAIN(vcall5);
RS_K_PLAIN(vsyscall);
RS_K_PLAIN(datapage_called8);
RS_K_PLAIN(datapage_called_adr);
RS_K_PLAIN(datapage_inlined_adr);
RS_K_FRAMED(getpc_adr);
RS_K_FRAMED(getpc_bl4);
RS_K_FRAMED(getpc_bl8);
RS_K_FRAMED(getpc_thunk);
RS_K_FRAMED(vcall_adr);
RS_K_FRAMED(vcall_bl4);
RS_K_FRAMED(vcall_bl8);
RS_K_FRAMED(vcall_thunk);
extern const unsigned char rs_k_datapage_called8_data_word[],
    rs_k_datapage_called_adr_data_word[], rs_k_datapage_inlined_adr_data_word[];
extern const unsigned char rs_k_getpc_adr_pc[], rs_k_getpc_bl4_pc[],
    rs_k_getpc_bl8_pc[], rs_k_getpc_thunk_pc[];
#pragma GCC visibility pop

/* clang-format off */

static const struct rs_kernel empty = {
    RS_K_PLAIN_CODE(empty),
    .counts = {.instructions = {2, 0}, .branches = {1, 0}},
    .counts_are_exact = true,
};

/*
 * No call is exempt here: A64 reserves no form of call for reading the PC.
 *
 * A getpc kernel whose form has these counts of its own; the rest of an iteration is
 * 2 + 5k instructions with 1 + 2k branches, k calls and k returns (getpc.S).
 */
#define GETPC(...) RS_GETPC_KERNEL(2, 5, __VA_ARGS__, 0)

/*
 * The same for a call of the target below the frames: 7 + 5k instructions with 2 + 2k
 * branches and k + 1 calls; the target's own return is the pop beyond k (vcall.S).
 */
#define VCALL(...) RS_VCALL_KERNEL(7, 5, __VA_ARGS__, 0)

/*   of a form: instructions, branches, pushes, pops (form.inc) */
GETPC(adr,   1, 0, 0, 0);
GETPC(bl4,   2, 1, 1, 0);
GETPC(bl8,   2, 1, 1, 0);
GETPC(thunk, 3, 2, 1, 1);
VCALL(adr,   1, 0, 0, 0);
VCALL(bl4,   2, 1, 1, 0);
VCALL(bl8,   2, 1, 1, 0);
VCALL(thunk, 3, 2, 1, 1);

RS_CALL_KERNEL(vcall, 7);

RS_CALL_KERNEL(vcall5, 9);

/* Not exact: PMUs differ in what they count for entering and leaving the system. */
static const struct rs_kernel vsyscall = {
    RS_K_PLAIN_CODE(vsyscall),
    .counts = {.instructions = {7, 0}, .branches = {1, 0}},
};

#define DATAPAGE(...) RS_DATAPAGE_KERNEL(__VA_ARGS__, 0)

/*             in all: instructions, branches, pushes, pops (datapage.S) */
DATAPAGE(called8,      47, 9, 3, 2);
DATAPAGE(called_adr,   44, 8, 2, 2);
DATAPAGE(inlined_adr,  39, 6, 1, 1);

static const struct rs_variant getpc[] = {
    {
	.name = "adr",
	.text = "reads the PC with adr, without a call",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_adr,
    },
    {
	.name = "bl+4",
	.text = "calls the next instruction and copies x30: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_bl4,
    },
    {
	.name = "bl+8",
	.text = "calls over a word and copies x30: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_bl8,
    },
    {
	.name = "thunk",
	.text = "calls a function that copies x30 and returns",
	.effect = RS_EFFECT_BALANCED,
	.kernel = &getpc_thunk,
    },
    {.name = NULL},
};

static const struct rs_variant datapage[] = {
    {
	.name = "called+8",
	.text = "the 2005-2015 shape: a called __get_datapage calls over its data "
		"word, a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &datapage_called8,
    },
    {
	.name = "called+adr",
	.text = "the shape of the 2015 fix, and the baseline: adr finds the data word "
		"in front of the called __get_datapage",
	.effect = RS_EFFECT_NONE,
	.kernel = &datapage_called_adr,
    },
    {
	.name = "inlined+adr",
	.text = "the 2020 shape: that adr is inlined, one call and return less",
	.effect = RS_EFFECT_NONE,
	.kernel = &datapage_inlined_adr,
    },
    {.name = NULL},
};

static const struct rs_variant vdso[] = {
    {
	.name = "vdso",
	.text = "calls the vDSO's function straight from the loop",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall,
    },
    {
	.name = "libc",
	.text = "calls the C library's function straight from the loop",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_LIBC,
	.kernel = &vcall,
    },
    {
	.name = "syscall",
	.text = "makes the system call that the function stands for",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_SYSCALL,
	.kernel = &vsyscall,
    },
    {
	.name = "vdso@adr",
	.text = "calls the vDSO below frames, after reading the PC with adr",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_adr,
    },
    {
	.name = "vdso@bl+4",
	.text = "calls the vDSO below frames, after a call of the next instruction "
		"that is never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_bl4,
    },
    {
	.name = "vdso@bl+8",
	.text = "calls the vDSO below frames, after a call over a word that is never "
		"returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_bl8,
    },
    {
	.name = "vdso@thunk",
	.text = "calls the vDSO below frames, after reading the PC with a called thunk",
	.effect = RS_EFFECT_BALANCED,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_thunk,
    },
    {.name = NULL},
};
static const struct rs_variant null_syscall[] = {
    {
	.name = "syscall",
	.text = "makes the system call with one instruction",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_SYSCALL,
	.kernel = &vsyscall,
    },
    {
	.name = "libc",
	.text = "calls the C library's function, which makes it",
	.effect = RS_EFFECT_BALANCED,
	.target = RS_TARGET_LIBC,
	.kernel = &vcall,
    },
    {.name = NULL},
};

static const struct rs_variant getrandom[] =
    RS_GETRANDOM_ROWS(&vcall5, &vcall, &vsyscall);
/* clang-format on */

static const struct rs_family families[] = {
    {.name = "getpc", .baseline = "adr", .variants = getpc},
    {.name = "datapage", .baseline = "called+adr", .variants = datapage},
    {.name = "clockread", .baseline = "isb+isb", .variants = rs_clockread_rows},
    {.name = "clockread.gettimeofday",
     .baseline = "isb+isb",
     .variants = rs_clockday_rows},
    {.name = "profile", .baseline = "none", .variants = rs_profile_rows},
    {.name = "syscall", .baseline = "syscall", .variants = null_syscall},
    {.name = "signal", .baseline = "return", .variants = rs_signal_rows},
    {.name = "ctxsw", .baseline = "threads", .variants = rs_ctxsw_rows},
    {.name = "ctxsw.returns", .baseline = "threads", .variants = rs_returns_rows},
    {.name = "vdso", .baseline = "vdso", .variants = vdso},
    {.name = "getrandom", .baseline = "vdso", .variants = getrandom},
    {.name = "work", .baseline = "none", .variants = rs_work_rows},
    {.name = NULL},
};

static const struct rs_isa isa = {
    .name = "aarch64",
    .vdso_prefix = "__kernel_",
    .vdso_version = "LINUX_2.6.39",
    .empty = &empty,
    .families = families,
    .chains = rs_chain_rows,
};

const struct rs_isa *rs_isa_host(void)
{
	return &isa;
}

unsigned long rs_kernel_call(const void *entry, unsigned long *kargs)
{
	unsigned long (*const call)(unsigned long *) =
	    (unsigned long (*)(unsigned long *))(uintptr_t)entry;
	return call(kargs);
}

long rs_vdso_call(const void *function, const unsigned long args[RS_N_VDSO_ARGS])
{
	typedef long vdso_function(unsigned long, unsigned long, unsigned long,
				   unsigned long, unsigned long);
	vdso_function *const call = (vdso_function *)(uintptr_t)function;
	return call(args[0], args[1], args[2], args[3], args[4]);
}
