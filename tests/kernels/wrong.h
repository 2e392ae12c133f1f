#ifndef TESTS_KERNELS_WRONG_H
#define TESTS_KERNELS_WRONG_H

/* Kernels that are wrong on purpose, to show that the checked call notices. */

#include <stdbool.h>
#include <stddef.h>

struct rs_wrong {
	const char *name; /* NULL ends the list */
	const unsigned char *kernel;
	const char *broken; /* the rules that it breaks, as rs_rules_text prints them */
	bool (*can_run)(void); /* NULL: on every processor of the ISA */
};

/* Those of the host's ISA, and some that break nothing; see wrong_ISA.S. */
extern const struct rs_wrong rs_wrong[];

/* Lists a kernel of wrong_ISA.S: declared by RS_WRONG, a row by RS_WRONG_ROW. */
#define RS_WRONG(name)              extern const unsigned char rs_k_wrong_##name[]
#define RS_WRONG_ROW(kernel, rules) RS_WRONG_WHERE(kernel, rules, NULL)
#define RS_WRONG_WHERE(kernel, rules, can_run)                                         \
	{                                                                              \
#kernel, rs_k_wrong_##kernel, rules, can_run                           \
	}

/* On every ISA. */
RS_WRONG(nothing);
RS_WRONG(nothing_with_stack);
RS_WRONG(leaves_on_stack);
RS_WRONG(returns_past);
RS_WRONG(stack_above);
RS_WRONG(stack_below);
RS_WRONG(input);
RS_WRONG(before_kargs);
RS_WRONG(after_kargs);
RS_WRONG(result);

#define RS_WRONG_EVERYWHERE                                                            \
	RS_WRONG_ROW(nothing, ""), RS_WRONG_ROW(nothing_with_stack, ""),               \
	    RS_WRONG_ROW(leaves_on_stack, "stack pointer"),                            \
	    RS_WRONG_ROW(returns_past, "return address"),                              \
	    RS_WRONG_ROW(stack_above, "stack above the frame"),                        \
	    RS_WRONG_ROW(stack_below, "stack below the frame"),                        \
	    RS_WRONG_ROW(input, "argument words"),                                     \
	    RS_WRONG_ROW(before_kargs, "argument words"),                              \
	    RS_WRONG_ROW(after_kargs, "argument words"),                               \
	    RS_WRONG_ROW(result, "result")

#endif
