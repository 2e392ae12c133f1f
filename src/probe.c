#include "src/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/child.h"
#include "src/placement.h"
#include "src/rng.h"
#include "src/stopper.h"

#define N_PLACEMENTS        2
#define N_ROUNDS            10
/* About 0.1 to 0.5 ms a repetition at 10 to 30 ticks a call: most see no interrupt. */
#define CALLS_OF_REPETITION 40000
/* A process takes about a second natively, a hundred times that under an emulator. */
#define WALL_MS             300000

/* What one process and its parent share. */
struct shared {
	const struct rs_probe *probe;
	struct rs_placement placements[RS_PROBE_MAX_CHAINS][N_PLACEMENTS];
	struct rs_rng rng;
	uint64_t bits[RS_CHAIN_ROWS][2];
	uint64_t zeros[RS_CHAIN_ROWS][2];
	struct rs_probe_point points[RS_PROBE_MAX_CHAINS][RS_PROBE_MAX_LEVELS];
	int is_wrong; /* a kernel did not make the calls that it was asked for */
	int is_done;
};

static void measure(struct shared *shared, size_t chain, size_t level,
		    unsigned int placement)
{
	const struct rs_chain *const row = &shared->probe->chains[chain];
	const unsigned long n = shared->probe->levels[level];
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = CALLS_OF_REPETITION / n,
	    [RS_KARG_ARG0] = n,
	    [RS_KARG_ARG1] =
		(unsigned long)(row->sites == RS_SITES_RANDOM ? shared->bits
							      : shared->zeros),
	};
	const void *const entry =
	    rs_placement_entry(&shared->placements[chain][placement], 0);
	const uint64_t start = rs_ticks();
	const unsigned long result = rs_kernel_call(entry, kargs);
	const uint64_t ticks = rs_ticks() - start;
	struct rs_probe_point *const point = &shared->points[chain][level];
	shared->is_wrong |= result != n;
	if (point->calls && ticks >= point->ticks)
		return;
	*point =
	    (struct rs_probe_point){.calls = CALLS_OF_REPETITION / n, .ticks = ticks};
}

/* In the child: every chain and level in a new random order each round. */
static void measure_all(void *argument)
{
	struct shared *const shared = argument;
	const size_t n_levels = shared->probe->n_levels;
	const size_t n = shared->probe->n_chains * n_levels;
	unsigned int order[RS_PROBE_MAX_CHAINS * RS_PROBE_MAX_LEVELS];
	for (size_t i = 0; i < n; i++)
		order[i] = (unsigned int)i;
	for (unsigned int round = 0; round < N_ROUNDS * N_PLACEMENTS; round++) {
		rs_rng_shuffle(&shared->rng, order, n);
		for (size_t i = 0; i < n; i++)
			measure(shared, order[i] / n_levels, order[i] % n_levels,
				round % N_PLACEMENTS);
	}
	shared->is_done = 1;
}

