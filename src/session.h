#ifndef SRC_SESSION_H
#define SRC_SESSION_H

/*
 * The measuring of a plan: what parent and child share, and what each of them does.
 * All of it is allocated before the first repetition.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "events/events.h"
#include "src/base/err.h"
#include "src/plan.h"

/* One repetition as the child wrote it. */
struct rs_record {
	unsigned int cell;
	unsigned int placement;
	unsigned int block;
	unsigned int order;
	uint64_t calls;
	enum rs_disturbance disturbance;
};

/* A disturbed repetition is made again this often before the block does without it. */
#define RS_MAX_AGAIN 3

#define RS_CELL_NONE UINT32_MAX /* the child is not inside a kernel */

/* Written by the child, read by the parent; the pages are shared. */
struct rs_progress {
	_Atomic uint32_t stop;        /* parent: end after this repetition */
	_Atomic uint32_t cell;        /* child: in whose kernel it is */
	_Atomic uint32_t block;       /* child: the block it is in, over all sets */
	_Atomic uint32_t n_records;   /* child: whole records */
	_Atomic uint32_t block_first; /* child: n_records when the block began */
	_Atomic uint32_t is_done;     /* child: the set is complete */
	const char *watch_source; /* child: how disturbances are seen; static storage */
	char failure[512];        /* child: sentence, when it gave up, or why the
				   * result of the cell cannot be right; else "" */
	char lost_group[512];     /* child: why a group of events was left out, or "" */
};

struct rs_session {
	/* Set by the caller, borrowed: */
	struct rs_plan *plan;
	const struct rs_event_list *events;
	const struct rs_backend *backend;
	unsigned int cpu;
	unsigned int repetitions; /* blocks for each group of events */
	uint64_t calls;           /* 0: calibrate to repetition_ns */
	uint64_t repetition_ns;
	uint64_t seed;
	const unsigned int *companion_cpus; /* of threads beside the measured one */
	unsigned int n_companions;
	void (*show)(void *user, unsigned int done, unsigned int all); /* or NULL */
	void *user;

	/* Results: */
	struct rs_progress *progress;
	struct rs_record *records;   /* capacity of them */
	struct rs_reading *readings; /* n_events for each record */
	uint64_t *calls_of_cell;     /* 0 until calibrated */
	size_t capacity;
	void *shared;
	size_t shared_bytes;
	const char *stopped; /* why it ended early; NULL if it did not */
};

/*
 * Measures every set of the plan, each in a child. A kernel that dies turns its cell
 * to crashed, one whose result cannot be right to broken, one that exits to error, and
 * the set goes on without it. A group of
 * events that cannot be opened any more is left out (progress->lost_group); where none
 * can, the set's cells are errors. Returns 0, also where it was stopped, or a negative
 * errno when nothing could be measured at all. Free with rs_session_free.
 */
int rs_session_run(struct rs_session *session, struct rs_err *err);
void rs_session_free(struct rs_session *session);

/* The child's part: measures one set from block first_block on, then returns. */
void rs_measure_set(struct rs_session *session, unsigned int set,
		    unsigned int first_block);

/* Blocks of one set: repetitions for each group of events. */
unsigned int rs_session_n_blocks(const struct rs_session *session);

#endif
