#include <stddef.h>
#include <stdint.h>

#include "tests/kernels/checked_call.h"

#define N_GPRS        11                  /* x19 to x29 */
#define N_FPRS        8                   /* d8 to d15: the lower halves of v8 to v15 */
#define ROUND_TO_ZERO (UINT64_C(3) << 22) /* FPCR.RMode */

/* The first N_GPRS rules are the saved registers. */
enum {
	FPRS = N_GPRS,
	FPCR,
	THREAD_POINTER,
	N_RULES
};

static const char *const rules[N_RULES] = {
    "x19",           "x20",
    "x21",           "x22",
    "x23",           "x24",
    "x25",           "x26",
    "x27",           "x28",
    "x29",           [FPRS] = "d8 to d15",
    [FPCR] = "fpcr", [THREAD_POINTER] = "tpidr_el0",
};

/* Registers that a callee keeps (AAPCS64, "Machine Registers"). */
struct bank {
	unsigned long gprs[N_GPRS];
	unsigned long fprs[N_FPRS];
	unsigned long fpcr;
	unsigned long thread_pointer;
};

/* Read and written by arch/aarch64/checked_call.S at these offsets. */
struct machine {
	struct bank own;
	struct bank kernel;   /* 168 in and out */
	unsigned long *stack; /* 336 in: sp before the call; out: after it */
	unsigned long result; /* 344 out: x0 */
	unsigned long astray; /* 352 out: 1 if it came back past its call */
	unsigned long own_sp_x30[2];
};

_Static_assert(sizeof(struct bank) == 168, "checked_call.S knows it");
_Static_assert(offsetof(struct bank, fprs) == 88, "checked_call.S knows it");
_Static_assert(offsetof(struct bank, fpcr) == 152, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, stack) == 336, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, own_sp_x30) == 360, "checked_call.S knows it");

void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *machine);

/* The thread pointer belongs to the system, whatever a caller does: it is kept. */
static void bank_poison(struct bank *bank)
{
	rs_poison_words(bank->gprs, N_GPRS + N_FPRS);
	bank->fpcr = ROUND_TO_ZERO;
	__asm__("mrs %0, tpidr_el0" : "=r"(bank->thread_pointer));
}

static unsigned int bank_broken(const struct bank *after, const struct bank *before)
{
	unsigned int broken = 0;
	for (int i = 0; i < N_GPRS; i++) {
		if (after->gprs[i] != before->gprs[i])
			broken |= 1U << (RS_N_RULE + i);
	}
	for (int i = 0; i < N_FPRS; i++) {
		if (after->fprs[i] != before->fprs[i])
			broken |= 1U << (RS_N_RULE + FPRS);
	}
	if (after->fpcr != before->fpcr)
		broken |= 1U << (RS_N_RULE + FPCR);
	if (after->thread_pointer != before->thread_pointer)
		broken |= 1U << (RS_N_RULE + THREAD_POINTER);
	return broken;
}

static unsigned int enter(const void *entry, unsigned long *kargs, unsigned long *top,
			  unsigned long *result)
{
	struct machine machine = {.stack = top};
	struct bank before;
	bank_poison(&before);
	machine.kernel = before;
	rs_checked_enter(entry, kargs, &machine);
	*result = machine.result;
	unsigned int broken = bank_broken(&machine.kernel, &before);
	if (machine.stack != top)
		broken |= 1U << RS_RULE_STACK_POINTER;
	if (machine.astray)
		broken |= 1U << RS_RULE_RETURN_ADDRESS;
	return broken;
}

const struct rs_checked_isa rs_checked_isa = {
    .rules = rules,
    .n_rules = N_RULES,
    .stack_bytes = 256, /* 32 of the loop and frames of 16 */
    .enter = enter,
};
