#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/base/text.h"
#include "src/child.h"
#include "src/placement.h"
#include "src/probe.h"
#include "src/rng.h"
#include "src/stopper.h"

#define N_PLACEMENTS        2
#define N_ROUNDS            10 /* of each placement and group of events */
/* About 0.1 to 0.5 ms a repetition at 10 to 30 ticks a call: most see no interrupt. */
#define CALLS_OF_REPETITION 40000
/* A process takes about a second natively, a hundred times that under an emulator. */
#define WALL_MS             300000

#define NO_CELL UINT32_MAX

/* What a process writes for its parent, in shared memory. */
struct progress {
	volatile uint32_t cell; /* in whose kernel it is; or NO_CELL */
	int is_wrong; /* a kernel did not make the calls that it was asked for */
	int is_done;
	char failure[512]; /* why it gave up; or "" */
	uint64_t bits[RS_CHAIN_ROWS][2];
	uint64_t zeros[RS_CHAIN_ROWS][2];
};

/* The measuring of one process. */
struct process {
	struct rs_probe *probe;
	const struct rs_probe_request *request;
	struct progress *progress;
	struct rs_probe_point *points;         /* shared; n_cells */
	uint64_t (*best)[RS_PROBE_MAX_EVENTS]; /* ticks of the reading; by cell */
	struct rs_placement (*placements)[N_PLACEMENTS]; /* by cell; empty: as before */
	unsigned int *order;
	struct rs_rng rng;
	struct rs_group *group;
};

/* Cells of one kernel share its copies: those of the first. */
static size_t placed_with(const struct rs_probe *probe, size_t cell)
{
	size_t first = 0;
	while (probe->cells[first].kernel != probe->cells[cell].kernel)
		first++;
	return first;
}

static uint64_t calls_of(const struct process *process,
			 const struct rs_probe_cell *cell)
{
	if (rs_backend_is_replay(process->request->backend))
		return 1;
	return CALLS_OF_REPETITION / cell->depth;
}

/* Of each event the reading of the fastest repetition that has one. */
static void keep_fastest(struct process *process, size_t index,
			 const struct rs_reading *readings)
{
	struct rs_probe_point *const point = &process->points[index];
	const struct rs_reading *const ticks = &readings[RS_PROBE_TICKS];
	if (!rs_reading_is_valid(ticks))
		return;
	for (size_t i = 0; i < process->request->events->n_events; i++) {
		uint64_t *const best = &process->best[index][i];
		const bool has_one =
		    point->calls && rs_reading_is_valid(&point->readings[i]);
		/* What is never counted must not look like a count of 0. */
		if (has_one &&
		    (!rs_reading_is_valid(&readings[i]) || ticks->value >= *best))
			continue;
		*best = ticks->value;
		point->readings[i] = readings[i];
	}
	point->calls = calls_of(process, &process->probe->cells[index]);
}

static void measure(struct process *process, size_t index, unsigned int placement)
{
	const struct rs_probe_cell *const cell = &process->probe->cells[index];
	struct progress *const progress = process->progress;
	const size_t placed = placed_with(process->probe, index);
	struct rs_reading readings[RS_MAX_EVENTS];
	char label[128];
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = calls_of(process, cell),
	    [RS_KARG_ARG0] = cell->depth,
	    [RS_KARG_ARG1] =
		(uintptr_t)(cell->has_bits ? progress->bits : progress->zeros),
	};
	snprintf(label, sizeof(label), "%s/%s/%u/%u", cell->workload, cell->variant,
		 cell->depth, placement);
	const void *const entry = rs_placement_entry(
	    &process->placements[placed][placement], cell->is_chain ? 0 : cell->depth);
	progress->cell = (uint32_t)index;
	rs_group_begin(process->group, label);
	const unsigned long result = rs_kernel_call(entry, kargs);
	rs_group_end(process->group, readings);
	progress->cell = NO_CELL;
	progress->is_wrong |= cell->is_chain && result != cell->depth;
	keep_fastest(process, index, readings);
}

static int open_group(struct process *process, unsigned int index, struct rs_err *err)
{
	const struct rs_probe_request *const request = process->request;
	if (process->group && request->events->n_groups == 1)
		return 0;
	rs_group_close(process->group);
	process->group = NULL;
	return rs_group_open(&process->group, request->events, index, request->backend,
			     request->cpu, err);
}

/* In the child: every cell in a new random order each round. */
static void measure_all(void *argument)
{
	struct process *const process = argument;
	const struct rs_probe *const probe = process->probe;
	const unsigned int n_groups = process->request->events->n_groups;
	struct rs_err err;
	for (size_t i = 0; i < probe->n_cells; i++)
		process->order[i] = (unsigned int)i;
	for (unsigned int round = 0; round < N_ROUNDS * N_PLACEMENTS * n_groups;
	     round++) {
		if (open_group(process, round % n_groups, &err)) {
			rs_text_copy(process->progress->failure,
				     sizeof(process->progress->failure), err.text);
			return;
		}
		rs_rng_shuffle(&process->rng, process->order, probe->n_cells);
		for (size_t i = 0; i < probe->n_cells; i++) {
			if (!probe->cells[process->order[i]].is_dead)
				measure(process, process->order[i],
					round / n_groups % N_PLACEMENTS);
		}
	}
	process->progress->is_done = 1;
}

