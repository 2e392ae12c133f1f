#ifndef SRC_ARCHIVE_H
#define SRC_ARCHIVE_H

/* The members of an archive in memory, as `ar` makes them: System V's form and BSD's.
 */

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"

#define RS_ARCHIVE_NAME_BYTES 256

struct rs_archive {
	const unsigned char *bytes; /* borrowed */
	size_t n_bytes;
	size_t at;
	const char *path;  /* for error sentences */
	const char *names; /* the table of long names; NULL: none yet */
	size_t n_name_bytes;
};

struct rs_member {
	char name[RS_ARCHIVE_NAME_BYTES];
	const unsigned char *bytes;
	size_t n_bytes;
};

/* Whether the bytes begin as an archive does, a thin one included. */
bool rs_archive_is(const void *bytes, size_t n_bytes);

/*
 * Opens one. Returns 0, or -EINVAL for a thin archive, which has its members in files
 * of their own.
 */
int rs_archive_open(struct rs_archive *out, const char *path, const void *bytes,
		    size_t n_bytes, struct rs_err *err);

/* The next member that is no table. Returns 1, 0 at the end, or -EBADMSG. */
int rs_archive_next(struct rs_archive *archive, struct rs_member *member,
		    struct rs_err *err);

#endif
