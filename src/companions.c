#include "src/companions.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/cell.h"

/* Between two looks at whether to stop: a small part of a repetition. */
#define PARTS_OF_REPETITION 32

struct companion {
	struct rs_companions *all;
	unsigned int index;
	unsigned int cpu;
	pthread_t thread;
	char *outputs;
	int code; /* of binding it to its CPU; written before the first gate */
	unsigned long kargs[RS_N_KARGS];
};

/* All that is not atomic changes only while everyone waits at the gate. */
struct rs_companions {
	const struct rs_plan *plan;
	struct companion *each;
	unsigned int n;
	pthread_barrier_t gate; /* passed by all and their owner, twice a turn */
	_Atomic unsigned int n_running;
	_Atomic bool is_over;
	bool is_closing;
	const struct rs_cell *cell;
	const void *entry;
};

/* As the cell's own, with addresses of this thread's memory in place of the plan's. */
static void set_kargs(struct companion *companion)
{
	const struct rs_plan *const plan = companion->all->plan;
	const uintptr_t outputs = (uintptr_t)plan->outputs;
	unsigned long *const kargs = companion->kargs;
	memcpy(kargs, companion->all->cell->kargs, sizeof(companion->kargs));
	for (size_t i = RS_KARG_ARG0; i <= RS_KARG_ARG2; i++) {
		if (kargs[i] >= outputs && kargs[i] < outputs + RS_OUTPUTS_BYTES)
			kargs[i] += (uintptr_t)companion->outputs - outputs;
	}
	if (plan->random.pages && kargs[RS_KARG_ARG3] == (uintptr_t)plan->random.pages)
		kargs[RS_KARG_ARG3] += (companion->index + 1) * plan->random.stride;
	kargs[RS_KARG_CALLS] = kargs[RS_KARG_CALLS] / PARTS_OF_REPETITION + 1;
}

static void run_turn(struct companion *companion)
{
	struct rs_companions *const all = companion->all;
	set_kargs(companion);
	atomic_fetch_add(&all->n_running, 1);
	while (!atomic_load_explicit(&all->is_over, memory_order_relaxed))
		rs_kernel_call(all->entry, companion->kargs);
}

static void *run(void *user)
{
	struct companion *const companion = user;
	struct rs_companions *const all = companion->all;
	struct rs_err ignored;
	companion->code = rs_affinity_pin(companion->cpu, &ignored);
	pthread_barrier_wait(&all->gate);
	for (;;) {
		pthread_barrier_wait(&all->gate);
		if (all->is_closing)
			return NULL;
		run_turn(companion);
		pthread_barrier_wait(&all->gate);
	}
}

int rs_companions_choose(const struct rs_cpus *allowed, unsigned int cpu,
			 unsigned int *cpus, unsigned int n, struct rs_err *err)
{
	const unsigned int last = (unsigned int)rs_cpus_last(allowed);
	unsigned int n_chosen = 0;
	for (unsigned int c = 0; c <= last && n_chosen < n; c++) {
		if (c != cpu && rs_cpus_has(allowed, c))
			cpus[n_chosen++] = c;
	}
	if (n_chosen == n)
		return 0;
	return rs_err_set(err, -EINVAL,
			  "%u threads need a CPU each, and only %zu may be used", n + 1,
			  rs_cpus_count(allowed));
}

/* Those that do not start leave nobody waiting: the others are at no gate yet. */
static int start(struct rs_companions *all, const unsigned int *cpus,
		 struct rs_err *err)
{
	for (unsigned int i = 0; i < all->n; i++) {
		struct companion *const companion = &all->each[i];
		companion->all = all;
		companion->index = i;
		companion->cpu = cpus[i];
		companion->outputs = aligned_alloc(RS_OUTPUT_BYTES, RS_OUTPUTS_BYTES);
		const int code =
		    companion->outputs
			? pthread_create(&companion->thread, NULL, run, companion)
			: ENOMEM;
		if (code)
			return rs_err_set(err, -code, "cannot start %u threads: %s",
					  all->n + 1, rs_err_name(code));
	}
	return 0;
}

static int check_places(const struct rs_companions *all, struct rs_err *err)
{
	for (unsigned int i = 0; i < all->n; i++) {
		if (all->each[i].code)
			return rs_err_set(err, all->each[i].code,
					  "cannot bind a thread to CPU %u: %s",
					  all->each[i].cpu,
					  rs_err_name(-all->each[i].code));
	}
	return 0;
}

int rs_companions_open(struct rs_companions **out, const struct rs_plan *plan,
		       const unsigned int *cpus, unsigned int n, struct rs_err *err)
{
	struct rs_companions *const all = calloc(1, sizeof(*all));
	struct companion *const each = calloc(n, sizeof(*each));
	if (!all || !each) {
		free(all);
		free(each);
		return rs_err_set(err, -ENOMEM, "not enough memory for %u threads", n);
	}
	*all = (struct rs_companions){.plan = plan, .each = each, .n = n};
	pthread_barrier_init(&all->gate, NULL, n + 1);
	int ret = start(all, cpus, err);
	if (ret)
		return ret; /* the process is about to end, with those that started */
	*out = all;
	pthread_barrier_wait(&all->gate);
	return check_places(all, err);
}

void rs_companions_begin(struct rs_companions *all, const struct rs_cell *cell,
			 const void *entry)
{
	if (!all)
		return;
	all->cell = cell;
	all->entry = entry;
	atomic_store(&all->n_running, 0);
	atomic_store(&all->is_over, false);
	pthread_barrier_wait(&all->gate);
	while (atomic_load(&all->n_running) < all->n)
		sched_yield();
}

void rs_companions_end(struct rs_companions *all)
{
	if (!all)
		return;
	atomic_store(&all->is_over, true);
	pthread_barrier_wait(&all->gate);
}

void rs_companions_close(struct rs_companions *all)
{
	if (!all)
		return;
	all->is_closing = true;
	pthread_barrier_wait(&all->gate);
	for (unsigned int i = 0; i < all->n; i++) {
		pthread_join(all->each[i].thread, NULL);
		free(all->each[i].outputs);
	}
	pthread_barrier_destroy(&all->gate);
	free(all->each);
	free(all);
}
