#ifndef ARCH_ADVICE_H
#define ARCH_ADVICE_H

/*
 * What to write instead of code that unbalances the link stack, by ISA. Part of the
 * door arch/arch.h.
 */

#include <stdbool.h>

#include "arch/decode.h"

struct rs_advice {
	const char *isa;     /* a decoder's name; NULL ends the table */
	bool is_published;   /* what is pushed and popped is known, not only the ABI's
			      * convention */
	const char *read_pc; /* instead of a call to read the program counter */
	const char *jump;    /* instead of a return to somewhere else */
	const char *ret;     /* instead of a jump to the return address */
	const char *call;    /* instead of a call that pops first */
};

/* Never NULL. */
const struct rs_advice *rs_advice_of(const struct rs_decoder *decoder);

#endif