static int place(struct shared *shared, struct rs_err *err)
{
	for (size_t c = 0; c < shared->probe->n_chains; c++) {
		for (unsigned int p = 0; p < N_PLACEMENTS; p++) {
			const int ret = rs_placement_make(
			    &shared->placements[c][p], shared->probe->chains[c].kernel,
			    p, N_PLACEMENTS, err);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static void unplace(struct shared *shared)
{
	for (size_t c = 0; c < shared->probe->n_chains; c++) {
		for (unsigned int p = 0; p < N_PLACEMENTS; p++)
			rs_placement_free(&shared->placements[c][p]);
	}
}

static int run_child(struct shared *shared, struct rs_err *err)
{
	static const struct rs_child_limits limits = {WALL_MS, WALL_MS};
	int status = 0;
	const int ret = rs_child_run(measure_all, shared, &limits, &status);
	if (ret)
		return rs_err_set(err, ret, "cannot run a process to measure in: %s",
				  strerror(-ret));
	if (rs_stopper_reason())
		return 0;
	if (!shared->is_done)
		return rs_err_set(err, -EIO,
				  "the measuring process ended early, of signal %d",
				  WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	return shared->is_wrong
		   ? rs_err_set(err, -EIO,
				"a chain did not make the calls that it was asked for")
		   : 0;
}

/* One fresh process; its code lies where no earlier one's lay. */
static int measure_process(struct rs_probe *probe, uint64_t seed, struct rs_err *err)
{
	struct shared *const shared = rs_child_share(sizeof(*shared));
	if (!shared)
		return rs_err_set(err, -ENOMEM, "not enough memory to probe");
	shared->probe = probe;
	rs_rng_seed(&shared->rng, seed);
	for (size_t i = 0; i < RS_CHAIN_ROWS; i++) {
		shared->bits[i][0] = rs_rng_next(&shared->rng);
		shared->bits[i][1] = rs_rng_next(&shared->rng);
	}
	int ret = place(shared, err);
	if (!ret)
		ret = run_child(shared, err);
	if (!ret && shared->is_done)
		memcpy(probe->points[probe->n_processes++], shared->points,
		       sizeof(shared->points));
	unplace(shared);
	rs_child_unshare(shared, sizeof(*shared));
	return ret;
}

/* Every level where link stacks end; fewer further up. */
static void choose_levels(struct rs_probe *probe)
{
	for (unsigned int level = 1; level <= RS_MAX_CHAIN; level += level < 40   ? 1
								     : level < 64 ? 2
										  : 4)
		probe->levels[probe->n_levels++] = level;
}

static struct rs_knee knee_of(const struct rs_probe *probe, size_t process,
			      size_t chain)
{
	double costs[RS_PROBE_MAX_LEVELS];
	for (size_t i = 0; i < probe->n_levels; i++) {
		const struct rs_probe_point *const point =
		    &probe->points[process][chain][i];
		costs[i] = (double)point->ticks / (double)point->calls;
	}
	return rs_knee_fit(probe->levels, costs, probe->n_levels);
}

static void answer(struct rs_probe *probe, uint64_t seed)
{
	for (size_t c = 0; c < probe->n_chains && probe->n_processes > 0; c++) {
		struct rs_knee knees[RS_MAX_PROCESSES];
		for (size_t p = 0; p < probe->n_processes; p++)
			knees[p] = knee_of(probe, p, c);
		probe->answers[c] = rs_knees_agree(knees, probe->n_processes, seed);
	}
}

static int measure_processes(struct rs_probe *probe,
			     const struct rs_probe_request *request, struct rs_err *err)
{
	int ret = 0;
	for (unsigned int i = 0; i < request->n_processes && !ret; i++) {
		if (request->show)
			request->show(request->user, i, request->n_processes);
		if (rs_stopper_reason())
			break;
		ret = measure_process(probe, request->seed + i, err);
	}
	probe->stopped = rs_stopper_reason();
	return ret;
}

int rs_probe_depth(struct rs_probe *out, const struct rs_probe_request *request,
		   struct rs_err *err)
{
	*out = (struct rs_probe){.chains = request->chains};
	if (!rs_ticks_name())
		return rs_err_set(err, -ENOTSUP,
				  "this instruction set has no tick clock to probe by");
	while (out->n_chains < 3 && out->chains[out->n_chains].name)
		out->n_chains++;
	choose_levels(out);
	out->points = calloc(request->n_processes, sizeof(*out->points));
	if (!out->points)
		return rs_err_set(err, -ENOMEM, "not enough memory to probe");
	rs_stopper_begin(0);
	const int ret = measure_processes(out, request, err);
	rs_stopper_end();
	answer(out, request->seed);
	return ret;
}

void rs_probe_free(struct rs_probe *probe)
{
	free(probe->points);
	*probe = (struct rs_probe){0};
}
