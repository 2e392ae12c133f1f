#ifndef SRC_STEPPER_H
#define SRC_STEPPER_H

/*
 * Runs a native program one instruction at a time and tells of each one that was
 * executed. All that the program starts is followed: its threads, its children by
 * fork, vfork and clone, and what they execute with exec. Signals reach it as they
 * would without; it sees that it is traced only if it looks.
 *
 * What is not as without: it runs some 10 000 times slower; a program with other rights
 * (set-user-ID) has those of the caller; and a handler for SIGTRAP is lost once that
 * signal is blocked while it would run, since stepping is by that signal.
 *
 * While it runs, this process must have no other children.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/tracee.h"

/* A thread that is followed. */
struct rs_stepped {
	pid_t tid;
	pid_t pid;
	void *user; /* the caller's, from begin to end */
};

/* One executed instruction. */
struct rs_step {
	const struct rs_insn *insn; /* all zero where is_decoded is false */
	bool is_decoded;
	uint64_t address;
	uint64_t next;                    /* the address that the thread went to */
	uint64_t stack;                   /* the stack pointer before it */
	const struct rs_decoder *decoder; /* NULL: none knows this ABI */
};

/*
 * What is told. The thread is stopped meanwhile, and so is its memory, unless others
 * share it. Each returns 0, or anything else to end the whole trace.
 */
struct rs_stepper_sink {
	void *user;
	int (*begin)(void *user, struct rs_stepped *thread); /* a new thread */
	int (*step)(void *user, struct rs_stepped *thread, const struct rs_step *step);
	/* It has executed another program: its memory is new, its stack empty. */
	int (*exec)(void *user, struct rs_stepped *thread);
	void (*end)(void *user, struct rs_stepped *thread);
	/* NULL, or asked now and then: whether to end early. */
	bool (*is_over)(void *user);
};

/* How the first process ended, or did not. */
struct rs_stepper_end {
	bool has_ended; /* else it was killed because a callback said so */
	int status;     /* of waitpid */
};

/*
 * Steps through a target until all that it started has ended. Returns 0 with *end, or
 * a negative errno with a sentence, where it could not be started or stepped.
 */
int rs_stepper_run(const struct rs_tracee_target *target,
		   const struct rs_stepper_sink *sink, struct rs_stepper_end *end,
		   struct rs_err *err);

#define RS_STEPPER_CALL_S 10 /* after so many seconds a kernel is killed */

/*
 * Executes rs_kernel_call(entry, kargs) in a child, and tells step of what runs from
 * the call of entry on, that call included, to the return from it. kargs may point to
 * memory of this process; what the child writes there is lost. Returns 0; -ECANCELED
 * where step ended it; -ETIME after RS_STEPPER_CALL_S; -EFAULT where it died of a
 * signal; another negative errno where single-stepping is not to be had, with a
 * sentence in all cases.
 */
int rs_stepper_call(const void *entry, unsigned long *kargs,
		    int (*step)(void *user, const struct rs_step *step), void *user,
		    struct rs_err *err);

#endif
