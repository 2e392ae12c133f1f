#include "src/linkstack.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/rng.h"

#define N(array)       (sizeof(array) / sizeof((array)[0]))
#define ENTRIES        16
#define WARM_UP        200 /* iterations until the state repeats */
#define ITERATIONS     64
#define RECURSIVE_SITE 0x9000U

static void open_stack(struct rs_linkstack *stack, enum rs_overflow overflow,
		       enum rs_underflow underflow, uint32_t entries, uint32_t merge)
{
	const struct rs_linkstack_rules rules = {
	    .entries = entries,
	    .overflow = overflow,
	    .underflow = underflow,
	    .merge = merge,
	    .exempt = RS_EXEMPT_ISA,
	};
	struct rs_err err;
	if (rs_linkstack_open(stack, &rules, &err))
		fail_msg("%s", err.text);
}

struct shape {
	unsigned int frames; /* calls, each with its return */
	unsigned int extra_pushes;
	unsigned int extra_pops;
	bool is_recursive; /* all from one site */
};

static uint64_t site_of(const struct shape *shape, unsigned int frame)
{
	return shape->is_recursive ? RECURSIVE_SITE : 0x1000 + 64 * frame;
}

static void iterate(struct rs_linkstack *stack, const struct shape *shape)
{
	for (unsigned int i = 0; i < shape->frames; i++)
		rs_linkstack_push(stack, site_of(shape, i), i);
	for (unsigned int i = 0; i < shape->extra_pushes; i++)
		rs_linkstack_push(stack, 0x5000 + 8 * i, RS_NO_SITE);
	for (unsigned int i = 0; i < shape->extra_pops; i++)
		rs_linkstack_pop(stack, 0x7000 + 8 * i);
	for (unsigned int i = shape->frames; i-- > 0;)
		rs_linkstack_pop(stack, site_of(shape, i));
}

/* Mispredicts per iteration once the state repeats; they must divide evenly. */
static uint64_t steady(struct rs_linkstack *stack, const struct shape *shape)
{
	for (unsigned int i = 0; i < WARM_UP; i++)
		iterate(stack, shape);
	rs_linkstack_reset_counts(stack);
	for (unsigned int i = 0; i < ITERATIONS; i++)
		iterate(stack, shape);
	assert_int_equal(stack->counts.mispredicts % ITERATIONS, 0);
	return stack->counts.mispredicts / ITERATIONS;
}

struct policy {
	enum rs_overflow overflow;
	enum rs_underflow underflow;
	/* Mispredicts per unwind of ENTRIES + 0, 1, 4 and 16 calls. */
	uint64_t distinct[4];
	uint64_t recursive[4];
};

/* Derived elsewhere with another program, for a stack of 16. */
static const struct policy policies[] = {
    {RS_OVERFLOW_CIRCULAR, RS_UNDERFLOW_STALE, {0, 1, 4, 16}, {0, 0, 0, 0}},
    {RS_OVERFLOW_DROP_OLDEST, RS_UNDERFLOW_NONE, {0, 1, 4, 16}, {0, 1, 4, 16}},
    {RS_OVERFLOW_REFUSE_COUNT, RS_UNDERFLOW_NONE, {0, 1, 4, 16}, {0, 1, 4, 16}},
    {RS_OVERFLOW_REFUSE, RS_UNDERFLOW_NONE, {0, 17, 20, 32}, {0, 1, 4, 16}},
};

static const unsigned int beyond[4] = {0, 1, 4, 16};

static void policies_predict_what_the_table_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4 * 2 * N(policies); i++) {
		const struct policy *const policy = &policies[i / 8];
		const size_t cell = i % 4;
		const struct shape shape = {
		    .frames = ENTRIES + beyond[cell],
		    .is_recursive = i / 4 % 2,
		};
		struct rs_linkstack stack;
		open_stack(&stack, policy->overflow, policy->underflow, ENTRIES, 1);
		print_message("%s, %s, %u calls%s\n",
			      rs_overflow_name(policy->overflow),
			      rs_underflow_name(policy->underflow), shape.frames,
			      shape.is_recursive ? " from one site" : "");
		assert_int_equal(steady(&stack, &shape), shape.is_recursive
							     ? policy->recursive[cell]
							     : policy->distinct[cell]);
		rs_linkstack_close(&stack);
	}
}

static void which_returns_miss_depends_on_the_policy(void **state)
{
	(void)state;
	const struct shape shape = {.frames = ENTRIES + 4};
	for (unsigned int refuses = 0; refuses < 2; refuses++) {
		struct rs_linkstack stack;
		open_stack(&stack,
			   refuses ? RS_OVERFLOW_REFUSE_COUNT : RS_OVERFLOW_DROP_OLDEST,
			   RS_UNDERFLOW_NONE, ENTRIES, 1);
		for (unsigned int i = 0; i < shape.frames; i++)
			rs_linkstack_push(&stack, site_of(&shape, i), i);
		for (unsigned int i = shape.frames; i-- > 0;) {
			const struct rs_guess guess =
			    rs_linkstack_pop(&stack, site_of(&shape, i));
			const bool is_lost = refuses ? i >= ENTRIES : i < 4;
			assert_int_equal(guess.is_right, !is_lost);
			assert_int_equal(guess.is_made, !is_lost);
			assert_int_equal(guess.site, is_lost ? RS_NO_SITE : i);
		}
		rs_linkstack_close(&stack);
	}
}

