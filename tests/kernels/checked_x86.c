#include <stddef.h>
#include <stdint.h>

#include "tests/kernels/checked_call.h"

#define N_SAVED        6       /* rbx, rbp, r12 to r15: in the order of the rules */
#define MXCSR_CONTROL  0xffc0U /* the rest are sticky exception flags */
#define MXCSR_UNUSUAL  0x3f80U /* all exceptions masked, rounds down */
#define X87_UNUSUAL    0x067fU /* all exceptions masked, double, rounds down */
#define FLAG_DIRECTION 0x400UL

/* The first N_SAVED rules are the saved registers. */
enum {
	DIRECTION_FLAG = N_SAVED,
	MXCSR,
	X87,
	N_RULES
};

static const char *const rules[N_RULES] = {
    "rbx",
    "rbp",
    "r12",
    "r13",
    "r14",
    "r15",
    [DIRECTION_FLAG] = "direction flag",
    [MXCSR] = "mxcsr",
    [X87] = "x87 control word",
};

/* Read and written by arch/x86/checked_call.S at these offsets. */
struct machine {
	unsigned long *stack;         /* 0 in: %rsp before the call; out: after it */
	unsigned long saved[N_SAVED]; /* 8 in and out */
	unsigned long result;         /* 56 out: %rax */
	unsigned long flags;          /* 64 out */
	unsigned long return_address; /* 72 out: what the call pushed */
	unsigned long astray; /* 80 out: how often it came back past that address */
	uint32_t mxcsr;       /* 88 in and out */
	uint32_t x87;         /* 92 in and out */
};

_Static_assert(offsetof(struct machine, result) == 56, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, astray) == 80, "checked_call.S knows it");
_Static_assert(offsetof(struct machine, x87) == 92, "checked_call.S knows it");

void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *machine);

static unsigned int registers_broken(const struct machine *machine,
				     const unsigned long *top)
{
	unsigned int broken = 0;
	for (unsigned int i = 0; i < N_SAVED; i++) {
		if (machine->saved[i] != rs_poison(i))
			broken |= 1U << (RS_N_RULE + i);
	}
	if (machine->stack != top)
		broken |= 1U << RS_RULE_STACK_POINTER;
	if (machine->astray || top[-1] != machine->return_address)
		broken |= 1U << RS_RULE_RETURN_ADDRESS;
	if (machine->flags & FLAG_DIRECTION)
		broken |= 1U << (RS_N_RULE + DIRECTION_FLAG);
	if ((machine->mxcsr & MXCSR_CONTROL) != (MXCSR_UNUSUAL & MXCSR_CONTROL))
		broken |= 1U << (RS_N_RULE + MXCSR);
	if (machine->x87 != X87_UNUSUAL)
		broken |= 1U << (RS_N_RULE + X87);
	return broken;
}

static unsigned int enter(const void *entry, unsigned long *kargs, unsigned long *top,
			  unsigned long *result)
{
	struct machine machine = {
	    .stack = top,
	    .mxcsr = MXCSR_UNUSUAL,
	    .x87 = X87_UNUSUAL,
	};
	rs_poison_words(machine.saved, N_SAVED);
	rs_checked_enter(entry, kargs, &machine);
	*result = machine.result;
	return registers_broken(&machine, top);
}

const struct rs_checked_isa rs_checked_isa = {
    .rules = rules,
    .n_rules = N_RULES,
    .stack_bytes = 512,
    .enter = enter,
};
