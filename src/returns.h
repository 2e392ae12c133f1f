#ifndef SRC_RETURNS_H
#define SRC_RETURNS_H

/*
 * Where return addresses are at one place of a function, and how far its link stack is
 * from where it was at the entry: the state of an abstract interpretation. What paths
 * disagree about is unknown.
 */

#include <stdbool.h>
#include <stdint.h>

#include "src/graph.h"

enum rs_value {
	RS_VALUE_UNKNOWN,
	RS_VALUE_ENTRY,  /* what it was when the function was entered */
	RS_VALUE_CALLER, /* the address to which the function returns */
	RS_VALUE_CALLED, /* the same, where only its own call would have left it: to go
			  * back through that is as good a return as any */
	RS_VALUE_PC,     /* an address that a call within the function left */
	RS_VALUE_COMPUTED,
	RS_VALUE_SAVED, /* loaded from the function's own frame */
	RS_VALUE_FAR,   /* loaded from other memory */
};

#define RS_N_PLACES (RS_REG_TAR + 1)

struct rs_returns {
	bool is_reached;
	bool has_depth;
	int16_t depth;    /* pushes less pops since the entry */
	bool is_split;    /* paths with different depths meet here */
	bool has_height;  /* x86 */
	int32_t height;   /* of the stack pointer over the entry's: <= 0 as a rule */
	bool has_frame;   /* x86 */
	int32_t frame;    /* the same of the register that points to the frame */
	bool is_pushed;   /* x86: the top of the stack was written last */
	bool is_local;    /* in what a call within the piece has called */
	bool is_kept;     /* the caller's address may have been put elsewhere */
	bool is_switched; /* the stack was exchanged for another */
	uint8_t values[RS_N_PLACES]; /* by RS_REG: enum rs_value */
};

/*
 * The state at the first instruction of a line that is reached so (RS_LINE_*), by a
 * call that left its address in the register called (NONE: in the usual one).
 */
void rs_returns_begin(struct rs_returns *out, const struct rs_decoder *decoder,
		      unsigned int line, uint8_t called);

/* From before a step to behind it, or to the target of a read of the PC. */
void rs_returns_take(struct rs_returns *returns, const struct rs_decoder *decoder,
		     const struct rs_step *step);

/* Lets another path come to the same place. Returns whether into changed. */
bool rs_returns_join(struct rs_returns *into, const struct rs_returns *other);

#endif
