#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

/*
 * Door of arch/: what a machine can do. Workloads and their variants as rows, the
 * kernels behind them, the user-level tick clock, and the decoders of every ISA.
 * Includes nothing of ours but src/base and its own folder.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/advice.h"
#include "arch/chain.h"
#include "arch/decode.h"
#include "arch/kargs.h"

/* The deepest --depth: enclosing frames below which a form runs. */
#define RS_MAX_FRAMES 8

/* A count per iteration that grows with the enclosing frames: base + per_frame * k. */
struct rs_linear {
	int base;
	int per_frame;
};

/*
 * What one iteration of a kernel executes, loop control included. Calls into a target
 * outside the kernel count as one push and one pop; what the target does is not
 * included, and instructions and branches are then only a lower bound.
 */
struct rs_counts {
	struct rs_linear instructions;
	struct rs_linear branches; /* every control transfer: jumps, calls, returns */
	struct rs_linear pushes;   /* calls that the ISA's published rules push */
	struct rs_linear pops;     /* returns */
	struct rs_linear exempt;   /* calls in a form that is not pushed */
};

/* What a kernel leaves in RS_KARG_RESULT, where every kernel of a kind leaves the same.
 */
enum rs_result {
	RS_RESULT_OWN,   /* as the kernel's head comment says */
	RS_RESULT_TICKS, /* the tick counter as last read, in a word: it never goes back
			  */
	RS_RESULT_CALLS, /* how often the body ran: RS_KARG_CALLS */
};

/*
 * A whole-loop assembly kernel: position-independent code between start and end that
 * may be copied to any 64-byte aligned address and entered at the copy of an entry.
 */
struct rs_kernel {
	const unsigned char *start;
	const unsigned char *end;
	/*
	 * entry[k]: runs the body below k enclosing frames. Kernels without frames have
	 * entry[0] only; kernels with frames entry[1] to entry[RS_MAX_FRAMES].
	 */
	const unsigned char *entry[RS_MAX_FRAMES + 1];
	/*
	 * NULL, or a 32-bit word inside the kernel into which whoever places it writes
	 * the signed distance from the word itself to its struct rs_datapage.
	 */
	const unsigned char *data_word;
	/*
	 * NULL, or the address inside the kernel that its body reads and leaves in
	 * RS_KARG_RESULT (moved with the kernel where it is a copy).
	 */
	const unsigned char *pc;
	enum rs_result result;
	bool takes_signals; /* the system puts frames of its own on the stack */
	struct rs_counts counts;
	bool counts_are_exact; /* false: the body calls code outside the kernel */
};

/* What a variant is expected to do to the link stack; the tool measures whether it
 * does. */
enum rs_effect {
	RS_EFFECT_NONE,       /* no call at all, or plain balanced code: a baseline */
	RS_EFFECT_EXEMPT,     /* a call form that is not pushed */
	RS_EFFECT_CORRUPTING, /* a pushed call that no return pops, or the reverse */
	RS_EFFECT_BALANCED,   /* one more call and return that match */
};

/* How a variant reaches the function of its workload. */
enum rs_target {
	RS_TARGET_NONE,    /* the body is all there is */
	RS_TARGET_VDSO,    /* through the function's vDSO symbol */
	RS_TARGET_LIBC,    /* through the C library's function */
	RS_TARGET_SYSCALL, /* the system call instruction, inside the kernel */
	RS_TARGET_PARTNER, /* a function that hands the CPU over and waits its turn */
};

/* What a task uses between two switches, as bits; a switch saves registers in use. */
enum rs_touch {
	RS_TOUCH_FP = 1,      /* a floating-point register */
	RS_TOUCH_ALTIVEC = 2, /* a vector register of PowerPC's first vector unit */
	RS_TOUCH_VECTOR = 4,  /* a vector register */
	RS_TOUCH_VDSO = 8,    /* the code and data of the vDSO */
	RS_TOUCH_ALL = 15,
};

struct rs_variant {
	const char *name; /* "call+4"; NULL ends a list */
	const char *text; /* one sentence */
	enum rs_effect effect;
	enum rs_target target;
	const struct rs_kernel *kernel; /* NULL: cannot run here, and absent says why */
	const char *absent;
	/* NULL, or asks the machine: returns NULL when it can run, else why it cannot.
	 */
	const char *(*missing)(void);
	/* Only where target is RS_TARGET_PARTNER: */
	bool in_process;      /* the partner is a process; else a thread */
	unsigned int touches; /* what both touch at each switch, RS_TOUCH_* */
};

/* The ways to write one family of loop bodies on this ISA. */
struct rs_family {
	const char *name;     /* "getpc", "datapage", "vdso"; NULL ends a list */
	const char *baseline; /* name of the variant that others are compared with */
	const struct rs_variant *variants;
};

/* How each level of a chain comes by its call site. */
enum rs_sites {
	RS_SITES_RANDOM, /* one of two by a bit of RS_KARG_ARG1, which is random */
	RS_SITES_FIXED,  /* the same with bits that are all 0 */
	RS_SITES_ONE,    /* the same for all levels */
	RS_SITES_PAIR,   /* two take turns */
	RS_SITES_LOST,   /* random, below one more call, which is never returned from */
	RS_N_SITES
};

