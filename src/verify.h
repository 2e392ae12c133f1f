#ifndef SRC_VERIFY_H
#define SRC_VERIFY_H

/*
 * Does the vDSO tell the truth? Each function and clock id against its system call:
 * values, and what it does with arguments that are wrong.
 */

#include "src/base/err.h"
#include "src/checks.h"
#include "src/pattern.h"

struct rs_verify_request {
	const struct rs_pattern *patterns; /* of vdso.* workloads */
	size_t n_patterns;                 /* 0: everything */
};

/*
 * Fills out, one check a line: good, bad, or unknown where it could not be made, with
 * the reason. Runs children, which may crash. Takes a second or two. Returns 0 or a
 * negative errno: -ENOENT where this process has no vDSO.
 */
int rs_verify(struct rs_checks *out, const struct rs_verify_request *request,
	      struct rs_err *err);

#endif
