#include "arch/arch.h"

#include <stddef.h>

#include "arch/datapage.h"
#include "arch/rows.h"

#pragma GCC visibility push(hidden)
RS_K_PLAIN(empty);
RS_K_PLAIN(vcall);
RS_K_PLAIN(vcall5);
RS_K_PLAIN(vsyscall);
RS_K_PLAIN(datapage_called4);
RS_K_PLAIN(datapage_called0);
RS_K_PLAIN(datapage_inlined0);
RS_K_FRAMED(getpc_lea);
RS_K_FRAMED(getpc_call0);
RS_K_FRAMED(getpc_call4);
RS_K_FRAMED(getpc_call8);
RS_K_FRAMED(getpc_thunk);
RS_K_FRAMED(vcall_lea);
RS_K_FRAMED(vcall_call0);
RS_K_FRAMED(vcall_call4);
RS_K_FRAMED(vcall_call8);
RS_K_FRAMED(vcall_thunk);
extern const unsigned char rs_k_datapage_called4_data_word[],
    rs_k_datapage_called0_data_word[], rs_k_datapage_inlined0_data_word[];
extern const unsigned char rs_k_getpc_lea_pc[], rs_k_getpc_call0_pc[],
    rs_k_getpc_call4_pc[], rs_k_getpc_call8_pc[], rs_k_getpc_thunk_pc[];
#pragma GCC visibility pop

/* clang-format off */

static const struct rs_kernel empty = {
    RS_K_PLAIN_CODE(empty),
    .counts = {.instructions = {2, 0}, .branches = {1, 0}},
    .counts_are_exact = true,
};

/*
 * A getpc kernel whose form has these counts of its own; the rest of an iteration is
 * 2 + 4k instructions with 1 + 2k branches, k calls and k returns (getpc.S).
 */
#define GETPC(...) RS_GETPC_KERNEL(2, 4, __VA_ARGS__)

/*
 * The same for a call of the target below the frames: 6 + 4k instructions with 2 + 2k
 * branches and k + 1 calls; the target's own return is the pop beyond k (vcall.S).
 */
#define VCALL(...) RS_VCALL_KERNEL(6, 4, __VA_ARGS__)

/*   of a form: instructions, branches, pushes, pops, exempt calls (form.inc) */
GETPC(lea,    1, 0, 0, 0, 0);
GETPC(call0,  2, 1, 0, 0, 1);
GETPC(call4,  2, 1, 1, 0, 0);
GETPC(call8,  2, 1, 1, 0, 0);
GETPC(thunk,  3, 2, 1, 1, 0);
VCALL(lea,    1, 0, 0, 0, 0);
VCALL(call0,  2, 1, 0, 0, 1);
VCALL(call4,  2, 1, 1, 0, 0);
VCALL(call8,  2, 1, 1, 0, 0);
VCALL(thunk,  3, 2, 1, 1, 0);

RS_CALL_KERNEL(vcall, 6);

RS_CALL_KERNEL(vcall5, 8);

/* Not exact: PMUs differ in what they count for entering and leaving the system. */
static const struct rs_kernel vsyscall = {
    RS_K_PLAIN_CODE(vsyscall),
    .counts = {.instructions = {7, 0}, .branches = {1, 0}},
};

/*         in all: instructions, branches, pushes, pops, exempt calls (datapage.S) */
RS_DATAPAGE_KERNEL(called4,   45, 9, 3, 2, 0);
RS_DATAPAGE_KERNEL(called0,   45, 9, 2, 2, 1);
RS_DATAPAGE_KERNEL(inlined0,  41, 7, 1, 1, 1);

static const struct rs_variant getpc[] = {
    {
	.name = "lea",
	.text = "reads the PC with lea 0(%rip), without a call",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_lea,
    },
    {
	.name = "call+0",
	.text = "calls the next instruction and pops the address, which is not pushed",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &getpc_call0,
    },
    {
	.name = "call+4",
	.text = "calls over 4 bytes and pops the address: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_call4,
    },
    {
	.name = "call+8",
	.text = "calls over 8 bytes and pops the address: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_call8,
    },
    {
	.name = "thunk",
	.text = "calls a function that loads its return address and returns",
	.effect = RS_EFFECT_BALANCED,
	.kernel = &getpc_thunk,
    },
    {.name = NULL},
};

static const struct rs_variant datapage[] = {
    {
	.name = "called+4",
	.text = "the 2005-2015 shape: a called __get_datapage calls over its data "
		"word, a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &datapage_called4,
    },
    {
	.name = "called+0",
	.text = "the 2015 fix, and the baseline: the data word lies in front of the "
		"called __get_datapage, which calls its next instruction",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &datapage_called0,
    },
    {
	.name = "inlined+0",
	.text = "the 2020 shape: the call to the next instruction is inlined, one call "
		"and return less",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &datapage_inlined0,
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
	.name = "vdso@lea",
	.text = "calls the vDSO below frames, after reading the PC with lea",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_lea,
    },
    {
	.name = "vdso@call+0",
	.text = "calls the vDSO below frames, after a call to the next instruction",
	.effect = RS_EFFECT_EXEMPT,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_call0,
    },
    {
	.name = "vdso@call+4",
	.text = "calls the vDSO below frames, after a call over 4 bytes that is never "
		"returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_call4,
    },
    {
	.name = "vdso@call+8",
	.text = "calls the vDSO below frames, after a call over 8 bytes that is never "
		"returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_call8,
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
    {.name = "getpc", .baseline = "lea", .variants = getpc},
    {.name = "datapage", .baseline = "called+0", .variants = datapage},
    {.name = "clockread", .baseline = "lfence+rdtsc", .variants = rs_clockread_rows},
    {.name = "clockread.gettimeofday",
     .baseline = "lfence+rdtsc",
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

static const struct rs_isa x86 = {
    .name = "x86-64",
    .vdso_prefix = "__vdso_",
    .vdso_version = "LINUX_2.6",
    .empty = &empty,
    .families = families,
    .chains = rs_chain_rows,
};

const struct rs_isa *rs_isa_host(void)
{
	return &x86;
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
