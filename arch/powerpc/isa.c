#include "arch/arch.h"

#include <stddef.h>
#include <sys/auxv.h>

#include "arch/datapage.h"
#include "arch/rows.h"

#if defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ISA_NAME "powerpc64le"
#elif defined(__powerpc64__)
#define ISA_NAME "powerpc64"
#else
#define ISA_NAME "powerpc"
#endif

#pragma GCC visibility push(hidden)
RS_K_PLAIN(empty);
RS_K_PLAIN(vcall);
RS_K_PLAIN(vcall5);
RS_K_PLAIN(lcall);
RS_K_PLAIN(vsyscall);
#ifdef __powerpc64__
RS_K_PLAIN(vscv);
#endif
RS_K_PLAIN(datapage_called8);
RS_K_PLAIN(datapage_called4);
RS_K_PLAIN(datapage_inlined4);
RS_K_FRAMED(getpc_none);
RS_K_FRAMED(getpc_bcl4);
RS_K_FRAMED(getpc_bcl8);
RS_K_FRAMED(getpc_bl4);
RS_K_FRAMED(getpc_bl8);
RS_K_FRAMED(getpc_thunk);
RS_K_FRAMED(getpc_addpcis);
RS_K_FRAMED(getpc_paddi);
RS_K_FRAMED(vcall_none);
RS_K_FRAMED(vcall_bcl4);
RS_K_FRAMED(vcall_bcl8);
RS_K_FRAMED(vcall_bl4);
RS_K_FRAMED(vcall_bl8);
RS_K_FRAMED(vcall_thunk);
RS_K_FRAMED(vcall_addpcis);
RS_K_FRAMED(vcall_paddi);
extern const unsigned char rs_k_datapage_called8_data_word[],
    rs_k_datapage_called4_data_word[], rs_k_datapage_inlined4_data_word[];
extern const unsigned char rs_k_getpc_none_pc[], rs_k_getpc_bcl4_pc[],
    rs_k_getpc_bcl8_pc[], rs_k_getpc_bl4_pc[], rs_k_getpc_bl8_pc[],
    rs_k_getpc_thunk_pc[], rs_k_getpc_addpcis_pc[], rs_k_getpc_paddi_pc[];
#pragma GCC visibility pop

/* clang-format off */

static const struct rs_kernel empty = {
    RS_K_PLAIN_CODE(empty),
    .counts = {.instructions = {3, 0}, .branches = {1, 0}},
    .counts_are_exact = true,
};

/*
 * A getpc kernel whose form has these counts of its own; the rest of an iteration is
 * 3 + 8k instructions with 1 + 2k branches, k calls and k returns (getpc.S).
 */
#define GETPC(...) RS_GETPC_KERNEL(3, 8, __VA_ARGS__)

/*
 * The same for a call of the target below the frames: 9 + 8k instructions with 2 + 2k
 * branches and k + 1 calls; the target's own return is the pop beyond k (vcall.S).
 */
#define VCALL(...) RS_VCALL_KERNEL(9, 8, __VA_ARGS__)

/*   of a form: instructions, branches, pushes, pops, exempt calls (form.inc) */
GETPC(none,    1, 0, 0, 0, 0);
GETPC(bcl4,    2, 1, 0, 0, 1);
GETPC(bcl8,    2, 1, 1, 0, 0);
GETPC(bl4,     2, 1, 1, 0, 0);
GETPC(bl8,     2, 1, 1, 0, 0);
GETPC(thunk,   3, 2, 1, 1, 0);
GETPC(addpcis, 1, 0, 0, 0, 0);
GETPC(paddi,   1, 0, 0, 0, 0);
VCALL(none,    1, 0, 0, 0, 0);
VCALL(bcl4,    2, 1, 0, 0, 1);
VCALL(bcl8,    2, 1, 1, 0, 0);
VCALL(bl4,     2, 1, 1, 0, 0);
VCALL(bl8,     2, 1, 1, 0, 0);
VCALL(thunk,   3, 2, 1, 1, 0);
VCALL(addpcis, 1, 0, 0, 0, 0);
VCALL(paddi,   1, 0, 0, 0, 0);

