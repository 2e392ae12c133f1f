#ifndef SRC_RUN_H
#define SRC_RUN_H

/* The main job: from what was asked to results that report/ can print. */

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/model.h"
#include "src/plan.h"

struct rs_run_request {
	struct rs_selection selection;
	const char *selection_text; /* for the record */
	const char *events;         /* NULL: the default list */
	const char *data_dir;       /* NULL: the tables that are built in */
	const char *replay;         /* NULL: the real counters */
	const char *preset;         /* of the model; NULL: by the CPU */
	const char *command_line;   /* for the record */
	unsigned int cpu;           /* or RS_CPU_ANY of src/affinity.h */
	uint64_t calls;             /* 0: calibrate */
	unsigned int repetitions;
	uint64_t seed;
	double max_time_s; /* 0: no limit */
	bool strict;       /* an event that cannot be counted is an error */
	void (*show)(void *user, unsigned int done, unsigned int all); /* or NULL */
	void *user;
};

/* A finished run; results points into it. */
struct rs_run;

/*
 * -EINVAL for bad input, -ENOTSUP for what cannot be measured here although it was
 * insisted upon, other negative errnos for what failed; the sentence is in err. A run
 * that was stopped early returns 0 and results->is_partial.
 */
int rs_run_do(const struct rs_run_request *request, struct rs_run **out,
	      struct rs_err *err);
void rs_run_free(struct rs_run *run);
const struct rs_results *rs_run_results(const struct rs_run *run);

/* No row can run here: each is absent, with its reason. */
bool rs_run_is_all_absent(const struct rs_run *run);

/* A row could not be measured although it should have been: crashed, broken, error. */
bool rs_run_has_failed_rows(const struct rs_run *run);

#endif
