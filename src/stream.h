#ifndef SRC_STREAM_H
#define SRC_STREAM_H

/* The calls and returns of the kernels that `probe` times, as the model sees them. */

#include <stdbool.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/linkstack.h"

/*
 * Mispredicts per iteration of a form below k frames, in the long run, whose call is
 * pushed, or not; returns: a return of its own follows it, as in a thunk. Returns 0 or
 * -ENOMEM.
 */
int rs_stream_form(const struct rs_linkstack_rules *rules, unsigned int k,
		   bool is_pushed, bool returns, double *mispredicts,
		   struct rs_err *err);

/* The same of a chain of n calls. */
int rs_stream_chain(const struct rs_linkstack_rules *rules, enum rs_sites sites,
		    unsigned int n, double *mispredicts, struct rs_err *err);

#endif
