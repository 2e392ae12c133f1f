#ifndef SRC_BASE_INI_H
#define SRC_BASE_INI_H

#include <stddef.h>

#include "src/base/err.h"

/* One `key = value` line. The strings live only during the call. */
struct rs_ini_line {
	const char *section;
	const char *key;
	const char *value;
};

/*
 * Takes one line; returns 0, or a negative errno after writing into err why the line
 * is wrong (without its place, which is added to the sentence).
 */
typedef int rs_ini_take(void *user, const struct rs_ini_line *line, struct rs_err *err);

/*
 * Reads an ini text (n_bytes, no NUL inside). name is what error sentences call it.
 * Stops at the first bad line: "NAME line N: WHY". Returns 0 or a negative errno.
 */
int rs_ini_parse(const char *name, const char *text, size_t n_bytes, rs_ini_take *take,
		 void *user, struct rs_err *err);

#endif
