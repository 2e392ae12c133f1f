#ifndef SRC_CHECKS_H
#define SRC_CHECKS_H

#include <stddef.h>

#include "src/model.h"

/* The checks of a check-up, which own their strings. Start from an empty object. */
struct rs_checks {
	struct rs_check *rows;
	size_t n_rows;
	int code; /* 0, or -ENOMEM once a check could not be kept */
};

/* Copies the check with its strings. */
void rs_checks_add(struct rs_checks *checks, const struct rs_check *check);

void rs_checks_free(struct rs_checks *checks);

#endif
