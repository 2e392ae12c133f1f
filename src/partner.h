#ifndef SRC_PARTNER_H
#define SRC_PARTNER_H

/*
 * A thread or process that takes turns with its caller: each hands over to the other
 * and waits until it is handed over to. What is used again and again is in memory that
 * both see.
 */

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"

/* How one hands over to the other. */
enum rs_way {
	RS_WAY_YIELD, /* sched_yield(); both are ready to run, so only on one CPU */
	RS_WAY_PIPE,  /* one byte through a pipe */
	RS_WAY_FUTEX, /* a word that says whose turn it is */
};

struct rs_partner_plan {
	enum rs_way way;
	bool in_process;      /* else it is a thread */
	unsigned int touches; /* by both, every turn; RS_TOUCH_* of arch/arch.h */
	unsigned int cpu;     /* where the partner is to run */
};

struct rs_side;
struct rs_partner;

/*
 * A partner that does not run yet: until it is started, the caller hands over to
 * itself and never waits. Returns 0 or a negative errno. Free with rs_partner_close,
 * which ends the partner that this process has started, and accepts NULL.
 */
int rs_partner_open(struct rs_partner **out, const struct rs_partner_plan *plan,
		    struct rs_err *err);
void rs_partner_close(struct rs_partner *partner);

/*
 * Starts it, bound to its CPU, and leaves the caller bound to the one that it runs on.
 * on_end becomes the handler of SIGCHLD for a partner in a process: who waits for one
 * that has ended waits forever. Returns 0 or a negative errno.
 */
int rs_partner_start(struct rs_partner *partner, void (*on_end)(int),
		     struct rs_err *err);

/*
 * A partner that yields is always ready to run, and would disturb whatever else runs
 * there. So it sleeps but between these two; the others wait for their turn anyway.
 */
void rs_partner_wake(struct rs_partner *partner);
void rs_partner_rest(struct rs_partner *partner);

/* The caller's own side, for rs_partner_turn. */
struct rs_side *rs_partner_side(struct rs_partner *partner);

/*
 * Hands over and waits for the next turn: two switches where both share a CPU. Touches
 * once after each system call that may switch. Returns 0 or a negative errno.
 */
long rs_partner_turn(struct rs_side *side);

#endif
