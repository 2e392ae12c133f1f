#include "src/policy.h"

#include <math.h>

#include "src/stream.h"

_Static_assert(RS_N_POLICIES <= RS_MAX_EXPLANATIONS, "a vote takes all policies");

/* Predictions nearer than this, in mispredicts, are the same: chance moves them more.
 */
#define SAME 0.25

struct rs_linkstack_rules rs_policy_rules(size_t i, uint32_t entries)
{
	return (struct rs_linkstack_rules){
	    .entries = entries,
	    .overflow = (enum rs_overflow)(i / RS_N_UNDERFLOW),
	    .underflow = (enum rs_underflow)(i % RS_N_UNDERFLOW),
	    .merge = 1,
	};
}

int rs_policy_predict(struct rs_policy_chain *chain, uint32_t entries,
		      struct rs_err *err)
{
	int ret = 0;
	for (size_t policy = 0; policy < RS_N_POLICIES; policy++) {
		const struct rs_linkstack_rules rules =
		    rs_policy_rules(policy, entries);
		for (size_t i = 0; i < chain->n && !ret; i++)
			ret = rs_stream_chain(&rules, chain->sites, chain->levels[i],
					      &chain->predicted[policy][i], err);
	}
	return ret;
}

/*
 * What of values a line over the levels does not say. The noise of a cost grows with
 * the calls that it is of, so a level weighs 1 / level^2.
 */
static void subtract_line(const struct rs_policy_chain *chain, const double *values,
			  double *rest)
{
	double w = 0, x = 0, y = 0, xx = 0, xy = 0;
	for (size_t i = 0; i < chain->n; i++) {
		const double level = chain->levels[i];
		const double weight = 1 / (level * level);
		w += weight;
		x += weight * level;
		y += weight * values[i];
		xx += weight * level * level;
		xy += weight * level * values[i];
	}
	const double slope = (xy - x * y / w) / (xx - x * x / w);
	for (size_t i = 0; i < chain->n; i++)
		rest[i] = values[i] - y / w - slope * (chain->levels[i] - x / w);
}

/* Weighted sums of products of rests, over all chains. */
struct products {
	double cost_cost, cost_predicted, predicted_predicted;
};

static void add_products(struct products *products, const struct rs_policy_chain *chain,
			 const double *costs, const double *predicted)
{
	double cost[RS_POLICY_MAX_LEVELS], rest[RS_POLICY_MAX_LEVELS];
	subtract_line(chain, costs, cost);
	subtract_line(chain, predicted, rest);
	for (size_t i = 0; i < chain->n; i++) {
		const double level = chain->levels[i];
		const double weight = 1 / (level * level);
		products->cost_cost += weight * cost[i] * cost[i];
		products->cost_predicted += weight * cost[i] * rest[i];
		products->predicted_predicted += weight * rest[i] * rest[i];
	}
}

static double share_left(const struct products *products)
{
	if (products->cost_predicted <= 0 || products->predicted_predicted <= 0 ||
	    products->cost_cost <= 0)
		return 1;
	const double explained = products->cost_predicted * products->cost_predicted /
				 products->predicted_predicted / products->cost_cost;
	return fmax(0, 1 - explained);
}

void rs_policy_distances(const struct rs_policy_chain *chains, size_t n_chains,
			 const double (*costs)[RS_POLICY_MAX_LEVELS],
			 double distances[RS_N_POLICIES])
{
	for (size_t policy = 0; policy < RS_N_POLICIES; policy++) {
		struct products products = {0};
		for (size_t c = 0; c < n_chains; c++)
			add_products(&products, &chains[c], costs[c],
				     chains[c].predicted[policy]);
		distances[policy] = share_left(&products);
	}
}

static bool is_same(const struct rs_policy_chain *chains, size_t n_chains, size_t a,
		    size_t b)
{
	for (size_t c = 0; c < n_chains; c++) {
		for (size_t i = 0; i < chains[c].n; i++) {
			if (fabs(chains[c].predicted[a][i] -
				 chains[c].predicted[b][i]) > SAME)
				return false;
		}
	}
	return true;
}

void rs_policy_classes(const struct rs_policy_chain *chains, size_t n_chains,
		       unsigned int classes[RS_N_POLICIES])
{
	for (size_t i = 0; i < RS_N_POLICIES; i++) {
		size_t first = 0;
		while (first < i && !is_same(chains, n_chains, first, i))
			first++;
		classes[i] = (unsigned int)first;
	}
}
