#include "src/session.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/companions.h"
#include "src/rng.h"

/* Calls of one repetition stay below this, so that no machine word overflows. */
#define MAX_CALLS 1000000000ULL

struct measuring {
	struct rs_session *session;
	struct rs_watch *watch;
	struct rs_companions *companions; /* NULL: alone */
	struct rs_group *group;
	unsigned int
	    *slots; /* cell * n_placements + placement, in this block's order */
	size_t n_slots;
	bool *is_warm;       /* by cell */
	unsigned int n_lost; /* groups that could not be opened */
	bool is_lost[RS_MAX_EVENTS];
};

static const void *entry_of(const struct rs_cell *cell, unsigned int placement)
{
	return rs_placement_entry(&cell->placements[placement], cell->depth);
}

static void label_of(char *out, size_t size, const struct rs_cell *cell,
		     unsigned int placement)
{
	snprintf(out, size, "%s/%s/%u/%u", cell->workload, cell->variant, cell->depth,
		 placement);
}

static void wake_partner(const struct rs_cell *cell)
{
	if (cell->partner)
		rs_partner_wake(cell->partner);
}

static void rest_partner(const struct rs_cell *cell)
{
	if (cell->partner)
		rs_partner_rest(cell->partner);
}

/*
 * Of a cell that hands over to a partner: how often a call switches away from this
 * thread. On two CPUs the other may answer before this one waits, now and then.
 */
static uint64_t switches_of(const struct rs_cell *cell, uint64_t calls)
{
	return cell->partner ? calls - calls / 10 : 0;
}

/* Runs the kernel once, with its cell on record in case it does not come back. */
static enum rs_disturbance repeat_once(struct measuring *m, unsigned int index,
				       unsigned int placement, uint64_t calls,
				       struct rs_reading *readings)
{
	struct rs_cell *const cell = &m->session->plan->cells[index];
	const void *const entry = entry_of(cell, placement);
	char label[160];
	label_of(label, sizeof(label), cell, placement);
	cell->kargs[RS_KARG_CALLS] = (unsigned long)calls;
	atomic_store(&m->session->progress->cell, index);
	rs_companions_begin(m->companions, cell, entry);
	wake_partner(cell);
	rs_watch_begin(m->watch, label);
	rs_group_begin(m->group, label);
	rs_kernel_call(entry, cell->kargs);
	rs_group_end(m->group, readings);
	const enum rs_disturbance disturbance =
	    rs_watch_end(m->watch, switches_of(cell, calls));
	rs_companions_end(m->companions);
	rest_partner(cell);
	atomic_store(&m->session->progress->cell, RS_CELL_NONE);
	return disturbance;
}

#define N_CHECKS 100 /* reads of the tick counter, one after the other */

/* Whether the last result of the cell's kernel can be right; else says why not. */
static bool check_result(struct rs_cell *cell, unsigned long before,
			 struct rs_progress *progress)
{
	const struct rs_kernel *const kernel = cell->kernel;
	const unsigned long result = cell->kargs[RS_KARG_RESULT];
	const int size = sizeof(progress->failure);
	if (cell->partner && result)
		snprintf(progress->failure, size, "its partner cannot be reached: %s",
			 rs_err_name(-(int)result));
	else if (rs_result_is_right(kernel, cell->kargs, before))
		return true;
	else if (kernel->result == RS_RESULT_TICKS)
		snprintf(progress->failure, size,
			 "its counter went back from %lu to %lu", before, result);
	else
		snprintf(progress->failure, size, "its kernel should say %lu, not %lu",
			 1UL, result);
	return false;
}

/*
 * Calls a kernel alone, as often as it takes to see whether its results can be right.
 * What is wrong ends this process, and survive_exit() in session.c tells it.
 */
static void check_results(struct measuring *m, struct rs_cell *cell, const void *entry)
{
	const unsigned int n = cell->kernel->result == RS_RESULT_TICKS ? N_CHECKS : 1;
	unsigned long before = (unsigned long)rs_ticks();
	cell->kargs[RS_KARG_CALLS] = 1;
	for (unsigned int i = 0; i < n; i++) {
		wake_partner(cell);
		rs_kernel_call(entry, cell->kargs);
		rest_partner(cell);
		if (!check_result(cell, before, m->session->progress))
			_exit(1);
		before = cell->kargs[RS_KARG_RESULT];
	}
}

/*
 * Once a process and without counting: what is written for the first time after the
 * fork, and code that was not read yet, would be page faults in the first repetition.
 */
