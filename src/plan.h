#ifndef SRC_PLAN_H
#define SRC_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/model.h"
#include "src/oracle.h"
#include "src/partner.h"
#include "src/placement.h"
#include "src/random_state.h"
#include "src/vdso.h"

/* What to measure. Pointers are borrowed and outlive the plan. */
struct rs_selection {
	/*
	 * WORKLOAD[:OPERAND][/VARIANT], each part a name or a glob; none means every
	 * workload. A baseline is measured even where no pattern names it.
	 */
	const char *const *patterns;
	size_t n_patterns;
	unsigned int depths; /* bit k: below k enclosing frames */
	unsigned int n_placements;
	const char *baseline;   /* NULL: each workload's own */
	unsigned int n_threads; /* that do the same at the same time; 0: 1 */
	/* Of work+clock: */
	uint64_t block_bytes;     /* a multiple of RS_LINE_BYTES; 0: RS_BLOCK_BYTES */
	unsigned int clock_reads; /* after each block; 0: RS_CLOCK_READS */
	/* Where a partner runs: */
	unsigned int cpu;
	unsigned int other_cpu; /* RS_CPU_ANY: there is none but cpu */
};

#define RS_MAX_THREADS 1024

#define RS_LINE_BYTES 64

/*
 * What sysbench's memory test does with its default of --memory-block-size: 1 KiB,
 * around which it reads the clock 3 to 4 times.
 */
#define RS_BLOCK_BYTES 1024
#define RS_CLOCK_READS 4

/* One row of the plan: a workload's variant below so many frames. */
struct rs_cell {
	char workload[64]; /* with ":CLOCK" where one was asked for */
	char variant[64];
	const struct rs_workload *of;
	const struct rs_variant *form;    /* NULL for the empty loop */
	const struct rs_kernel *kernel;   /* NULL where it cannot run */
	const struct rs_operand *operand; /* NULL where the workload takes none */
	enum rs_row_role role;
	bool is_baseline;
	unsigned int depth;
	enum rs_row_state state;
	char reason[512]; /* why state is not ok */
	char note[256];   /* "" or what the reader must know */
	unsigned long kargs[RS_N_KARGS];
	struct rs_partner *partner; /* that it hands over to; else NULL */
	struct rs_placement
	    *placements;  /* n_placements of them; NULL if it cannot run */
	size_t baseline;  /* index of the cell it is compared with; RS_NO_CELL: none */
	size_t empty;     /* index of the empty loop of its set */
	unsigned int set; /* cells of one set are interleaved, in one child */
};

#define RS_NO_CELL SIZE_MAX

struct rs_plan {
	struct rs_cell *cells;
	size_t n_cells;
	unsigned int n_sets;
	unsigned int n_placements;
	struct rs_vdso vdso;
	bool has_vdso;
	void *outputs; /* where the called functions write */
	void *block;   /* what work kernels read, block_bytes of it */
	uint64_t block_bytes;
	unsigned int clock_reads;
	unsigned int n_threads;
	struct rs_random_states random; /* of the vDSO's getrandom, one a thread */
};

/*
 * Chooses the rows, asks the oracle about vDSO functions, copies the kernels to their
 * placements. A pattern or baseline that fits nothing is -EINVAL with a sentence that
 * names what there is. Rows that cannot run here are in the plan, with the reason.
 */
int rs_plan_make(struct rs_plan *out, const struct rs_isa *isa,
		 const struct rs_selection *selection, struct rs_err *err);

/* Accepts an empty plan and leaves it empty. */
void rs_plan_free(struct rs_plan *plan);

/* Whether the cell is still to be measured. */
bool rs_cell_runs(const struct rs_cell *cell);

#endif
