/*
 * How many branches a second does the model take on one core? The stream is that of a
 * program: nested calls and returns to the depths of a random walk, from few sites and
 * many, shown as executed instructions like those of a trace. Prints millions a second
 * for each policy, and the ratio to a loop that only reads the stream, whose speed is
 * the machine's. Seconds are of this process's own: what else runs takes none of them.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/linkstack.h"
#include "src/rng.h"

#define N_BRANCHES 1000000U
#define N_ROUNDS   20
#define MAX_DEPTH  64U

struct branch {
	uint64_t address;
	bool is_call;
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(struct branch *branches)
{
	uint64_t addresses[MAX_DEPTH];
	unsigned int depth = 0;
	struct rs_rng rng;
	rs_rng_seed(&rng, 1);
	for (size_t i = 0; i < N_BRANCHES; i++) {
		const bool is_over = N_BRANCHES - i <= depth; /* end where it began */
		const bool is_call =
		    !is_over &&
		    (!depth || (depth < MAX_DEPTH && rs_rng_below(&rng, 2)));
		if (is_call)
			addresses[depth++] = 4 * rs_rng_below(&rng, 4096);
		branches[i].is_call = is_call;
		branches[i].address =
		    is_call ? addresses[depth - 1] : addresses[--depth];
	}
}

static const struct rs_insn call = {
    .flow = RS_FLOW_PUSH,
    .n_bytes = 4,
    .link = RS_REG_LR,
};
static const struct rs_insn leave = {.flow = RS_FLOW_POP, .n_bytes = 4};

/* The best of N_ROUNDS, in branches a second: what disturbs only ever adds time. */
static double model_rate(struct rs_linkstack *stack, const struct branch *branches)
{
	double best = 0;
	for (unsigned int round = 0; round < N_ROUNDS; round++) {
		const double begin = now_s();
		for (size_t i = 0; i < N_BRANCHES; i++) {
			const uint64_t address = branches[i].address;
			const struct rs_executed executed = {
			    .insn = branches[i].is_call ? &call : &leave,
			    .address = address - call.n_bytes,
			    .next = address,
			};
			struct rs_guess guess;
			rs_linkstack_step(stack, &executed, &guess);
		}
		const double rate = N_BRANCHES / (now_s() - begin);
		best = rate > best ? rate : best;
	}
	return best;
}

static double plain_rate(const struct branch *branches)
{
	double best = 0;
	for (unsigned int round = 0; round < N_ROUNDS; round++) {
		volatile uint64_t sum = 0;
		const double begin = now_s();
		for (size_t i = 0; i < N_BRANCHES; i++) {
			if (branches[i].is_call)
				sum += branches[i].address;
			else
				sum -= branches[i].address;
		}
		(void)sum; /* clang counts += as no use */
		const double rate = N_BRANCHES / (now_s() - begin);
		best = rate > best ? rate : best;
	}
	return best;
}

int main(void)
{
	struct branch *const branches = malloc(N_BRANCHES * sizeof(*branches));
	if (!branches)
		return 1;
	fill(branches);
	const double plain = plain_rate(branches);
	printf(
	    "link-stack model, millions of branches a second on one core (aim: 100)\n"
	    "%-14s %8s %6s %12s\n",
	    "overflow", "M/s", "ratio", "mispredicts");
	for (unsigned int i = 0; i < RS_N_OVERFLOW; i++) {
		const struct rs_linkstack_rules rules = {
		    .entries = 16,
		    .overflow = (enum rs_overflow)i,
		    .merge = 1,
		};
		struct rs_linkstack stack;
		struct rs_err err;
		if (rs_linkstack_open(&stack, &rules, &err))
			return 1;
		const double rate = model_rate(&stack, branches);
		printf("%-14s %8.1f %6.3f %11.1f%%\n", rs_overflow_name(rules.overflow),
		       rate / 1e6, rate / plain,
		       100.0 * (double)stack.counts.mispredicts /
			   (double)stack.counts.pops);
		rs_linkstack_close(&stack);
	}
	free(branches);
	return 0;
}
