#ifndef TESTS_KERNELS_CHECKED_CALL_H
#define TESTS_KERNELS_CHECKED_CALL_H

/*
 * Calls a kernel as a hostile caller that is within its rights: every register that
 * the kernel may use holds rubbish, every register that it must keep holds a known
 * value, the stack around its frame is poisoned, rounding modes are unusual. Then
 * looks at what the kernel left behind. Not for use by two threads at once.
 */

#include <stddef.h>

#include "arch/arch.h"

/* What a kernel must not do on any ISA; the registers of the ISA follow. */
enum rs_rule {
	RS_RULE_STACK_POINTER,  /* leave or take something on the stack */
	RS_RULE_RETURN_ADDRESS, /* return elsewhere, or overwrite where to */
	RS_RULE_STACK_ABOVE,    /* write above its frame */
	RS_RULE_STACK_BELOW,    /* write further down than it may */
	RS_RULE_KARGS,          /* write around its arguments, or to its inputs */
	RS_RULE_RESULT,         /* return something else than RS_KARG_RESULT */
	RS_N_RULE               /* the ISA's own rules start here */
};

/* How much stack a kernel may use that calls nothing outside itself, and one that does:
 * the vDSO and the C library. */
#define RS_STACK_KERNEL rs_checked_isa.stack_bytes
#define RS_STACK_TARGET ((size_t)32768)

/* What the checked call knows of the ISA; see checked_ISA.c. */
struct rs_checked_isa {
	const char *const *rules; /* "rbx", ...: rule RS_N_RULE and those after it */
	unsigned int n_rules;     /* of the ISA; all fit in an unsigned int */
	size_t stack_bytes;       /* enough for a kernel below RS_MAX_FRAMES frames */
	/* Words of the caller's frame that a callee may write to, such as the one for
	 * its return address: the first, as index from the stack pointer. */
	unsigned int given_from;
	unsigned int n_given;
	/*
	 * Calls entry(kargs) with the stack pointer at top and poisoned registers. Sets
	 * *result to what the kernel returned and returns the broken rules about the
	 * stack pointer, the return address and the ISA's registers.
	 */
	unsigned int (*enter)(const void *entry, unsigned long *kargs,
			      unsigned long *top, unsigned long *result);
};

extern const struct rs_checked_isa rs_checked_isa;

/* The value that word number index of anything poisoned holds. */
unsigned long rs_poison(size_t index);

/* Fills n words. */
void rs_poison_words(unsigned long *words, size_t n);

/*
 * Enters a kernel (or a copy) at entry. It may use max_stack_bytes, at most
 * RS_STACK_TARGET, below its return address. The result goes to
 * kargs[RS_KARG_RESULT]. Returns the broken rules, bit 1 << RS_RULE_* or, for those of
 * the ISA, 1 << (RS_N_RULE + index); 0: none.
 */
unsigned int rs_checked_call(const void *entry, unsigned long *kargs,
			     size_t max_stack_bytes);

/* The names of the broken rules, separated by ", ". */
const char *rs_rules_text(unsigned int broken, char *text, size_t size);

#endif
