#include "src/forecast.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/text.h"
#include "src/stepper.h"

/*
 * Stepping takes some 23 us an instruction in an idle virtual machine, less outside of
 * one, and a row is to take less than 100 ms. What one iteration executes says whether
 * there is time for N_CALLS of them.
 */
#define N_CALLS   4U
#define FEW_STEPS 1000U /* for all of N_CALLS */
#define MAX_STEPS 3000U /* for a single one */

/* How often the model sees the iterations, at most: entries of a user's may be many. */
#define MAX_ROUNDS 100000U

/* An instruction that a link stack may care about. */
struct event {
	struct rs_insn insn;
	uint64_t address;
	uint64_t next;
};

/* What was executed from the call of a kernel to its return. */
struct recording {
	struct event *events; /* MAX_STEPS of them */
	size_t n_events;
	size_t n_steps;
	size_t n_undecoded;
	unsigned int n_calls;
};

static bool matters(const struct rs_insn *insn)
{
	return insn->flow == RS_FLOW_PUSH || insn->flow == RS_FLOW_EXEMPT ||
	       insn->flow == RS_FLOW_POP || insn->flow == RS_FLOW_POP_PUSH;
}

static int take_step(void *user, const struct rs_step *step)
{
	struct recording *const recording = user;
	if (recording->n_steps == MAX_STEPS)
		return 1;
	recording->n_steps++;
	recording->n_undecoded += !step->is_decoded;
	if (!step->is_decoded || !matters(step->insn))
		return 0;
	recording->events[recording->n_events++] = (struct event){
	    .insn = *step->insn,
	    .address = step->address,
	    .next = step->next,
	};
	return 0;
}

static int record_calls(struct recording *recording, const struct rs_cell *cell,
			unsigned int n_calls, struct rs_err *err)
{
	unsigned long kargs[RS_N_KARGS];
	for (size_t i = 0; i < RS_N_KARGS; i++)
		kargs[i] = cell->kargs[i];
	kargs[RS_KARG_CALLS] = n_calls;
	*recording = (struct recording){
	    .events = recording->events,
	    .n_calls = n_calls,
	};
	return rs_stepper_call(rs_placement_entry(&cell->placements[0], cell->depth),
			       kargs, take_step, recording, err);
}

static int record(struct recording *recording, const struct rs_cell *cell,
		  struct rs_err *err)
{
	int ret = record_calls(recording, cell, 1, err);
	if (!ret && recording->n_steps * N_CALLS <= FEW_STEPS)
		ret = record_calls(recording, cell, N_CALLS, err);
	if (ret == -ECANCELED)
		return rs_err_set(err, ret,
				  "one call executes more than %u instructions, too "
				  "many to step through",
				  MAX_STEPS);
	if (ret)
		return ret;
	if (recording->n_undecoded)
		return rs_err_set(err, -EINVAL,
				  "%zu of %zu executed instructions could not be "
				  "decoded",
				  recording->n_undecoded, recording->n_steps);
	return 0;
}

/*
 * The loop is entered by the first call and left by the last return; what lies between
 * them is whole iterations, and can be shown to the stack any number of times.
 */
static void show(struct rs_linkstack *stack, const struct recording *recording)
{
	struct rs_guess guess;
	for (size_t i = 1; i + 1 < recording->n_events; i++) {
		const struct event *const event = &recording->events[i];
		const struct rs_executed executed = {
		    .insn = &event->insn,
		    .address = event->address,
		    .next = event->next,
		    .site = RS_NO_SITE,
		};
		rs_linkstack_step(stack, &executed, &guess);
	}
}

/* At least one unpopped push an iteration has gone round the stack by then. */
static uint64_t rounds_of(const struct rs_linkstack_rules *rules, unsigned int n_calls)
{
	const uint64_t n = (uint64_t)rules->entries * rules->merge / n_calls + 2;
	return n < MAX_ROUNDS ? n : MAX_ROUNDS;
}

static void predict(struct rs_linkstack *stack, const struct recording *recording,
		    struct rs_maybe *out)
{
	const uint64_t n_rounds = rounds_of(&stack->rules, recording->n_calls);
	for (uint64_t i = 0; i < n_rounds; i++)
		show(stack, recording);
	rs_linkstack_reset_counts(stack);
	for (uint64_t i = 0; i < n_rounds; i++)
		show(stack, recording);
	out->known = true;
	out->value =
	    (double)stack->counts.mispredicts / ((double)n_rounds * recording->n_calls);
}

static int forecast_cell(const struct rs_cell *cell,
			 const struct rs_linkstack_rules *rules,
			 struct recording *recording, struct rs_forecast *out)
{
	struct rs_err err = {""};
	struct rs_linkstack stack = {0};
	int ret = record(recording, cell, &err);
	if (!ret)
		ret = rs_linkstack_open(&stack, rules, &err);
	if (!ret)
		predict(&stack, recording, &out->mispredicts);
	rs_linkstack_close(&stack);
	if (ret)
		rs_text_copy(out->reason, sizeof(out->reason), err.text);
	return ret == -ENOMEM ? ret : 0;
}

int rs_forecast_make(const struct rs_plan *plan, const struct rs_linkstack_rules *rules,
		     struct rs_forecast *out, struct rs_err *err)
{
	struct recording recording = {
	    .events = calloc(MAX_STEPS, sizeof(*recording.events)),
	};
	int ret = recording.events ? 0 : -ENOMEM;
	for (size_t i = 0; i < plan->n_cells && !ret; i++) {
		const struct rs_cell *const cell = &plan->cells[i];
		if (rs_cell_runs(cell) && cell->role == RS_ROLE_VARIANT)
			ret = forecast_cell(cell, rules, &recording, &out[i]);
	}
	for (size_t i = 0; i < plan->n_cells && !ret; i++) {
		const struct rs_cell *const cell = &plan->cells[i];
		if (cell->role == RS_ROLE_CONTROL && cell->baseline != RS_NO_CELL)
			out[i] = out[cell->baseline];
	}
	free(recording.events);
	return ret ? rs_err_set(err, ret, "not enough memory to model the run") : 0;
}

const char *rs_forecast_verdict(const struct rs_maybe *model,
				const struct rs_maybe *counted)
{
	if (!model->known || !counted->known)
		return NULL;
	return fabs(model->value - counted->value) <= RS_FORECAST_TOLERANCE
		   ? "agrees"
		   : "disagrees";
}
