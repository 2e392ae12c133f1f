#ifndef SRC_OPERAND_H
#define SRC_OPERAND_H

/* What stands behind the colon of a selector: what the function is called with. */

#include "arch/arch.h"

struct rs_operand {
	const char *name; /* "monotonic_raw", "32"; NULL ends a list */
	int id;           /* the clock id, how many bytes, or the way to hand over */
};

/* Added to an enum rs_way of src/partner.h: the partner is on another CPU. */
#define RS_WAY_APART 0x100

/* Those that a workload takes, in the order in which they are listed; may be empty. */
const struct rs_operand *rs_operands(const struct rs_workload *workload);

/* What it is called with where a selector names none; NULL: it takes none. */
const struct rs_operand *rs_operand_default(const struct rs_workload *workload);

/* By name or number; NULL: it takes none of that name. */
const struct rs_operand *rs_operand_find(const struct rs_workload *workload,
					 const char *text);

#define RS_MAX_OPERAND_BYTES 4096

#endif
