#ifndef SRC_TRIAL_H
#define SRC_TRIAL_H

/*
 * One function of the vDSO tried in a child process: its value between two system
 * calls, then once more where every system call is trapped. It collects what
 * happened; src/oracle.c says what that means.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/random_state.h"

/* How a function's result and outputs are read. */
enum rs_trial_shape {
	RS_TRIAL_PAIR,    /* one output of two words: seconds and a fraction */
	RS_TRIAL_PAIR64,  /* the same of two 64-bit words, on any machine */
	RS_TRIAL_SECONDS, /* one output of one word, which is also the result */
	RS_TRIAL_CPU,     /* two outputs of type unsigned int: CPU and node */
	RS_TRIAL_RANDOM,  /* RS_TRIAL_RANDOM_BYTES: how many, and the last word */
};

#define RS_TRIAL_RANDOM_BYTES (4 * sizeof(long))

struct rs_trial_plan {
	const void *function; /* of the vDSO; NULL: the C library's getrandom */
	long sysno;
	unsigned int n_outputs; /* pointer arguments behind the clock id, 1 or 2 */
	bool takes_clock;
	int clock;
	enum rs_trial_shape shape;
	int digits;      /* of the fraction of a second, for pairs */
	bool is_ordered; /* values may grow between calls; else they must be equal */
	uint32_t audit_arch;
	const void *state; /* of the vDSO's getrandom, once one is taken */
	size_t n_state_bytes;
	unsigned int
	    wall_ms; /* wall-clock time, at least 1, until RS_CHILD_STUCK_SIG */
};

/* One result: code is 0 or a negative errno; the words mean something if it is 0. */
struct rs_trial_value {
	long code;
	int64_t word[2];
};

/* How far the child came. */
enum rs_trial_stage {
	RS_TRIAL_STARTED,
	RS_TRIAL_NOT_PINNED, /* and stopped; errnum */
	RS_TRIAL_NO_STATES,  /* and stopped: it does not say what they are; errnum */
	RS_TRIAL_NOT_MAPPED, /* and stopped: no state could be; errnum */
	RS_TRIAL_PREPARED,
	RS_TRIAL_COMPARED,
	RS_TRIAL_NOT_FILTERED, /* and stopped; errnum */
	RS_TRIAL_FILTERED,
	/* The last two stand, however the child ends after them: */
	RS_TRIAL_TRAPPED, /* the function made a system call; trapped_sysno */
	RS_TRIAL_RETURNED,
};

struct rs_trial {
	volatile enum rs_trial_stage stage;
	int errnum;
	struct rs_random_params random; /* of getrandom, from NO_STATES on */
	long trapped_sysno;
	bool agrees; /* in one of the rounds; else the values are the last round's */
	struct rs_trial_value before;
	struct rs_trial_value function;
	struct rs_trial_value after; /* of random values: the function's second */
	int wait_status;             /* of waitpid */
};

#define RS_TRIAL_CPU_MS                                                                \
	250 /* of its own time, then the child gets RS_CHILD_HANG_SIG                  \
	     */

/*
 * Runs the plan. Returns 0 when out is filled in, or a negative errno when no child
 * could be made or waited for. The caller's process is left as it was.
 */
int rs_trial_run(const struct rs_trial_plan *plan, struct rs_trial *out);

/*
 * Gives a plan of the vDSO's getrandom a state of its own; does nothing to others.
 * *params is what the function says of its states. Returns NO_STATES or NOT_MAPPED with
 * *errnum, else PREPARED. The state is never unmapped: it ends with the process.
 */
enum rs_trial_stage rs_trial_take_state(struct rs_trial_plan *plan,
					struct rs_random_params *params, int *errnum);

/* One call of the function, and of its system call, in this process. */
struct rs_trial_value rs_trial_ask_function(const struct rs_trial_plan *plan);
struct rs_trial_value rs_trial_ask_kernel(const struct rs_trial_plan *plan);

/* The time of a is not after that of b. */
bool rs_trial_is_up_to(const struct rs_trial_value *a, const struct rs_trial_value *b);

#define RS_TRIAL_TEXT 64

/* "12.000000034 s", "CPU 1 of node 0", "EINVAL". Returns out. */
const char *rs_trial_text(char out[RS_TRIAL_TEXT], enum rs_trial_shape shape,
			  int digits, const struct rs_trial_value *value);

#endif
