#ifndef SRC_COMPAT_H
#define SRC_COMPAT_H

/*
 * The benchmarks that the field quotes, under their own names and arguments and with
 * their exact lines, for scripts that read those. Each is a row of rs_originals.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/err.h"

/* One run of an original. */
struct rs_compat {
	int argc;        /* of the original's own command line; */
	char **argv;     /* argv[0] is its name, argv[argc] NULL */
	double scale;    /* of its loop counts and durations, above 0 */
	FILE *out;       /* gets the original's lines and nothing else */
	FILE *notes;     /* gets what the original would not say or do */
	bool has_failed; /* set by an original whose check found something */
};

struct rs_original {
	const char *name;  /* "gettimeofday"; NULL ends the list */
	const char *usage; /* name and arguments, for help */
	const char *text;  /* what it does: where the original is */
	/*
	 * Returns 0; -EINVAL for arguments that it does not take; -ENOTSUP for what
	 * cannot be measured here; or another negative errno.
	 */
	int (*run)(struct rs_compat *compat, struct rs_err *err);
};

/* All of them, in the order in which help lists them. */
const struct rs_original *rs_originals(void);

/* NULL, with a sentence, for a name that no original has. */
const struct rs_original *rs_original_find(const char *name, struct rs_err *err);

/* A line on notes: "retstack: " and a sentence. */
void rs_compat_note(const struct rs_compat *compat, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A loop count at this scale, at least 1; a note says when it is not the original's. */
uint64_t rs_compat_count(const struct rs_compat *compat, uint64_t original);

/* -EINVAL, with a sentence, where the original takes no arguments and is given some. */
int rs_compat_take_none(const struct rs_compat *compat, struct rs_err *err);

/* The rows, each in the file of its own. */
int rs_compat_gettimeofday(struct rs_compat *compat, struct rs_err *err);
int rs_compat_gettimeofday_diff(struct rs_compat *compat, struct rs_err *err);
int rs_compat_getrandom(struct rs_compat *compat, struct rs_err *err);
int rs_compat_vdsotest(struct rs_compat *compat, struct rs_err *err);

#endif
