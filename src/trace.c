#include "src/trace.h"

#include <errno.h>

int rs_trace_open(struct rs_trace *out, const struct rs_linkstack_rules *rules,
		  uint32_t max_sites, struct rs_err *err)
{
	*out = (struct rs_trace){.rules = *rules};
	if (rs_tracesites_open(&out->sites, max_sites))
		return rs_err_set(err, -ENOMEM, "no memory for %u sites", max_sites);
	return 0;
}

void rs_trace_close(struct rs_trace *trace)
{
	rs_tracesites_close(&trace->sites);
	*trace = (struct rs_trace){.rules = {.entries = 0}};
}

static struct rs_trace_count *count_of(struct rs_trace_thread *thread, uint32_t site,
				       enum rs_trace_kind kind)
{
	return &thread->trace->sites.sites[site].counts[kind];
}

/* From here on it is to blame for returns that find the wrong entry on top. */
static void blame(struct rs_trace_thread *thread, uint32_t site,
		  enum rs_trace_kind kind)
{
	count_of(thread, site, kind)->times++;
	thread->culprit = site;
	thread->culprit_kind = kind;
	thread->has_culprit = true;
}

static void drop_call(void *user, uint32_t site)
{
	blame(user, site, RS_TRACE_PUSH_WITHOUT_POP);
}

int rs_trace_begin(struct rs_trace *trace, struct rs_trace_thread *thread,
		   struct rs_err *err)
{
	*thread = (struct rs_trace_thread){
	    .trace = trace,
	    .shadow = {.drop = drop_call, .user = thread},
	};
	trace->totals.threads++;
	return rs_linkstack_open(&thread->stack, &trace->rules, err);
}

void rs_trace_exec(struct rs_trace_thread *thread)
{
	rs_shadow_clear(&thread->shadow);
	thread->has_culprit = false;
}

void rs_trace_end(struct rs_trace_thread *thread)
{
	if (!thread->trace)
		return;
	struct rs_trace_totals *const totals = &thread->trace->totals;
	const struct rs_linkstack_counts *const counts = &thread->stack.counts;
	totals->calls += counts->pushes;
	totals->returns += counts->pops;
	totals->exempt += counts->exempt;
	totals->mispredicts += counts->mispredicts;
	if (thread->shadow.deepest > totals->deepest)
		totals->deepest = thread->shadow.deepest;
	rs_linkstack_close(&thread->stack);
	rs_shadow_free(&thread->shadow);
	*thread = (struct rs_trace_thread){.trace = NULL};
}

bool rs_trace_wants_site(const struct rs_insn *insn)
{
	return insn->flow != RS_FLOW_OTHER &&
	       (insn->link != RS_REG_NONE || insn->flow == RS_FLOW_POP ||
		insn->flow == RS_FLOW_POP_PUSH);
}

/* Whether a call was lost because so many came after it, or before it. */
static bool is_overflow(const struct rs_trace_thread *thread,
			const struct rs_shadow_call *call)
{
	const struct rs_linkstack_rules *const rules = &thread->trace->rules;
	const uint64_t depth = thread->shadow.n_forgotten + thread->shadow.n_calls;
	return rules->overflow < RS_OVERFLOW_REFUSE ? call->peak >= rules->entries
						    : depth >= rules->entries;
}

/* A mispredicted return of a call that was made. */
static enum rs_trace_kind kind_of(const struct rs_trace_thread *thread,
				  const struct rs_shadow_call *call,
				  const struct rs_guess *guess)
{
	if (is_overflow(thread, call))
		return RS_TRACE_OVERFLOW;
	return guess->was_empty ? RS_TRACE_UNDERFLOW : RS_TRACE_DISPLACED;
}

static void mispredict(struct rs_trace_thread *thread, uint32_t site,
		       const struct rs_shadow_call *call, const struct rs_guess *guess)
{
	const enum rs_trace_kind kind = kind_of(thread, call, guess);
	struct rs_trace_count *const count = count_of(thread, site, kind);
	count->times++;
	count->mispredicts++;
	if (kind != RS_TRACE_OVERFLOW && thread->has_culprit)
		count_of(thread, thread->culprit, thread->culprit_kind)->caused++;
}

/* A child by fork returns from calls that its parent made: nobody is to blame. */
static void take_unpaired(struct rs_trace_thread *thread, uint32_t site, bool is_right)
{
	const bool is_older = thread->shadow.n_calls == 0;
	const enum rs_trace_kind kind =
	    is_older ? RS_TRACE_UNDERFLOW : RS_TRACE_POP_WITHOUT_PUSH;
	struct rs_trace_count *const count = count_of(thread, site, kind);
	count->mispredicts += !is_right;
	if (is_older)
		count->times += !is_right;
	else
		blame(thread, site, kind);
}

static void take_return(struct rs_trace_thread *thread, uint32_t site, uint64_t target,
			const struct rs_guess *guess)
{
	struct rs_shadow_call call;
	if (!rs_shadow_pop(&thread->shadow, target, &call)) {
		take_unpaired(thread, site, guess->is_right);
	} else if (!guess->is_right) {
		mispredict(thread, site, &call, guess);
	}
}

int rs_trace_step(struct rs_trace_thread *thread, const struct rs_trace_step *step,
		  struct rs_err *err)
{
	struct rs_trace *const trace = thread->trace;
	const struct rs_insn *const insn = step->insn;
	struct rs_guess guess = {.is_right = true};
	trace->totals.instructions++;
	trace->totals.undecoded += !step->is_decoded;
	if (!rs_trace_wants_site(insn))
		return 0;
	const uint32_t site =
	    rs_tracesites_find(&trace->sites, step->image, step->offset);
	const struct rs_executed executed = {
	    .insn = insn,
	    .address = step->address,
	    .next = step->next,
	    .site = site,
	};
	thread->shadow.is_in_memory = step->is_in_memory;
	const enum rs_flow flow = rs_linkstack_step(&thread->stack, &executed, &guess);
	if (flow == RS_FLOW_POP || flow == RS_FLOW_POP_PUSH)
		take_return(thread, site, step->next, &guess);
	if ((flow == RS_FLOW_PUSH || flow == RS_FLOW_POP_PUSH) &&
	    rs_shadow_push(&thread->shadow, step->address + insn->n_bytes, step->stack,
			   site))
		return rs_err_set(err, -ENOMEM, "no memory for the calls of a thread");
	return 0;
}
