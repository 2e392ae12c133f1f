#ifndef SRC_TRACEE_H
#define SRC_TRACEE_H

/* One thread under ptrace: where it stands, what is there, how it goes on. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/arch.h"
#include "src/base/err.h"

#define RS_TRACEE_INSN_BYTES 16 /* no instruction is longer */

/* Where a stopped thread is. */
struct rs_tracee_place {
	uint64_t address;                 /* of the instruction that comes next */
	uint64_t stack;                   /* its stack pointer */
	const struct rs_decoder *decoder; /* of the ABI that it runs now; NULL: none */
};

/* Returns 0, -ESRCH (it is gone) or another negative errno: no such kernel call. */
int rs_tracee_place(pid_t tid, struct rs_tracee_place *out);

/*
 * Copies up to n_bytes of its memory from address on, whatever their protection.
 * Returns how many there are, at least 0.
 */
size_t rs_tracee_read(pid_t tid, uint64_t address, void *out, size_t n_bytes);

/* What a stop with SIGTRAP and no event is. */
enum rs_tracee_trap {
	RS_TRAP_STEP,    /* one instruction was executed */
	RS_TRAP_HANDLER, /* none: a signal handler is about to begin */
	RS_TRAP_SIGNAL,  /* the program's own SIGTRAP */
};

/* at_breakpoint: it stands at an instruction that traps by itself. */
enum rs_tracee_trap rs_tracee_trap(pid_t tid, bool at_breakpoint);

/* Lets it execute one instruction, after the signal sig where that is not 0. */
int rs_tracee_step(pid_t tid, int sig);

/* The process that a thread belongs to, by /proc; tid itself where that is silent. */
pid_t rs_tracee_process(pid_t tid);

/* What runs under ptrace: a command, or a function of this program. */
struct rs_tracee_target {
	char *const *argv; /* looked up in PATH; NULL: body */
	int out; /* becomes the command's standard output; -1: it keeps ours */
	/* Async-signal-safe code: this process may have threads. */
	void (*body)(void *user);
	void *user;
};

/*
 * Starts it, and stops it where the command begins: at its first instruction, after
 * exec; a function a few instructions before. Returns 0 with its pid, or a negative
 * errno with a sentence: no such command, ptrace refused.
 */
int rs_tracee_start(const struct rs_tracee_target *target, pid_t *pid,
		    struct rs_err *err);

#endif
