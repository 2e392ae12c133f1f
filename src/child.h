#ifndef SRC_CHILD_H
#define SRC_CHILD_H

/* Code that may crash or hang, in a child process with limits. */

#include <signal.h>
#include <stddef.h>

#define RS_CHILD_HANG_SIG  SIGVTALRM /* ends a child whose CPU time is over */
#define RS_CHILD_STUCK_SIG SIGALRM   /* ends a child whose wall-clock time is over */

/* Milliseconds, at least 1. */
struct rs_child_limits {
	unsigned int cpu_ms; /* in user space */
	unsigned int wall_ms;
};

/* Zeroed memory that a child shares with its parent; NULL without memory. */
void *rs_child_share(size_t n_bytes);
void rs_child_unshare(void *shared, size_t n_bytes);

/*
 * Runs body(shared) in a child, which has the default action for every signal, dumps
 * no core, and ends when body returns. body may call only what is async-signal-safe:
 * the parent may have threads. Returns 0 with waitpid's status, or a negative errno
 * when no child could be made or waited for.
 */
int rs_child_run(void (*body)(void *shared), void *shared,
		 const struct rs_child_limits *limits, int *wait_status);

#endif