RS_CALL_KERNEL(vcall, 9);
RS_CALL_KERNEL(vcall5, 11);
#if defined(_CALL_ELF) && _CALL_ELF == 1
RS_CALL_KERNEL(lcall, 12);
#else
RS_CALL_KERNEL(lcall, 9);
#endif

/* Not exact: PMUs differ in what they count for entering and leaving the system. */
static const struct rs_kernel vsyscall = {
    RS_K_PLAIN_CODE(vsyscall),
    .counts = {.instructions = {8, 0}, .branches = {1, 0}},
};

#ifdef __powerpc64__
static const struct rs_kernel vscv = {
    RS_K_PLAIN_CODE(vscv),
    .counts = {.instructions = {8, 0}, .branches = {1, 0}},
};

static const char *no_scv(void)
{
	return getauxval(AT_HWCAP2) & PPC_FEATURE2_SCV
		   ? NULL
		   : "this kernel and processor do not offer scv (POWER9, Linux 5.9)";
}
#endif

/* R and t of datapage.S. */
#ifdef __powerpc64__
#define READ_INSTRUCTIONS 34
#define READ_BRANCHES     3
#else
#define READ_INSTRUCTIONS 77
#define READ_BRANCHES     4
#endif

#define DATAPAGE(shape, n, n_branches, ...)                                            \
	RS_DATAPAGE_KERNEL(shape, (n) + READ_INSTRUCTIONS,                             \
			   (n_branches) + READ_BRANCHES, __VA_ARGS__)

/*  beyond the read: instructions, branches, pushes, pops, exempt calls (datapage.S) */
DATAPAGE(called8,   17, 6, 3, 2, 0);
DATAPAGE(called4,   18, 6, 2, 2, 1);
DATAPAGE(inlined4,  14, 4, 1, 1, 1);

static const char *no_isa_3_0(void)
{
	return getauxval(AT_HWCAP2) & PPC_FEATURE2_ARCH_3_00
		   ? NULL
		   : "this processor does not report Power ISA 3.0 (POWER9)";
}

static const char *no_isa_3_1(void)
{
	return getauxval(AT_HWCAP2) & PPC_FEATURE2_ARCH_3_1
		   ? NULL
		   : "this processor does not report Power ISA 3.1 (POWER10)";
}

static const struct rs_variant getpc[] = {
    {
	.name = "none",
	.text = "copies an address that the loop computed beforehand, without a "
		"call",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_none,
    },
    {
	.name = "bcl+4",
	.text = "bcl 20,31 to the next instruction and mflr, the form that is not "
		"pushed",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &getpc_bcl4,
    },
    {
	.name = "bcl+8",
	.text = "bcl 20,31 over a word and mflr: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_bcl8,
    },
    {
	.name = "bl+4",
	.text = "bl to the next instruction and mflr: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_bl4,
    },
    {
	.name = "bl+8",
	.text = "bl over a word and mflr: a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &getpc_bl8,
    },
    {
	.name = "thunk",
	.text = "calls a function that copies LR and returns",
	.effect = RS_EFFECT_BALANCED,
	.kernel = &getpc_thunk,
    },
    {
	.name = "addpcis",
	.text = "reads the PC with addpcis, without a call (POWER9)",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_addpcis,
	.missing = no_isa_3_0,
    },
    {
	.name = "paddi",
	.text = "reads the PC with a PC-relative paddi, without a call (POWER10)",
	.effect = RS_EFFECT_NONE,
	.kernel = &getpc_paddi,
	.missing = no_isa_3_1,
    },
    {.name = NULL},
};