/* One unpopped push below k frames costs k, and more of them cost no more. */
static void unpopped_pushes_cost_one_per_frame(void **state)
{
	(void)state;
	static const enum rs_underflow underflows[] = {RS_UNDERFLOW_STALE,
						       RS_UNDERFLOW_NONE};
	for (unsigned int i = 0; i < 8 * 40 * 2 * N(policies); i++) {
		const struct shape shape = {
		    .frames = 1 + i % 8,
		    .extra_pushes = 1 + i / 8 % 40,
		};
		const enum rs_underflow underflow = underflows[i / 320 % 2];
		const enum rs_overflow overflow = policies[i / 640].overflow;
		struct rs_linkstack stack;
		open_stack(&stack, overflow, underflow, ENTRIES, 1);
		const uint64_t misses = steady(&stack, &shape);
		/*
		 * A stack that refuses without counting fills with the extra pushes and
		 * then has just the room that each unwind leaves.
		 */
		const uint64_t want = overflow == RS_OVERFLOW_REFUSE ? 0 : shape.frames;
		if (misses != want)
			fail_msg("%s, %s, %u frames, %u extra pushes: %llu",
				 rs_overflow_name(overflow),
				 rs_underflow_name(underflow), shape.frames,
				 shape.extra_pushes, (unsigned long long)misses);
		rs_linkstack_close(&stack);
	}
}

static void unpaired_pops_cost_every_frame_and_themselves(void **state)
{
	(void)state;
	for (unsigned int k = 2; k <= 8; k++) {
		const struct shape shape = {.frames = k, .extra_pops = 1};
		struct rs_linkstack stack;
		open_stack(&stack, RS_OVERFLOW_DROP_OLDEST, RS_UNDERFLOW_NONE, ENTRIES,
			   1);
		assert_int_equal(steady(&stack, &shape), k + 1);
		rs_linkstack_close(&stack);
	}
}

/* A random walk that never goes deeper than the stack. */
static void balanced_code_within_the_depth_costs_nothing(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2 * N(policies); i++) {
		struct rs_linkstack stack;
		struct rs_rng rng;
		uint64_t addresses[ENTRIES];
		unsigned int depth = 0;
		open_stack(&stack, policies[i / 2].overflow, (enum rs_underflow)(i % 2),
			   ENTRIES, 1);
		rs_rng_seed(&rng, 7 + i);
		for (unsigned int step = 0; step < 20000; step++) {
			const bool is_call = rs_rng_below(&rng, 2);
			if (depth < ENTRIES && (is_call || !depth)) {
				addresses[depth] = 4 * rs_rng_below(&rng, 8);
				rs_linkstack_push(&stack, addresses[depth++], 0);
			} else {
				rs_linkstack_pop(&stack, addresses[--depth]);
			}
		}
		assert_int_equal(stack.counts.mispredicts, 0);
		assert_true(stack.counts.pops > 5000);
		rs_linkstack_close(&stack);
	}
}

/* 128 calls from one site fit into 16 entries of 8; the 129th overwrites. */
static void equal_pushes_in_a_row_share_an_entry(void **state)
{
	(void)state;
	for (unsigned int more = 0; more < 2; more++) {
		const struct shape shape = {.frames = 8 * ENTRIES + more,
					    .is_recursive = true};
		struct rs_linkstack stack;
		open_stack(&stack, RS_OVERFLOW_DROP_OLDEST, RS_UNDERFLOW_NONE, ENTRIES,
			   8);
		const uint64_t misses = steady(&stack, &shape);
		assert_int_equal(misses, more ? 8 : 0);
		rs_linkstack_close(&stack);
	}
}

/*
 * The reference: a list, oldest first, that is moved as a whole. A circular stack is
 * one that is always full: what is popped goes back in under the oldest.
 */
struct naive {
	struct rs_linkstack_rules rules;
	struct {
		uint64_t address;
		uint32_t n;
	} items[ENTRIES], gone;
	size_t n_items;
	size_t n_held;
	uint64_t n_refused;
};

static void naive_append(struct naive *naive, uint64_t address)
{
	if (naive->n_items == naive->rules.entries)
		memmove(&naive->items[0], &naive->items[1],
			--naive->n_items * sizeof(naive->items[0]));
	naive->items[naive->n_items].address = address;
	naive->items[naive->n_items++].n = 1;
}

