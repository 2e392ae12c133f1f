#ifndef SRC_CELL_H
#define SRC_CELL_H

/* Private to plan.c and cell.c: what one row of a plan calls, and with what. */

#include "src/plan.h"

#define RS_OUTPUT_BYTES  128 /* between the outputs, so that no two share a line */
#define RS_OUTPUTS_BYTES RS_MAX_OPERAND_BYTES /* of all; getrandom writes as many */

/* One workload with one operand, and what the oracle says of its function. */
struct rs_subject {
	const struct rs_workload *workload;
	const struct rs_operand *operand;
	const struct rs_family *family;
	const struct rs_variant *baseline;
	struct rs_verdict verdict;
	struct rs_verdict of_libc; /* on the C library's function; only of getrandom */
	const void *state;         /* for the vDSO's getrandom; else NULL */
	size_t n_state_bytes;
	const void *in_vdso;
	char name[64];
};

void rs_cell_set_state(struct rs_cell *cell, enum rs_row_state state,
		       const char *reason);

/* Takes the form's kernel, or says why it cannot run here in n_threads at once. */
void rs_cell_find_kernel(struct rs_cell *cell, unsigned int n_threads);

/* The function or system call of the subject, as the cell's form reaches it. */
void rs_cell_find_target(struct rs_cell *cell, const struct rs_subject *subject);

/*
 * The clock id where a function takes it, then as many pointers into the plan's outputs
 * as the function writes; of getrandom one, its size and no flags. The plan's block.
 */
void rs_cell_set_arguments(struct rs_cell *cell, const struct rs_plan *plan);

/*
 * Makes the partner of a cell that hands over to one; it does not run yet. Returns 0 or
 * a negative errno.
 */
int rs_cell_find_partner(struct rs_cell *cell, const struct rs_selection *selection,
			 struct rs_err *err);

/* The workload reads the plan's block. */
bool rs_cell_reads_block(const struct rs_cell *cell);

#endif