static void warm_cell(struct measuring *m, unsigned int index)
{
	struct rs_cell *const cell = &m->session->plan->cells[index];
	struct rs_progress *const progress = m->session->progress;
	atomic_store(&progress->cell, index);
	for (unsigned int p = 0; p < m->session->plan->n_placements; p++)
		check_results(m, cell, entry_of(cell, p));
	atomic_store(&progress->cell, RS_CELL_NONE);
	m->is_warm[index] = true;
}

/* The ns of one repetition, the list's first event; false where it was not read. */
static bool time_calls(struct measuring *m, unsigned int index, uint64_t calls,
		       uint64_t *ns)
{
	struct rs_reading readings[RS_MAX_EVENTS];
	repeat_once(m, index, 0, calls, readings);
	const bool is_valid = rs_reading_is_valid(&readings[0]);
	*ns = is_valid ? readings[0].value : 0;
	return is_valid;
}

/*
 * Doubles the calls until they take an eighth of the aim, then scales to the aim.
 * Without a clock the size stays small: a guess could take hours.
 */
static uint64_t calibrate(struct measuring *m, unsigned int index)
{
	const uint64_t aim_ns = m->session->repetition_ns;
	uint64_t calls = 16;
	uint64_t ns = 0;
	while (time_calls(m, index, calls, &ns) && ns < aim_ns / 8 &&
	       calls < MAX_CALLS / 2 && !atomic_load(&m->session->progress->stop))
		calls *= 2;
	if (!ns)
		return calls;
	const double scaled = (double)calls * ((double)aim_ns / (double)ns);
	if (scaled < 1)
		return 1;
	return scaled < MAX_CALLS ? (uint64_t)scaled : MAX_CALLS;
}

/* What is played does not depend on the calls, and none of it may be used up here. */
static void prepare_cell(struct measuring *m, unsigned int index)
{
	struct rs_session *const session = m->session;
	uint64_t *const calls = &session->calls_of_cell[index];
	if (!m->is_warm[index])
		warm_cell(m, index);
	if (*calls)
		return;
	const bool is_replay = rs_backend_is_replay(session->backend);
	*calls = session->calls;
	if (!*calls)
		*calls = is_replay ? 1 : calibrate(m, index);
}

/*
 * One slot of a block: repeated while something disturbed it. The readings' pages are
 * touched first, or their first use would be a page fault inside the repetition.
 */
static void measure_slot(struct measuring *m, unsigned int slot, unsigned int block,
			 unsigned int order)
{
	struct rs_session *const session = m->session;
	const unsigned int index = slot / session->plan->n_placements;
	const unsigned int placement = slot % session->plan->n_placements;
	for (unsigned int again = 0; again <= RS_MAX_AGAIN; again++) {
		const uint32_t at = atomic_load(&session->progress->n_records);
		assert(at < session->capacity);
		struct rs_record *const record = &session->records[at];
		*record = (struct rs_record){
		    .cell = index,
		    .placement = placement,
		    .block = block,
		    .order = order,
		    .calls = session->calls_of_cell[index],
		};
		struct rs_reading *const readings =
		    &session->readings[at * session->events->n_events];
		memset(readings, 0, session->events->n_events * sizeof(*readings));
		record->disturbance =
		    repeat_once(m, index, placement, record->calls, readings);
		atomic_store(&session->progress->n_records, at + 1);
		if (record->disturbance == RS_DISTURBANCE_NONE ||
		    atomic_load(&session->progress->stop))
			return;
	}
}

/* The order depends on seed, set and block alone, so that a restart repeats it. */
static void shuffle_slots(struct measuring *m, unsigned int set, unsigned int block)
{
	struct rs_rng rng;
	rs_rng_seed(&rng, m->session->seed + (uint64_t)set * 1000003 + block);
	rs_rng_shuffle(&rng, m->slots, m->n_slots);
}

static size_t collect_slots(struct measuring *m, unsigned int set)
{
	const struct rs_plan *const plan = m->session->plan;
	size_t n = 0;
	for (size_t i = 0; i < plan->n_cells; i++) {
		if (plan->cells[i].set != set || !rs_cell_runs(&plan->cells[i]))
			continue;
		for (unsigned int p = 0; p < plan->n_placements; p++)
			m->slots[n++] = (unsigned int)i * plan->n_placements + p;
	}
	return n;
}

