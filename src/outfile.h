#ifndef SRC_OUTFILE_H
#define SRC_OUTFILE_H

#include <stdio.h>

#include "src/base/err.h"

/*
 * A result file: created before measuring, so that a bad path fails at once, written
 * beside its target and renamed over it when whole. "-" is standard output; a target
 * that is not a regular file (a pipe, /dev/full) is written in place.
 */
struct rs_outfile {
	FILE *stream; /* what to write to; NULL when not open */
	char *path;
	char *temporary; /* NULL when written in place */
};

/* -EEXIST never: an existing target is replaced on commit. */
int rs_outfile_open(struct rs_outfile *file, const char *path, struct rs_err *err);

/*
 * Flushes, syncs, closes and renames. On failure the target is as it was before and
 * the sentence names the path. write_code is what the writer returned, 0 for success;
 * a failed write is reported here, in the same words.
 */
int rs_outfile_commit(struct rs_outfile *file, int write_code, struct rs_err *err);

/* Drops what was written. Accepts an empty object. */
void rs_outfile_discard(struct rs_outfile *file);

#endif
