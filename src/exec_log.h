#ifndef SRC_EXEC_LOG_H
#define SRC_EXEC_LOG_H

/*
 * The instructions that a user-mode emulator executed, by address: what qemu-user
 * writes with `-singlestep -d nochain,exec -D FILE` (since its version 8.1
 * -one-insn-per-tb), a line
 *   Trace CPU: HOST [BASE/ADDRESS/...] SYMBOL
 * for each one. Without -singlestep there is a line for each block, without nochain
 * only for the first time that one block follows another: such a log has gaps.
 * An instruction that faults, and starts again after its signal, is there twice.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/err.h"

struct rs_exec_log {
	FILE *file;
	const char *path; /* borrowed; must outlive this */
	uint16_t machine; /* EM_* of the emulated program */
	uint64_t n_lines; /* read so far */
	uint64_t n_steps; /* found in them */
	bool is_cut;      /* its last line has no end: the writer was stopped */
	char *line;
	size_t line_bytes;
};

struct rs_exec_step {
	unsigned int cpu; /* the emulator's number of the thread, from 0 */
	uint64_t address;
};

/* Returns 0 or a negative errno. */
int rs_exec_log_open(struct rs_exec_log *out, const char *path, uint16_t machine,
		     struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_exec_log_close(struct rs_exec_log *log);

/*
 * The next executed instruction; other lines are passed over, and so is a last line
 * that is cut. Returns 1; 0 at the end; -EBADMSG for a line of this kind that does not
 * say which, or a log without any; another negative errno where reading fails.
 */
int rs_exec_log_next(struct rs_exec_log *log, struct rs_exec_step *step,
		     struct rs_err *err);

#endif