static int open_group(struct measuring *m, unsigned int group, struct rs_err *err)
{
	const struct rs_session *const session = m->session;
	if (m->group && session->events->n_groups == 1)
		return 0;
	rs_group_close(m->group);
	m->group = NULL;
	return rs_group_open(&m->group, session->events, group, session->backend,
			     session->cpu, err);
}

/* The other groups go on: what was measured is worth more than what was asked for. */
static int lose_group(struct measuring *m, unsigned int group, int code,
		      struct rs_err *err)
{
	struct rs_progress *const progress = m->session->progress;
	m->is_lost[group] = true;
	m->n_lost++;
	if (m->n_lost == m->session->events->n_groups)
		return code;
	if (!progress->lost_group[0])
		snprintf(progress->lost_group, sizeof(progress->lost_group),
			 "a group of events was not measured: %.440s", err->text);
	return 0;
}

static int measure_block(struct measuring *m, unsigned int set, unsigned int block,
			 struct rs_err *err)
{
	struct rs_progress *const progress = m->session->progress;
	const unsigned int group = block % m->session->events->n_groups;
	if (m->is_lost[group])
		return 0;
	const int ret = open_group(m, group, err);
	if (ret)
		return lose_group(m, group, ret, err);
	atomic_store(&progress->block_first, atomic_load(&progress->n_records));
	atomic_store(&progress->block, block);
	m->n_slots = collect_slots(m, set);
	for (size_t i = 0; i < m->n_slots; i += m->session->plan->n_placements) {
		if (!atomic_load(&progress->stop))
			prepare_cell(m, m->slots[i] / m->session->plan->n_placements);
	}
	shuffle_slots(m, set, block);
	for (size_t i = 0; i < m->n_slots && !atomic_load(&progress->stop); i++)
		measure_slot(m, m->slots[i], block, (unsigned int)i);
	return 0;
}

unsigned int rs_session_n_blocks(const struct rs_session *session)
{
	return session->repetitions * session->events->n_groups;
}

/* The child's only; the handler has no other way to it. */
static struct rs_progress *progress_of_handler;

/* Whoever waits for a turn from a process that has ended waits forever. */
static void give_up(int number)
{
	(void)number;
	static const char why[] = "the process that it hands over to has ended";
	memcpy(progress_of_handler->failure, why, sizeof(why));
	_exit(1);
}

/* All of them before anything is warm: what is written after a fork is copied first. */
static int start_partners(struct measuring *m, unsigned int set, struct rs_err *err)
{
	const struct rs_plan *const plan = m->session->plan;
	int ret = 0;
	progress_of_handler = m->session->progress;
	for (size_t i = 0; i < plan->n_cells && !ret; i++) {
		const struct rs_cell *const cell = &plan->cells[i];
		if (cell->set == set && cell->partner && rs_cell_runs(cell))
			ret = rs_partner_start(cell->partner, give_up, err);
	}
	return ret;
}

static int measure(struct measuring *m, unsigned int set, unsigned int first_block,
		   struct rs_err *err)
{
	struct rs_session *const session = m->session;
	const size_t n_slots = session->plan->n_cells * session->plan->n_placements;
	m->slots = calloc(n_slots, sizeof(*m->slots));
	m->is_warm = calloc(session->plan->n_cells, sizeof(*m->is_warm));
	if (!m->slots || !m->is_warm)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory in the measuring process");
	int ret = rs_affinity_pin(session->cpu, err);
	if (!ret)
		ret = start_partners(m, set, err);
	if (!ret)
		ret = rs_watch_open(&m->watch, session->backend, err);
	if (!ret && session->n_companions)
		ret = rs_companions_open(&m->companions, session->plan,
					 session->companion_cpus, session->n_companions,
					 err);
	if (ret)
		return ret;
	session->progress->watch_source = rs_watch_source(m->watch);
	const unsigned int n_blocks = rs_session_n_blocks(session);
	for (unsigned int b = first_block; b < n_blocks && !ret; b++) {
		if (atomic_load(&session->progress->stop))
			break;
		ret = measure_block(m, set, b, err);
	}
	return ret;
}

void rs_measure_set(struct rs_session *session, unsigned int set,
		    unsigned int first_block)
{
	struct measuring m = {.session = session};
	struct rs_err err = {""};
	if (measure(&m, set, first_block, &err))
		rs_text_copy(session->progress->failure,
			     sizeof(session->progress->failure), err.text);
	else
		atomic_store(&session->progress->is_done, 1);
	rs_companions_close(m.companions);
	rs_group_close(m.group);
	rs_watch_close(m.watch);
	free(m.is_warm);
	free(m.slots);
}
