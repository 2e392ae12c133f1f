#include "arch/arch.h"

#include <stddef.h>

#include "arch/datapage.h"
#include "arch/rows.h"

#define DATA_WORD(name) extern const unsigned char rs_k_##name##_data_word[]
#define PC(name)        extern const unsigned char rs_k_##name##_pc[]

#pragma GCC visibility push(hidden)
RS_K_PLAIN(empty);
RS_K_PLAIN(vcall);
RS_K_PLAIN(vcall5);
RS_K_PLAIN(vsyscall);
RS_K_PLAIN(datapage_called8);
RS_K_PLAIN(datapage_called_auipc);
RS_K_PLAIN(datapage_inlined_auipc);
DATA_WORD(datapage_called8);
DATA_WORD(datapage_called_auipc);
DATA_WORD(datapage_inlined_auipc);
RS_K_FRAMED(getpc_auipc);
RS_K_FRAMED(getpc_jal4);
RS_K_FRAMED(getpc_jal8);
RS_K_FRAMED(getpc_jal_t0);
RS_K_FRAMED(getpc_jal_t1);
RS_K_FRAMED(getpc_thunk);
PC(getpc_auipc);
PC(getpc_jal4);
PC(getpc_jal8);
PC(getpc_jal_t0);
PC(getpc_jal_t1);
PC(getpc_thunk);
RS_K_FRAMED(vcall_auipc);
RS_K_FRAMED(vcall_jal4);
RS_K_FRAMED(vcall_jal8);
RS_K_FRAMED(vcall_jal_t0);
RS_K_FRAMED(vcall_jal_t1);
RS_K_FRAMED(vcall_thunk);
#pragma GCC visibility pop

/* clang-format off */

static const struct rs_kernel empty = {
    RS_K_PLAIN_CODE(empty),
    .counts = {.instructions = {2, 0}, .branches = {1, 0}},
    .counts_are_exact = true,
};

/*
 * A getpc kernel whose form has these counts of its own; the rest of an iteration is
 * 2 + 6k instructions with 1 + 2k branches, k calls and k returns (getpc.S).
 */
#define GETPC(...) RS_GETPC_KERNEL(2, 6, __VA_ARGS__)

/*
 * The same for a call of the target below the frames: 7 + 6k instructions with 2 + 2k
 * branches and k + 1 calls; the target's own return is the pop beyond k (vcall.S).
 */
#define VCALL(...) RS_VCALL_KERNEL(7, 6, __VA_ARGS__)

/*   of a form: instructions, branches, pushes, pops, exempt calls (form.inc) */
GETPC(auipc,  1, 0, 0, 0, 0);
GETPC(jal4,   2, 1, 1, 0, 0);
GETPC(jal8,   2, 1, 1, 0, 0);
GETPC(jal_t0, 2, 1, 1, 0, 0);
GETPC(jal_t1, 2, 1, 0, 0, 1);
GETPC(thunk,  3, 2, 1, 1, 0);
VCALL(auipc,  1, 0, 0, 0, 0);
VCALL(jal4,   2, 1, 1, 0, 0);
VCALL(jal8,   2, 1, 1, 0, 0);
VCALL(jal_t0, 2, 1, 1, 0, 0);
VCALL(jal_t1, 2, 1, 0, 0, 1);
VCALL(thunk,  3, 2, 1, 1, 0);

RS_CALL_KERNEL(vcall, 7);

RS_CALL_KERNEL(vcall5, 9);

/* Not exact: PMUs differ in what they count for entering and leaving the system. */
static const struct rs_kernel vsyscall = {
    RS_K_PLAIN_CODE(vsyscall),
    .counts = {.instructions = {7, 0}, .branches = {1, 0}},
};

#define DATAPAGE(...) RS_DATAPAGE_KERNEL(__VA_ARGS__, 0)

/*              in all: instructions, branches, pushes, pops (datapage.S) */
DATAPAGE(called8,       46, 9, 3, 2);
DATAPAGE(called_auipc,  44, 8, 2, 2);
DATAPAGE(inlined_auipc, 38, 6, 1, 1);

static const struct rs_variant getpc[] = {
    {
	.name = "auipc",
	.text = "reads the PC with auipc, without a call",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_auipc,
    },
    {
	.name = "jal+4",
	.text = "calls the next instruction and copies ra: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_jal4,
    },
    {
	.name = "jal+8",
	.text = "calls over 4 bytes and copies ra: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_jal8,
    },
    {
	.name = "jal-t0+4",
	.text = "calls the next instruction with the other link register, t0: a push "
		"without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_jal_t0,
    },
    {
	.name = "jal-t1+4",
	.text = "jumps to the next instruction and keeps the PC in t1, whose calls are "
		"not pushed",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &getpc_jal_t1,
    },
    {
	.name = "thunk",
	.text = "calls a function that copies ra and returns",
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
	.name = "called+auipc",
	.text = "the shape of the 2015 fix, and the baseline: auipc finds the data "
		"word in front of the called __get_datapage",
	.effect = RS_EFFECT_NONE,
	.kernel = &datapage_called_auipc,
    },
    {
	.name = "inlined+auipc",
	.text = "the 2020 shape: that auipc is inlined, one call and return less",
	.effect = RS_EFFECT_NONE,
	.kernel = &datapage_inlined_auipc,
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
	.name = "vdso@auipc",
	.text = "calls the vDSO below frames, after reading the PC with auipc",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_auipc,
    },
    {
	.name = "vdso@jal+4",
	.text = "calls the vDSO below frames, after a call of the next instruction "
		"that is never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_jal4,
    },
    {
	.name = "vdso@jal+8",
	.text = "calls the vDSO below frames, after a call over 4 bytes that is never "
		"returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_jal8,
    },
    {
	.name = "vdso@jal-t0+4",
	.text = "calls the vDSO below frames, after a call of the next instruction "
		"with t0 that is never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_jal_t0,
    },
    {
	.name = "vdso@jal-t1+4",
	.text = "calls the vDSO below frames, after reading the PC with a jal that "
		"keeps it in t1",
	.effect = RS_EFFECT_EXEMPT,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_jal_t1,
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
    {.name = "getpc", .baseline = "auipc", .variants = getpc},
    {.name = "datapage", .baseline = "called+auipc", .variants = datapage},
    {.name = "clockread", .baseline = "rdtime", .variants = rs_clockread_rows},
    {.name = "clockread.gettimeofday",
     .baseline = "rdtime",
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
    .name = "riscv64",
    .vdso_prefix = "__vdso_",
    .vdso_version = "LINUX_4.15",
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
