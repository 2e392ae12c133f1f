#include <stddef.h>

#include "tests/kernels/checked_call.h"

#define N_SAVED  12 /* s0 to s11, and fs0 to fs11 */
#define ROUND_UP 3  /* as frm has it, which starts at 0, to nearest */

/* The first N_SAVED rules are the saved registers. */
enum {
	GP = N_SAVED,
	TP,
	FLOATS,
	ROUNDING,
	N_RULES
};

static const char *const rules[N_RULES] = {
    "s0",
    "s1",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s7",
    "s8",
    "s9",
    "s10",
    "s11",
    [GP] = "gp",
    [TP] = "tp",
    [FLOATS] = "fs0 to fs11",
    [ROUNDING] = "rounding mode",
};

/* What a callee keeps. */
struct bank {
	unsigned long saved[N_SAVED];
	unsigned long gp;
	unsigned long tp;
	unsigned long floats[N_SAVED];
	unsigned long rounding;
};

/* Read and written by arch/riscv/checked_call.S at these offsets. */
struct machine {
	struct bank own;
	struct bank kernel;   /* 216 in and out */
	unsigned long *stack; /* 432 in: sp before the call; out: after it */
	unsigned long result; /* 440 out: a0 */
	unsigned long astray; /* 448 out: whether it came back past its call */
	unsigned long own_ra_sp[2];
};

_Static_assert(sizeof(struct bank) == 216, "checked_call.S knows it");
_Static_assert(offsetof(struct bank, rounding) == 208, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, stack) == 432, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, own_ra_sp) == 456, "checked_call.S knows it");

void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *machine);

/*
 * gp and tp belong to the linker and the C library, whose functions a kernel may call:
 * they keep their values.
 */
static void bank_poison(struct bank *bank)
{
	rs_poison_words((unsigned long *)bank, sizeof(*bank) / sizeof(unsigned long));
	__asm__("mv %0, gp\n\tmv %1, tp" : "=r"(bank->gp), "=r"(bank->tp));
	bank->rounding = ROUND_UP;
}

static unsigned int bank_broken(const struct bank *after, const struct bank *before)
{
	unsigned int broken = 0;
	for (int i = 0; i < N_SAVED; i++) {
		if (after->saved[i] != before->saved[i])
			broken |= 1U << (RS_N_RULE + i);
		if (after->floats[i] != before->floats[i])
			broken |= 1U << (RS_N_RULE + FLOATS);
	}
	if (after->gp != before->gp)
		broken |= 1U << (RS_N_RULE + GP);
	if (after->tp != before->tp)
		broken |= 1U << (RS_N_RULE + TP);
	if (after->rounding != before->rounding)
		broken |= 1U << (RS_N_RULE + ROUNDING);
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
    .stack_bytes = 192, /* a loop of 32 bytes, frames of 16 */
    .enter = enter,
};
