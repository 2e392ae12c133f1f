#ifndef SRC_TRACED_H
#define SRC_TRACED_H

/* A traced program, and the two ways to trace one. */

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/trace.h"
#include "src/traced_images.h"

struct rs_traced {
	struct rs_trace trace;
	struct rs_traced_images images;
	uint64_t n_processes;
	uint64_t n_outside;  /* instructions in none of the images that were given */
	uint64_t n_gaps;     /* places where a log leaves something out */
	char ended[128];     /* "exited with status 0"; "": not known */
	bool has_died;       /* of a signal */
	const char *stopped; /* why the trace ended early; NULL if it did not */
};

/* Returns 0, -EINVAL for rules out of range, or -ENOMEM. */
int rs_traced_open(struct rs_traced *out, const struct rs_linkstack_rules *rules,
		   struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_traced_close(struct rs_traced *traced);

/*
 * Single-steps a command, argv as for execvp(), and all that it starts, until all have
 * ended or rs_stopper_reason() says why not; then they are killed. Its standard output
 * becomes out, unless that is -1. Returns 0, also where it was stopped or the command
 * died; -ENOENT and the like where it could not be run; another negative errno.
 */
int rs_traced_command(struct rs_traced *traced, char *const *argv, int out,
		      struct rs_err *err);

/*
 * Reads the log of an emulator that ran a foreign program (src/exec_log.h). images, up
 * to a NULL, are the files that it mapped, "FILE" or "FILE@BASE", BASE being the
 * address at which the address 0 of the file was. A program that may be anywhere and
 * needs no interpreter began with the first line of the log, so the first image can do
 * without. Returns 0 or a negative errno.
 */
int rs_traced_log(struct rs_traced *traced, const char *log, char *const *images,
		  struct rs_err *err);

#endif
