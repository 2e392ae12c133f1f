#ifndef SRC_POLICY_H
#define SRC_POLICY_H

/*
 * Which overflow and underflow of the model explains curves of cost over nested calls
 * (docs/method.md, "Probing the policy").
 */

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/linkstack.h"
#include "src/vote.h"

#define RS_N_POLICIES (RS_N_OVERFLOW * RS_N_UNDERFLOW)

/* The rules of policy i, 0 to RS_N_POLICIES - 1, for so many entries. */
struct rs_linkstack_rules rs_policy_rules(size_t i, uint32_t entries);

#define RS_POLICY_MAX_LEVELS 96

/* One chain: what the policies predict of it at each level. */
struct rs_policy_chain {
	enum rs_sites sites;
	unsigned int levels[RS_POLICY_MAX_LEVELS]; /* ascending */
	size_t n;
	double predicted[RS_N_POLICIES][RS_POLICY_MAX_LEVELS];
};

/* Fills in predicted. Returns 0 or -ENOMEM. */
int rs_policy_predict(struct rs_policy_chain *chain, uint32_t entries,
		      struct rs_err *err);

/*
 * How far each policy is from what was measured: the share of the variance, 0 to 1,
 * that is left when each chain's cost is a + b * level + penalty * predicted, with a
 * and b of its own and one penalty for all, which is not negative. costs has an array
 * for each chain.
 */
void rs_policy_distances(const struct rs_policy_chain *chains, size_t n_chains,
			 const double (*costs)[RS_POLICY_MAX_LEVELS],
			 double distances[RS_N_POLICIES]);

/* Policies that predict the same of all chains get the same number. */
void rs_policy_classes(const struct rs_policy_chain *chains, size_t n_chains,
		       unsigned int classes[RS_N_POLICIES]);

/* More of the variance than this unexplained is no explanation. */
#define RS_POLICY_FURTHEST 0.25

#endif
