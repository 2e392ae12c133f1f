#ifndef SRC_PROBE_H
#define SRC_PROBE_H

/*
 * What every probe of the processor's link stack shares: kernels at depths, timed and
 * counted in fresh processes (docs/method.md, "Probing the link stack").
 */

#include <stdint.h>

#include "arch/arch.h"
#include "events/events.h"
#include "src/base/err.h"
#include "src/knee.h"
#include "src/model.h"

#define RS_PROBE_MAX_EVENTS 8  /* the two clocks included */
#define RS_PROBE_MAX_DEPTHS 96 /* of one series */

/* The events of a probe, behind the two clocks, and their places in the list. */
#define RS_PROBE_EVENTS "cycles,return-misses"
enum rs_probe_metric {
	RS_PROBE_NS,
	RS_PROBE_TICKS,
	RS_PROBE_CYCLES,
	RS_PROBE_MISSES,
	RS_PROBE_N_METRICS
};

/* One kernel at one depth. Strings and kernels are borrowed. */
struct rs_probe_cell {
	const char *workload;
	const char *variant;
	const struct rs_kernel *kernel;
	unsigned int depth; /* enclosing frames; nested calls, of a chain */
	bool is_chain;
	bool has_bits;   /* a chain whose bits are random */
	bool is_dead;    /* its kernel ended the process that ran it */
	char reason[96]; /* how */
};

/* Consecutive cells of one variant, depths ascending. */
struct rs_probe_series {
	const char *workload;
	const char *variant;
	const struct rs_variant *form; /* NULL: a chain */
	const struct rs_chain *chain;  /* NULL: a form below frames */
	size_t first;
	size_t n;
};

/* The fastest of a process's repetitions of one cell, event by event. */
struct rs_probe_point {
	uint64_t calls; /* iterations; 0: not measured */
	struct rs_reading readings[RS_PROBE_MAX_EVENTS];
};

struct rs_probe {
	struct rs_probe_cell *cells;
	size_t n_cells;
	struct rs_probe_series *series;
	size_t n_series;
	const struct rs_event_list *events;
	size_t n_processes;            /* that were measured whole */
	const char *stopped;           /* why it ended early; NULL if it did not */
	struct rs_probe_point *points; /* n_cells of each process, one after another */
};

struct rs_probe_request {
	const struct rs_event_list *events; /* of RS_PROBE_EVENTS, planned */
	const struct rs_backend *backend;
	unsigned int cpu;         /* already the only one this process may run on */
	unsigned int n_processes; /* 1 to RS_MAX_PROCESSES */
	uint64_t seed;
	void (*show)(void *user, unsigned int done, unsigned int all); /* or NULL */
	void *user;
};

/*
 * Append a series: a chain at every level where link stacks end and fewer further up,
 * or a variant below 1 to RS_MAX_FRAMES frames. Return 0 or -ENOMEM. For an empty
 * probe, or one that only had series added.
 */
int rs_probe_add_chain(struct rs_probe *probe, const char *workload,
		       const struct rs_chain *chain, struct rs_err *err);
int rs_probe_add_form(struct rs_probe *probe, const char *workload,
		      const struct rs_variant *form, struct rs_err *err);

/*
 * Measures every cell in each of the processes, one after another. -ENOTSUP without a
 * tick clock; -EIO where a kernel went wrong. A kernel that dies is left out, with its
 * reason. A stopped probe returns 0 with what was measured. Free with rs_probe_free.
 */
int rs_probe_measure(struct rs_probe *probe, const struct rs_probe_request *request,
		     struct rs_err *err);
void rs_probe_free(struct rs_probe *probe);

/*
 * The depths of a series and what an iteration cost at each in one process, in the unit
 * of the metric. False where one of them is not known.
 */
bool rs_probe_costs(const struct rs_probe *probe, const struct rs_probe_series *series,
		    size_t process, enum rs_probe_metric metric, unsigned int *depths,
		    double *costs);

/* Whether the metric was counted in every cell of every process. */
bool rs_probe_has(const struct rs_probe *probe, enum rs_probe_metric metric);

/* The series of that name; NULL without one. */
const struct rs_probe_series *rs_probe_find(const struct rs_probe *probe,
					    const char *workload, const char *variant);

/*
 * The points as results, so that dumps are like those of `run`: a row a cell, a block a
 * process. Returns 0 or -ENOMEM; free with rs_probe_results_free.
 */
int rs_probe_results_make(struct rs_results *out, const struct rs_probe *probe,
			  struct rs_err *err);
void rs_probe_results_free(struct rs_results *results);

#endif