static void naive_push(struct naive *naive, uint64_t address)
{
	const bool refuses = naive->rules.overflow == RS_OVERFLOW_REFUSE ||
			     naive->rules.overflow == RS_OVERFLOW_REFUSE_COUNT;
	const bool counts = naive->rules.overflow == RS_OVERFLOW_REFUSE_COUNT;
	const size_t top = naive->n_items - 1;
	if (naive->n_refused)
		naive->n_refused++;
	else if (naive->n_held && naive->items[top].address == address &&
		 naive->items[top].n < naive->rules.merge)
		naive->items[top].n++;
	else if (refuses && naive->n_held == naive->rules.entries)
		naive->n_refused += counts;
	else
		naive_append(naive, address);
	if (naive->rules.overflow != RS_OVERFLOW_CIRCULAR)
		naive->n_held = naive->n_items;
	else if (naive->items[naive->n_items - 1].n == 1 &&
		 naive->n_held < naive->rules.entries)
		naive->n_held++;
}

/* Takes the newest off; a circular list puts it back at the other end. */
static void naive_drop(struct naive *naive)
{
	const bool is_circular = naive->rules.overflow == RS_OVERFLOW_CIRCULAR;
	naive->gone = naive->items[--naive->n_items];
	if (naive->n_held)
		naive->n_held--;
	if (!is_circular)
		return;
	memmove(&naive->items[1], &naive->items[0],
		naive->n_items++ * sizeof(naive->items[0]));
	naive->items[0] = naive->gone;
}

static bool naive_pop(struct naive *naive, uint64_t target)
{
	if (naive->n_refused) {
		naive->n_refused--;
		return false;
	}
	const bool is_empty = !naive->n_held;
	if (is_empty && naive->rules.underflow == RS_UNDERFLOW_NONE)
		return false;
	if (is_empty && naive->rules.overflow != RS_OVERFLOW_CIRCULAR)
		return naive->gone.n && naive->gone.address == target;
	const size_t top = naive->n_items - 1;
	const bool is_right =
	    naive->items[top].n && naive->items[top].address == target;
	if (!is_empty && naive->items[top].n > 1)
		naive->items[top].n--;
	else
		naive_drop(naive);
	return is_right;
}

static void random_streams_agree_with_a_plain_list(void **state)
{
	(void)state;
	static const uint32_t merges[] = {1, 3};
	uint64_t n_right = 0;
	uint64_t n_wrong = 0;
	for (unsigned int i = 0; i < 4 * 2 * 2 * ENTRIES; i++) {
		const uint32_t entries = 1 + i / 16;
		struct rs_linkstack stack;
		open_stack(&stack, (enum rs_overflow)(i % 4),
			   (enum rs_underflow)(i / 4 % 2), entries, merges[i / 8 % 2]);
		struct naive naive = {.rules = stack.rules};
		if (naive.rules.overflow == RS_OVERFLOW_CIRCULAR)
			naive.n_items = entries;
		struct rs_rng rng;
		rs_rng_seed(&rng, i);
		for (unsigned int step = 0; step < 3000; step++) {
			/* Long runs of calls and of returns, to either end. */
			const bool is_call =
			    rs_rng_below(&rng, 100) < (step / 50 % 2 ? 25 : 75);
			const uint64_t address = 16 * rs_rng_below(&rng, 3);
			if (is_call) {
				rs_linkstack_push(&stack, address, step);
				naive_push(&naive, address);
				continue;
			}
			const bool want = naive_pop(&naive, address);
			if (rs_linkstack_pop(&stack, address).is_right != want)
				fail_msg("%s, %s, %u entries, merge %u: step %u",
					 rs_overflow_name(stack.rules.overflow),
					 rs_underflow_name(stack.rules.underflow),
					 entries, stack.rules.merge, step);
			n_right += want;
			n_wrong += !want;
		}
		rs_linkstack_close(&stack);
	}
	assert_true(n_right > 10000 && n_wrong > 10000);
}

static void rules_out_of_range_are_refused(void **state)
{
	(void)state;
	static const struct rs_linkstack_rules wrong[] = {
	    {.entries = 0, .merge = 1},
	    {.entries = RS_LINKSTACK_MAX_ENTRIES + 1, .merge = 1},
	    {.entries = 16, .merge = 0},
	};
	for (size_t i = 0; i < N(wrong); i++) {
		struct rs_linkstack stack;
		struct rs_err err = {""};
		assert_int_equal(rs_linkstack_open(&stack, &wrong[i], &err), -EINVAL);
		assert_int_not_equal(err.text[0], '\0');
		rs_linkstack_close(&stack);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(policies_predict_what_the_table_says),
	    cmocka_unit_test(which_returns_miss_depends_on_the_policy),
	    cmocka_unit_test(unpopped_pushes_cost_one_per_frame),
	    cmocka_unit_test(unpaired_pops_cost_every_frame_and_themselves),
	    cmocka_unit_test(balanced_code_within_the_depth_costs_nothing),
	    cmocka_unit_test(equal_pushes_in_a_row_share_an_entry),
	    cmocka_unit_test(random_streams_agree_with_a_plain_list),
	    cmocka_unit_test(rules_out_of_range_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