static const struct rs_variant datapage[] = {
    {
	.name = "called+8",
	.text = "the 2005-2015 sequence: the bcl of a called __get_datapage jumps "
		"over its data word, a push without a return",
	.effect = RS_EFFECT_CORRUPTING,
	.kernel = &datapage_called8,
    },
    {
	.name = "called+4",
	.text = "the 2015 fix, and the baseline: the data word lies in front of "
		"the called __get_datapage, whose bcl goes to the next "
		"instruction",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &datapage_called4,
    },
    {
	.name = "inlined+4",
	.text = "the 2020 macro: the bcl to the next instruction is inlined, one "
		"call and return less",
	.effect = RS_EFFECT_EXEMPT,
	.kernel = &datapage_inlined4,
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
	.kernel = &lcall,
    },
    {
	.name = "syscall",
	.text = "makes the system call that the function stands for",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_SYSCALL,
	.kernel = &vsyscall,
    },
    {
	.name = "vdso@none",
	.text = "calls the vDSO below frames, after reading the PC from a "
		"register",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_none,
    },
    {
	.name = "vdso@bcl+4",
	.text = "calls the vDSO below frames, after a bcl 20,31 to the next "
		"instruction",
	.effect = RS_EFFECT_EXEMPT,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_bcl4,
    },
    {
	.name = "vdso@bcl+8",
	.text = "calls the vDSO below frames, after a bcl 20,31 over a word that "
		"is never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_bcl8,
    },
    {
	.name = "vdso@bl+4",
	.text = "calls the vDSO below frames, after a bl to the next instruction "
		"that is never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_bl4,
    },
    {
	.name = "vdso@bl+8",
	.text = "calls the vDSO below frames, after a bl over a word that is "
		"never returned from",
	.effect = RS_EFFECT_CORRUPTING,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_bl8,
    },
    {
	.name = "vdso@thunk",
	.text = "calls the vDSO below frames, after reading the PC with a called "
		"thunk",
	.effect = RS_EFFECT_BALANCED,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_thunk,
    },
    {
	.name = "vdso@addpcis",
	.text = "calls the vDSO below frames, after reading the PC with addpcis "
		"(POWER9)",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_addpcis,
	.missing = no_isa_3_0,
    },
    {
	.name = "vdso@paddi",
	.text = "calls the vDSO below frames, after reading the PC with paddi "
		"(POWER10)",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_VDSO,
	.kernel = &vcall_paddi,
	.missing = no_isa_3_1,
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
	.name = "scv",
	.text = "makes it with scv 0, which leaves by rfscv (POWER9)",
	.effect = RS_EFFECT_NONE,
	.target = RS_TARGET_SYSCALL,
#ifdef __powerpc64__
	.kernel = &vscv,
	.missing = no_scv,
#else
	.absent = "scv is for 64-bit programs",
#endif
    },
    {
	.name = "libc",
	.text = "calls the C library's function, which makes it",
	.effect = RS_EFFECT_BALANCED,
	.target = RS_TARGET_LIBC,
	.kernel = &lcall,
    },
    {.name = NULL},
};

static const struct rs_variant getrandom[] =
    RS_GETRANDOM_ROWS(&vcall5, &lcall, &vsyscall);
/* clang-format on */

static const struct rs_family families[] = {
    {.name = "getpc", .baseline = "none", .variants = getpc},
    {.name = "datapage", .baseline = "called+4", .variants = datapage},
    {.name = "clockread", .baseline = "mftb", .variants = rs_clockread_rows},
    {.name = "clockread.gettimeofday",
     .baseline = "mftb",
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
    .name = ISA_NAME,
    .vdso_prefix = "__kernel_",
    .vdso_version = "LINUX_2.6.15",
    .empty = &empty,
    .families = families,
    .chains = rs_chain_rows,
};

const struct rs_isa *rs_isa_host(void)
{
	return &isa;
}

/*
 * A kernel is the address of code; on ELFv1 C calls through a descriptor, of which the
 * compiler must not believe that nobody reads it.
 */
unsigned long rs_kernel_call(const void *entry, unsigned long *kargs)
{
	const void *function = entry;
#if defined(_CALL_ELF) && _CALL_ELF == 1
	const struct {
		const void *code;
		unsigned long toc; /* kernels use none */
		unsigned long environment;
	} descriptor = {.code = entry};
	function = &descriptor;
	__asm__ volatile("" : "+r"(function) : : "memory");
#endif
	unsigned long (*const call)(unsigned long *) =
	    (unsigned long (*)(unsigned long *))(uintptr_t)function;
	return call(kargs);
}
