#include "arch/arch.h"

#include <stddef.h>

#include "arch/datapage.h"
#include "arch/rows.h"

#pragma GCC visibility push(hidden)
RS_K_PLAIN(empty);
RS_K_PLAIN(vcall);
RS_K_PLAIN(vcall5);
RS_K_PLAIN(vsyscall);
RS_K_PLAIN(datapage_called10);
RS_K_PLAIN(datapage_called_larl);
RS_K_PLAIN(datapage_inlined_larl);
RS_K_FRAMED(getpc_larl);
RS_K_FRAMED(getpc_brasl6);
RS_K_FRAMED(getpc_brasl10);
RS_K_FRAMED(getpc_thunk);
RS_K_FRAMED(getpc_basr0);
RS_K_FRAMED(vcall_larl);
RS_K_FRAMED(vcall_brasl6);
RS_K_FRAMED(vcall_brasl10);
RS_K_FRAMED(vcall_thunk);
RS_K_FRAMED(vcall_basr0);
extern const unsigned char rs_k_datapage_called10_data_word[],
    rs_k_datapage_called_larl_data_word[], rs_k_datapage_inlined_larl_data_word[];
extern const unsigned char rs_k_getpc_larl_pc[], rs_k_getpc_brasl6_pc[],
    rs_k_getpc_brasl10_pc[], rs_k_getpc_thunk_pc[], rs_k_getpc_basr0_pc[];
#pragma GCC visibility pop

/* clang-format off */

static const struct rs_kernel empty = {
    RS_K_PLAIN_CODE(empty),
    .counts = {.instructions = {1, 0}, .branches = {1, 0}},
    .counts_are_exact = true,
};

/*
 * No call is exempt here: z/Architecture reserves no form of call for reading the PC.
 *
 * A getpc kernel whose form has these counts of its own; the rest of an iteration is
 * 1 + 5k instructions with 1 + 2k branches, k calls and k returns (getpc.S).
 */
#define GETPC(...) RS_GETPC_KERNEL(1, 5, __VA_ARGS__, 0)

/*
 * The same for a call of the target below the frames: 6 + 5k instructions with 2 + 2k
 * branches and k + 1 calls; the target's own return is the pop beyond k (vcall.S).
 */
#define VCALL(...) RS_VCALL_KERNEL(6, 5, __VA_ARGS__, 0)

/*   of a form: instructions, branches, pushes, pops (form.inc) */
GETPC(larl,     1, 0, 0, 0);
GETPC(brasl6,   2, 1, 1, 0);
GETPC(brasl10,  2, 1, 1, 0);
GETPC(thunk,    3, 2, 1, 1);
GETPC(basr0,    1, 0, 0, 0);
VCALL(larl,     1, 0, 0, 0);
VCALL(brasl6,   2, 1, 1, 0);
VCALL(brasl10,  2, 1, 1, 0);
VCALL(thunk,    3, 2, 1, 1);
VCALL(basr0,    1, 0, 0, 0);

RS_CALL_KERNEL(vcall, 6);

RS_CALL_KERNEL(vcall5, 8);

/* Not exact: PMUs differ in what they count for entering and leaving the system. */
static const struct rs_kernel vsyscall = {
    RS_K_PLAIN_CODE(vsyscall),
    .counts = {.instructions = {6, 0}, .branches = {1, 0}},
};

#define DATAPAGE(...) RS_DATAPAGE_KERNEL(__VA_ARGS__, 0)

/*             in all: instructions, branches, pushes, pops (datapage.S) */
DATAPAGE(called10,      42, 9, 3, 2);
DATAPAGE(called_larl,   39, 8, 2, 2);
DATAPAGE(inlined_larl,  34, 6, 1, 1);

static const struct rs_variant getpc[] = {
    {
	.name = "larl",
	.text = "reads the PC with larl, without a call",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_larl,
    },
    {
	.name = "brasl+6",
	.text = "calls the next instruction and copies r14: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_brasl6,
    },
    {
	.name = "brasl+10",
	.text = "calls over 4 bytes and copies r14: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_brasl10,
    },
    {
	.name = "thunk",
	.text = "calls a function that copies r14 and returns",
	.effect = RS_EFFECT_BALANCED,
	.kernel = &getpc_thunk,
    },
    {
	.name = "basr0",
	.text = "reads the PC with basr r,0, which saves it and branches nowhere",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_basr0,
    },
    {.name = NULL},
};

static const struct rs_variant datapage[] = {
    {
	.name = "called+10",
	.text = "the 2005-2015 shape: a called __get_datapage calls over its data "
		"word, a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &datapage_called10,
    },
    {
	.name = "called+larl",
	.text = "the shape of the 2015 fix, and the baseline: larl finds the data word "
		"in front of the called __get_datapage",
	.effect = RS_EFFECT_NONE,
	.kernel = &datapage_called_larl,
    },
    {
	.name = "inlined+larl",
	.text = "the 2020 shape: that larl is inlined, one call and return less",
	.effect = RS_EFFECT_NONE,
	.kernel = &datapage_inlined_larl,
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
	.name = "vdso@larl",
	.text = "calls the vDSO below frames, after reading the PC with larl",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_larl,
    },
    {
	.name = "vdso@brasl+6",
	.text = "calls the vDSO below frames, after a call of the next instruction "
		"that is never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_brasl6,
    },
    {
	.name = "vdso@brasl+10",
	.text = "calls the vDSO below frames, after a call over 4 bytes that is never "
		"returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_brasl10,
    },
    {
	.name = "vdso@thunk",
	.text = "calls the vDSO below frames, after reading the PC with a called thunk",
	.effect = RS_EFFECT_BALANCED,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_thunk,
    },
    {
	.name = "vdso@basr0",
	.text = "calls the vDSO below frames, after reading the PC with basr r,0",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_basr0,
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
    {.name = "getpc", .baseline = "larl", .variants = getpc},
    {.name = "datapage", .baseline = "called+larl", .variants = datapage},
    {.name = "clockread", .baseline = "stckf", .variants = rs_clockread_rows},
    {.name = "clockread.gettimeofday",
     .baseline = "stckf",
     .variants = rs_clockday_rows},
    {.name = "profile", .baseline = "none", .variants = rs_profile_rows},
    {.name = "syscall", .baseline = "syscall", .variants = null_syscall},
    {.name = "signal", .baseline = "return", .variants = rs_signal_rows},
    {.name = "ctxsw", .baseline = "threads", .variants = rs_ctxsw_rows},
    {.name = "ctxsw.returns", .baseline = "threads", .variants = rs_returns_rows},
    {.name = "vdso", .baseline = "vdso", .variants = vdso},
    {.name = "work", .baseline = "none", .variants = rs_work_rows},
    {.name = "getrandom", .baseline = "vdso", .variants = getrandom},
    {.name = NULL},
};

static const struct rs_isa isa = {
    .name = "s390x",
    .vdso_prefix = "__kernel_",
    .vdso_version = "LINUX_2.6.29",
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
