#include "src/vote.h"

#include "src/knee.h"
#include "src/stats.h"

/* The nearest explanation of none of the classes but except's; n without one. */
static size_t nearest(const struct rs_voting *voting, const double *distances,
		      size_t except)
{
	const size_t n = voting->n_explanations;
	size_t found = n;
	for (size_t i = 0; i < n; i++) {
		if (except < n && voting->classes[i] == voting->classes[except])
			continue;
		if (found == n || distances[i] < distances[found])
			found = i;
	}
	return found;
}

static bool chooses(const struct rs_voting *voting, const double *distances,
		    size_t best)
{
	const size_t n = voting->n_explanations;
	const size_t own = nearest(voting, distances, n);
	const size_t next = nearest(voting, distances, own);
	if (voting->classes[own] != voting->classes[best] ||
	    !(distances[own] <= voting->furthest))
		return false;
	return next == n || 2 * distances[own] <= distances[next];
}

struct rs_vote rs_vote_count(const struct rs_voting *voting)
{
	struct rs_vote out = {.is_clear = false};
	const size_t n = voting->n_explanations;
	double values[RS_MAX_PROCESSES];
	if (voting->n_processes == 0)
		return out;
	for (size_t i = 0; i < n; i++) {
		for (size_t p = 0; p < voting->n_processes; p++)
			values[p] = voting->distances[p * n + i];
		out.distances[i] = rs_stats_median(values, voting->n_processes);
	}
	out.best = nearest(voting, out.distances, n);
	const size_t next = nearest(voting, out.distances, out.best);
	out.runner_up = next == n ? out.best : next;
	for (size_t p = 0; p < voting->n_processes; p++)
		out.n_agreeing += chooses(voting, &voting->distances[p * n], out.best);
	out.is_clear = voting->n_processes >= RS_MIN_PROCESSES &&
		       4 * out.n_agreeing >= 3 * voting->n_processes;
	return out;
}
