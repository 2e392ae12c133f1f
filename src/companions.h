#ifndef SRC_COMPANIONS_H
#define SRC_COMPANIONS_H

/*
 * Threads that do what is being measured at the same time, each bound to a CPU of its
 * own, with its own outputs and state: what do calls cost that others make, too?
 */

#include "src/affinity.h"
#include "src/base/err.h"
#include "src/plan.h"

struct rs_companions;

/* The CPUs of n companions, of those allowed but for cpu; -EINVAL for too few. */
int rs_companions_choose(const struct rs_cpus *allowed, unsigned int cpu,
			 unsigned int *cpus, unsigned int n, struct rs_err *err);

/* Starts n threads, idle at first, bound to cpus. The plan is borrowed. */
int rs_companions_open(struct rs_companions **out, const struct rs_plan *plan,
		       const unsigned int *cpus, unsigned int n, struct rs_err *err);

/*
 * From here, once every companion has begun, to the end they run the kernel at entry as
 * the cell does, over and over. Accept NULL and do nothing.
 */
void rs_companions_begin(struct rs_companions *companions, const struct rs_cell *cell,
			 const void *entry);
void rs_companions_end(struct rs_companions *companions);

/* Ends and frees them; accepts NULL. */
void rs_companions_close(struct rs_companions *companions);

#endif
