#include "src/stream.h"

#include "src/rng.h"

#define SEED     1
#define N_ROUNDS 32 /* that are counted, once the stack is in its long run */

/* Addresses of the calls: those of frames and levels lie above these. */
#define FORM_ADDRESS  1
#define LOST_ADDRESS  2
#define LEVEL_ADDRESS 16

static void push(struct rs_linkstack *stack, uint64_t address)
{
	rs_linkstack_push(stack, address, RS_NO_SITE);
}

static void show_form(struct rs_linkstack *stack, unsigned int k, bool is_pushed,
		      bool returns)
{
	for (unsigned int i = k; i > 0; i--)
		push(stack, LEVEL_ADDRESS + i);
	if (is_pushed)
		push(stack, FORM_ADDRESS);
	if (returns)
		rs_linkstack_pop(stack, FORM_ADDRESS);
	for (unsigned int i = 1; i <= k; i++)
		rs_linkstack_pop(stack, LEVEL_ADDRESS + i);
}

/* Twice as many iterations as lose an entry each fill any stack. */
static unsigned int n_warm(const struct rs_linkstack_rules *rules)
{
	return 2 * rules->entries + N_ROUNDS;
}

int rs_stream_form(const struct rs_linkstack_rules *rules, unsigned int k,
		   bool is_pushed, bool returns, double *mispredicts,
		   struct rs_err *err)
{
	struct rs_linkstack stack = {0};
	const int ret = rs_linkstack_open(&stack, rules, err);
	if (ret)
		return ret;
	for (unsigned int i = 0; i < n_warm(rules); i++)
		show_form(&stack, k, is_pushed, returns);
	rs_linkstack_reset_counts(&stack);
	for (unsigned int i = 0; i < N_ROUNDS; i++)
		show_form(&stack, k, is_pushed, returns);
	*mispredicts = (double)stack.counts.mispredicts / N_ROUNDS;
	rs_linkstack_close(&stack);
	return 0;
}

/* The return address of level i from the outside, 0 being the loop's own call. */
static uint64_t address_of(enum rs_sites sites, unsigned int i, struct rs_rng *rng)
{
	switch (sites) {
	case RS_SITES_RANDOM:
	case RS_SITES_LOST:
		return LEVEL_ADDRESS + 2 * i + (i > 0 ? rs_rng_below(rng, 2) : 0);
	case RS_SITES_ONE:
		return LEVEL_ADDRESS + (i > 0);
	case RS_SITES_PAIR:
		return LEVEL_ADDRESS + (i > 0 ? 1 + i % 2 : 0);
	default:
		return LEVEL_ADDRESS + i;
	}
}

static void show_chain(struct rs_linkstack *stack, enum rs_sites sites, unsigned int n,
		       struct rs_rng *rng)
{
	uint64_t addresses[RS_MAX_CHAIN];
	if (sites == RS_SITES_LOST)
		push(stack, LOST_ADDRESS);
	for (unsigned int i = 0; i < n; i++) {
		addresses[i] = address_of(sites, i, rng);
		push(stack, addresses[i]);
	}
	for (unsigned int i = n; i > 0; i--)
		rs_linkstack_pop(stack, addresses[i - 1]);
}

int rs_stream_chain(const struct rs_linkstack_rules *rules, enum rs_sites sites,
		    unsigned int n, double *mispredicts, struct rs_err *err)
{
	struct rs_linkstack stack = {0};
	struct rs_rng rng;
	const int ret = rs_linkstack_open(&stack, rules, err);
	if (ret)
		return ret;
	rs_rng_seed(&rng, SEED);
	for (unsigned int i = 0; i < n_warm(rules); i++)
		show_chain(&stack, sites, n, &rng);
	rs_linkstack_reset_counts(&stack);
	for (unsigned int i = 0; i < N_ROUNDS; i++)
		show_chain(&stack, sites, n, &rng);
	*mispredicts = (double)stack.counts.mispredicts / N_ROUNDS;
	rs_linkstack_close(&stack);
	return 0;
}
