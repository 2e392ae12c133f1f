#include <stddef.h>
#include <stdint.h>

#include "tests/kernels/checked_call.h"

#define N_GPRS       8          /* r6 to r13 */
#define N_FPRS       8          /* f8 to f15 */
#define MASK_BITS    0x0f000000 /* where ipm puts the program mask */
#define N_SAVE_WORDS 19         /* 160 bytes, without the back chain */

/* The first N_GPRS rules are the saved registers. */
enum {
	FPRS = N_GPRS,
	ACCESS,
	PROGRAM_MASK,
	N_RULES
};

static const char *const rules[N_RULES] = {
    "r6",
    "r7",
    "r8",
    "r9",
    "r10",
    "r11",
    "r12",
    "r13",
    [FPRS] = "f8 to f15",
    [ACCESS] = "a0 and a1",
    [PROGRAM_MASK] = "program mask",
};

/* Registers that a callee keeps. */
struct bank {
	unsigned long gprs[N_GPRS];
	unsigned long fprs[N_FPRS];
	uint32_t access[2];
};

/* Read and written by arch/s390x/checked_call.S at these offsets. */
struct machine {
	struct bank own;
	struct bank kernel;    /* 136 in and out */
	unsigned long *stack;  /* 272 in: r15 before the call; out: after it */
	unsigned long result;  /* 280 out: r2 */
	unsigned long astray;  /* 288 out: how often it came back past its call */
	uint32_t program_mask; /* 296 out: as ipm has it */
	unsigned long own_r14_r15[2];
};

_Static_assert(sizeof(struct bank) == 136, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, stack) == 272, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, program_mask) == 296,
	       "checked_call.S knows it");
_Static_assert(offsetof(struct machine, own_r14_r15) == 304, "checked_call.S knows it");

void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *machine);

/* The thread pointer belongs to the system, whatever a caller does: it is kept. */
static void bank_poison(struct bank *bank)
{
	rs_poison_words(bank->gprs, N_GPRS + N_FPRS);
	__asm__("stam %%a0, %%a1, %0" : "=Q"(bank->access));
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
	for (int i = 0; i < 2; i++) {
		if (after->access[i] != before->access[i])
			broken |= 1U << (RS_N_RULE + ACCESS);
	}
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
	if (machine.program_mask & MASK_BITS)
		broken |= 1U << (RS_N_RULE + PROGRAM_MASK);
	return broken;
}

const struct rs_checked_isa rs_checked_isa = {
    .rules = rules,
    .n_rules = N_RULES,
    .stack_bytes = 2048, /* frames of 160 bytes */
    .given_from = 1,
    .n_given = N_SAVE_WORDS,
    .enter = enter,
};
