#ifndef SRC_VERIFY_PARTS_H
#define SRC_VERIFY_PARTS_H

/* What the files of verify share. */

#include <stdbool.h>
#include <stddef.h>

#include "src/model.h"
#include "src/trial.h"

#define RS_VERIFY_WHY 320

/* One check being made; lies in memory that the child shares with its parent. */
struct rs_verifying {
	const struct rs_trial_plan *plan;
	size_t index;     /* of the case, for checks of several cases */
	size_t n;         /* what was looked at: rounds, CPUs or cases */
	long kernel_code; /* of the case: 0 or a negative errno */
	/* As in struct rs_verify_check. */
	void (*describe)(const struct rs_verifying *verifying, char *out, size_t size);
	enum rs_check_state state;
	char why[RS_VERIFY_WHY]; /* unless good */
};

/* One kind of check. */
struct rs_verify_check {
	const char *name; /* "order"; NULL ends a list */
	const char *unit; /* what n counts: "rounds" */
	bool (*applies)(const struct rs_trial_plan *plan);
	void (*body)(void *verifying); /* in the child */
	/* Cases of a plan, each in a child of its own; NULL: one child. */
	size_t (*count)(const struct rs_trial_plan *plan);
	/* Whether the signal that ended a case is what it may do; NULL: none is. */
	bool (*allows)(const struct rs_verifying *verifying, int sig);
	/* What a case does, as the beginning of a sentence; NULL: nothing to say. */
	void (*describe)(const struct rs_verifying *verifying, char *out, size_t size);
};

const struct rs_verify_check *rs_verify_value_checks(void);
const struct rs_verify_check *rs_verify_abi_checks(void);
const struct rs_verify_check *rs_verify_random_checks(void);

/* Records the sentence and the state. */
void rs_verify_say(struct rs_verifying *verifying, enum rs_check_state state,
		   const char *fmt, ...) __attribute__((format(printf, 3, 4)));

struct rs_checks;

/* Those of checks that apply to one function and clock id, whose name begins each line.
 */
int rs_verify_some(struct rs_checks *out, const char *name,
		   const struct rs_trial_plan *plan,
		   const struct rs_verify_check *checks);

/* Every check of it. */
int rs_verify_function(struct rs_checks *out, const char *name,
		       const struct rs_trial_plan *plan);

#endif