static int place(struct process *process, struct rs_err *err)
{
	const struct rs_probe *const probe = process->probe;
	for (size_t i = 0; i < probe->n_cells; i++) {
		for (unsigned int p = 0; p < N_PLACEMENTS; p++) {
			if (placed_with(probe, i) != i)
				continue;
			const int ret = rs_placement_make(&process->placements[i][p],
							  probe->cells[i].kernel, p,
							  N_PLACEMENTS, err);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static void unplace(struct process *process)
{
	for (size_t i = 0; process->placements && i < process->probe->n_cells; i++) {
		for (unsigned int p = 0; p < N_PLACEMENTS; p++)
			rs_placement_free(&process->placements[i][p]);
	}
}

/* A kernel that ended its process is left out from then on, also of what was there. */
static int bury(struct process *process, int status, struct rs_err *err)
{
	struct rs_probe *const probe = process->probe;
	const uint32_t index = process->progress->cell;
	const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (index == NO_CELL || !number || number == SIGKILL ||
	    number == RS_CHILD_STUCK_SIG || number == RS_CHILD_HANG_SIG)
		return rs_err_set(err, -EIO,
				  "the measuring process ended early, of signal %d",
				  number);
	struct rs_probe_cell *const cell = &probe->cells[index];
	cell->is_dead = true;
	snprintf(cell->reason, sizeof(cell->reason), "its kernel died of SIG%s",
		 sigabbrev_np(number));
	return -EAGAIN;
}

static int run_child(struct process *process, struct rs_err *err)
{
	static const struct rs_child_limits limits = {WALL_MS, WALL_MS};
	int status = 0;
	process->progress->cell = NO_CELL;
	const int ret = rs_child_run(measure_all, process, &limits, &status);
	if (ret)
		return rs_err_set(err, ret, "cannot run a process to measure in: %s",
				  strerror(-ret));
	if (rs_stopper_reason())
		return 0;
	if (process->progress->failure[0])
		return rs_err_set(err, -EIO, "%s", process->progress->failure);
	if (!process->progress->is_done)
		return bury(process, status, err);
	return process->progress->is_wrong
		   ? rs_err_set(err, -EIO, "a kernel made fewer calls than asked for")
		   : 0;
}

static int allocate(struct process *process, struct rs_err *err)
{
	const size_t n = process->probe->n_cells;
	process->progress = rs_child_share(sizeof(*process->progress));
	process->points = rs_child_share(n * sizeof(*process->points));
	process->best = calloc(n, sizeof(*process->best));
	process->placements = calloc(n, sizeof(*process->placements));
	process->order = calloc(n, sizeof(*process->order));
	return process->progress && process->points && process->best &&
		       process->placements && process->order
		   ? 0
		   : rs_err_set(err, -ENOMEM, "not enough memory to probe");
}

static void release(struct process *process)
{
	unplace(process);
	free(process->order);
	free(process->placements);
	free(process->best);
	if (process->points)
		rs_child_unshare(process->points,
				 process->probe->n_cells * sizeof(*process->points));
	if (process->progress)
		rs_child_unshare(process->progress, sizeof(*process->progress));
}

static int measure_process(struct rs_probe *probe,
			   const struct rs_probe_request *request, uint64_t seed,
			   struct rs_err *err)
{
	struct process process = {.probe = probe, .request = request};
	rs_rng_seed(&process.rng, seed);
	int ret = allocate(&process, err);
	for (size_t i = 0; !ret && i < RS_CHAIN_ROWS; i++) {
		process.progress->bits[i][0] = rs_rng_next(&process.rng);
		process.progress->bits[i][1] = rs_rng_next(&process.rng);
	}
	if (!ret)
		ret = place(&process, err);
	if (!ret)
		ret = run_child(&process, err);
	if (!ret && process.progress->is_done)
		memcpy(&probe->points[probe->n_processes++ * probe->n_cells],
		       process.points, probe->n_cells * sizeof(*process.points));
	release(&process);
	return ret;
}

static int measure_processes(struct rs_probe *probe,
			     const struct rs_probe_request *request, struct rs_err *err)
{
	int ret = 0;
	while (probe->n_processes < request->n_processes && !ret) {
		const unsigned int done = (unsigned int)probe->n_processes;
		if (request->show)
			request->show(request->user, done, request->n_processes);
		if (rs_stopper_reason())
			break;
		do
			ret =
			    measure_process(probe, request, request->seed + done, err);
		while (ret == -EAGAIN);
		if (probe->n_processes == done)
			break;
	}
	probe->stopped = rs_stopper_reason();
	return ret;
}

int rs_probe_measure(struct rs_probe *probe, const struct rs_probe_request *request,
		     struct rs_err *err)
{
	if (!rs_ticks_name())
		return rs_err_set(err, -ENOTSUP,
				  "this instruction set has no tick clock to probe by");
	probe->events = request->events;
	probe->points =
	    calloc(request->n_processes * probe->n_cells + 1, sizeof(*probe->points));
	if (!probe->points)
		return rs_err_set(err, -ENOMEM, "not enough memory to probe");
	rs_stopper_begin(0);
	const int ret = measure_processes(probe, request, err);
	rs_stopper_end();
	return ret;
}
