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

/* What a kernel must not do. */
enum rs_rule {
	RS_RULE_RBX, /* change a register that belongs to the caller */
	RS_RULE_RBP,
	RS_RULE_R12,
	RS_RULE_R13,
	RS_RULE_R14,
	RS_RULE_R15,
	RS_RULE_STACK_POINTER,  /* leave or take something on the stack */
	RS_RULE_RETURN_ADDRESS, /* return elsewhere, or overwrite where to */
	RS_RULE_DIRECTION_FLAG, /* leave it set */
	RS_RULE_MXCSR,          /* change its control bits */
	RS_RULE_X87,            /* change the control word */
	RS_RULE_STACK_ABOVE,    /* write above its return address */
	RS_RULE_STACK_BELOW,    /* write further down than it may */
	RS_RULE_KARGS,          /* write around its arguments, or to its inputs */
	RS_RULE_RESULT,         /* return something else than RS_KARG_RESULT */
	RS_N_RULE
};

/* "rbx", "stack pointer", ... */
const char *rs_rule_name(enum rs_rule rule);

/* How much stack a kernel may use that calls nothing outside itself, and one that does:
 * the vDSO and the C library. */
#define RS_STACK_KERNEL ((size_t)512)
#define RS_STACK_TARGET ((size_t)32768)

/*
 * Enters a kernel (or a copy) at entry. It may use max_stack_bytes, at most
 * RS_STACK_TARGET, below its return address. The result goes to
 * kargs[RS_KARG_RESULT]. Returns the broken rules, bit 1 << RS_RULE_*; 0: none.
 */
unsigned int rs_checked_call(const void *entry, unsigned long *kargs,
			     size_t max_stack_bytes);

/* The names of the broken rules, separated by ", ". */
const char *rs_rules_text(unsigned int broken, char *text, size_t size);

#endif
