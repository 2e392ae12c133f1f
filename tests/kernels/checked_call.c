#include "tests/kernels/checked_call.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "src/base/text.h"

#define N_SAVED         6 /* rbx, rbp, r12 to r15: in the order of the rules */
#define POISON          0xa5a5b6b6c7c7d800UL
#define MXCSR_CONTROL   0xffc0U /* the rest are sticky exception flags */
#define MXCSR_UNUSUAL   0x3f80U /* all exceptions masked, rounds down */
#define X87_UNUSUAL     0x067fU /* all exceptions masked, double, rounds down */
#define DIRECTION_FLAG  0x400UL
#define N_STACK_WORDS   8192 /* 64 KiB */
#define N_ABOVE_WORDS   512
#define N_GUARD_WORDS   8
#define N_GUARDED_WORDS (N_GUARD_WORDS + RS_N_KARGS + N_GUARD_WORDS)

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

static unsigned long stack[N_STACK_WORDS] __attribute__((aligned(64)));

const char *rs_rule_name(enum rs_rule rule)
{
	static const char *const names[RS_N_RULE] = {
	    [RS_RULE_RBX] = "rbx",
	    [RS_RULE_RBP] = "rbp",
	    [RS_RULE_R12] = "r12",
	    [RS_RULE_R13] = "r13",
	    [RS_RULE_R14] = "r14",
	    [RS_RULE_R15] = "r15",
	    [RS_RULE_STACK_POINTER] = "stack pointer",
	    [RS_RULE_RETURN_ADDRESS] = "return address",
	    [RS_RULE_DIRECTION_FLAG] = "direction flag",
	    [RS_RULE_MXCSR] = "mxcsr",
	    [RS_RULE_X87] = "x87 control word",
	    [RS_RULE_STACK_ABOVE] = "stack above the frame",
	    [RS_RULE_STACK_BELOW] = "stack below the frame",
	    [RS_RULE_KARGS] = "argument words",
	    [RS_RULE_RESULT] = "result",
	};
	return names[rule];
}

const char *rs_rules_text(unsigned int broken, char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned int rule = 0; rule < RS_N_RULE; rule++) {
		if (broken & 1U << rule)
			rs_text_append(text, size, "%s%s", text[0] ? ", " : "",
				       rs_rule_name(rule));
	}
	return text;
}

static unsigned long poison(size_t index)
{
	return POISON ^ index * 0x0101010101010101UL;
}

static void poison_words(unsigned long *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		words[i] = poison(i);
}

static bool is_poisoned(const unsigned long *words, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (words[i] != poison(i))
			return false;
	}
	return true;
}

static unsigned int registers_broken(const struct machine *machine,
				     const unsigned long *top)
{
	unsigned int broken = 0;
	for (unsigned int i = 0; i < N_SAVED; i++) {
		if (machine->saved[i] != poison(i))
			broken |= 1U << (RS_RULE_RBX + i);
	}
	if (machine->stack != top)
		broken |= 1U << RS_RULE_STACK_POINTER;
	if (machine->astray || top[-1] != machine->return_address)
		broken |= 1U << RS_RULE_RETURN_ADDRESS;
	if (machine->flags & DIRECTION_FLAG)
		broken |= 1U << RS_RULE_DIRECTION_FLAG;
	if ((machine->mxcsr & MXCSR_CONTROL) != (MXCSR_UNUSUAL & MXCSR_CONTROL))
		broken |= 1U << RS_RULE_MXCSR;
	if (machine->x87 != X87_UNUSUAL)
		broken |= 1U << RS_RULE_X87;
	return broken;
}

static unsigned int stack_broken(size_t top, size_t max_stack_bytes)
{
	const size_t max_words = max_stack_bytes / sizeof(stack[0]) + 1;
	unsigned int broken = 0;
	if (!is_poisoned(stack, top, N_STACK_WORDS))
		broken |= 1U << RS_RULE_STACK_ABOVE;
	if (!is_poisoned(stack, 0, top - max_words))
		broken |= 1U << RS_RULE_STACK_BELOW;
	return broken;
}

static unsigned int kargs_broken(const unsigned long *guarded,
				 const unsigned long *kargs)
{
	const unsigned long *const after = guarded + N_GUARD_WORDS;
	const size_t n_before = RS_KARG_RESULT;
	const size_t n_after = RS_N_KARGS - RS_KARG_RESULT - 1;
	const bool is_kept =
	    is_poisoned(guarded, 0, N_GUARD_WORDS) &&
	    is_poisoned(guarded, N_GUARD_WORDS + RS_N_KARGS, N_GUARDED_WORDS) &&
	    memcmp(after, kargs, n_before * sizeof(*kargs)) == 0 &&
	    memcmp(after + RS_KARG_RESULT + 1, kargs + RS_KARG_RESULT + 1,
		   n_after * sizeof(*kargs)) == 0;
	return is_kept ? 0 : 1U << RS_RULE_KARGS;
}

unsigned int rs_checked_call(const void *entry, unsigned long *kargs,
			     size_t max_stack_bytes)
{
	assert(max_stack_bytes <= RS_STACK_TARGET);
	const size_t top = N_STACK_WORDS - N_ABOVE_WORDS;
	unsigned long guarded[N_GUARDED_WORDS];
	struct machine machine = {
	    .stack = stack + top,
	    .mxcsr = MXCSR_UNUSUAL,
	    .x87 = X87_UNUSUAL,
	};
	poison_words(machine.saved, N_SAVED);
	poison_words(stack, N_STACK_WORDS);
	poison_words(guarded, N_GUARDED_WORDS);
	memcpy(guarded + N_GUARD_WORDS, kargs, RS_N_KARGS * sizeof(*kargs));

	rs_checked_enter(entry, guarded + N_GUARD_WORDS, &machine);

	unsigned int broken = registers_broken(&machine, stack + top) |
			      stack_broken(top, max_stack_bytes) |
			      kargs_broken(guarded, kargs);
	kargs[RS_KARG_RESULT] = guarded[N_GUARD_WORDS + RS_KARG_RESULT];
	if (machine.result != kargs[RS_KARG_RESULT])
		broken |= 1U << RS_RULE_RESULT;
	return broken;
}