/*
 * n nested calls in each iteration, whose depth `probe` varies. Its kernel has entry[0]
 * alone and takes n, 1 to RS_MAX_CHAIN, in RS_KARG_ARG0 and leaves it in
 * RS_KARG_RESULT; RS_KARG_ARG1 is the address of RS_CHAIN_ROWS rows of bits. Its counts
 * grow by per_frame with each of the n.
 */
struct rs_chain {
	const char *name; /* "random"; NULL ends */
	const char *text; /* one sentence */
	enum rs_sites sites;
	const struct rs_kernel *kernel;
};

struct rs_isa {
	const char *name;              /* "x86-64" */
	const char *vdso_prefix;       /* "__vdso_" */
	const char *vdso_version;      /* "LINUX_2.6" */
	const struct rs_kernel *empty; /* the same loop around nothing */
	const struct rs_family *families;
	const struct rs_chain *chains; /* NULL: this ISA has none yet */
	const char *absent;            /* NULL, or why this ISA has no kernels */
};

/* The ISA that this program was built for. Never NULL. */
const struct rs_isa *rs_isa_host(void);

/* Why a variant cannot run on this machine, by what its row says; NULL: it can. */
const char *rs_variant_obstacle(const struct rs_variant *variant);

/* NULL when isa has no such family. */
const struct rs_family *rs_isa_family(const struct rs_isa *isa, const char *name);

/* What a workload measures, the same on every ISA. */
struct rs_workload {
	const char *name;   /* "vdso.clock_gettime"; NULL ends a list */
	const char *text;   /* one sentence */
	const char *source; /* where the sequence or the question comes from */
	const char *family; /* name of the family that holds its variants */
	/* Only where a variant's target is a system call or the C library's function:
	 */
	long sysno;       /* the system call that it stands for; -1 if none here */
	const char *libc; /* the C library's function; NULL: function */
	bool takes_way;   /* it hands over to a partner in one of several ways */
	/* The rest only where a variant's target is a function of the vDSO: */
	const char *function; /* the name without prefix, "clock_gettime" */
	bool takes_clock;     /* its first argument is a clock id */
	bool takes_bytes;     /* its arguments are those of getrandom */
	uint8_t n_outputs;    /* pointer arguments that it writes, for checks */
};

/* All workloads, in the order in which they are listed and run. */
const struct rs_workload *rs_workloads(void);

/* Whether a function of the vDSO is all that the workload is about. */
bool rs_workload_is_vdso(const struct rs_workload *workload);

/* That which is about a function of the vDSO such as "getcpu"; NULL: none is. */
const struct rs_workload *rs_workload_of_function(const char *function);

/* RS_EFFECT_* as a word: "none", "exempt", "corrupting", "balanced". */
const char *rs_effect_name(enum rs_effect effect);

/*
 * Whether the result of a call that is over, kargs[RS_KARG_RESULT], can be right.
 * before is an earlier result of this kernel, or rs_ticks() before the call, for
 * kernels that read the tick counter. Nothing is known of RS_RESULT_OWN.
 */
bool rs_result_is_right(const struct rs_kernel *kernel, const unsigned long *kargs,
			unsigned long before);

/* base + per_frame * frames. */
int rs_linear_at(const struct rs_linear *linear, unsigned int frames);

#define RS_LINEAR_TEXT 32

/* "3+8k", "k", "2": k is the number of frames. Returns out. */
const char *rs_linear_text(char out[RS_LINEAR_TEXT], const struct rs_linear *linear);

/*
 * Enters a kernel (or a copy of one) at entry with RS_N_KARGS words. Returns what the
 * kernel returned, which is also in kargs[RS_KARG_RESULT].
 */
unsigned long rs_kernel_call(const void *entry, unsigned long *kargs);

#define RS_N_VDSO_ARGS 5 /* getrandom has that many; no other function has more */

/*
 * Calls a function of the vDSO under its own calling convention. Returns its result;
 * an error is a negative errno on every ISA.
 */
long rs_vdso_call(const void *function, const unsigned long args[RS_N_VDSO_ARGS]);

/*
 * The page that a datapage kernel reads, in the manner of the kernel's own: written
 * under a sequence count (odd while it changes), it turns ticks into a time of day.
 * nsec = ((ticks - cycle_last) * mult + shifted_nsec) >> shift, added to sec.
 */
struct rs_datapage {
	uint32_t sequence;
	uint32_t mult;
	uint32_t shift;
	uint32_t pad;
	uint64_t cycle_last;
	uint64_t shifted_nsec;
	uint64_t sec;
};

/* Why what a bit says cannot be touched here; NULL: it can. */
const char *rs_touch_missing(enum rs_touch touch);

/* Writes one register of each kind that touches names and this machine has. */
void rs_touch(unsigned int touches);

/* Reads the user-level tick counter, ordered after what came before it. */
uint64_t rs_ticks(void);

/* The instruction behind rs_ticks, such as "rdtsc"; NULL when there is none. */
const char *rs_ticks_name(void);

/* arch/predictors.ini, which is built in: the link stacks of processors. */
const char *rs_predictors_text(void);

#define RS_HYPERVISOR_ID_BYTES 13

/*
 * The signature with which a hypervisor presents itself to an instruction of its guest,
 * such as "KVMKVMKVM". False, and id "", where the ISA has no such instruction or no
 * hypervisor answers.
 */
bool rs_hypervisor_id(char id[RS_HYPERVISOR_ID_BYTES]);

#endif
