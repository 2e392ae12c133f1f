#include "src/stepper.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "src/stopper.h"

/* What the child calls, and what of it the caller wants to see. */
struct call {
	const void *entry;
	unsigned long *kargs;
	int (*step)(void *user, const struct rs_step *step);
	void *user;
	struct rs_step last_call; /* before it is inside */
	struct rs_insn last_insn;
	bool is_inside;
	uint64_t back; /* where the call of entry returns to */
	bool is_done;
	bool is_cancelled;
	uint64_t end_ns;
	bool is_late;
};

static void call_kernel(void *user)
{
	const struct call *const call = user;
	rs_kernel_call(call->entry, call->kargs);
}

static int ignore_thread(void *user, struct rs_stepped *thread)
{
	(void)user;
	(void)thread;
	return 0;
}

static void ignore_end(void *user, struct rs_stepped *thread)
{
	(void)user;
	(void)thread;
}

static int tell(struct call *call, const struct rs_step *step)
{
	call->is_cancelled = call->step(call->user, step);
	return call->is_done || call->is_cancelled;
}

/* The compiler may let the caller of entry jump there, from where it was called. */
static int look_for_entry(struct call *call, const struct rs_step *step)
{
	if (step->insn->flow == RS_FLOW_PUSH) {
		call->last_insn = *step->insn;
		call->last_call = *step;
		call->last_call.insn = &call->last_insn;
		call->back = step->address + step->insn->n_bytes;
	}
	if (step->next != (uintptr_t)call->entry || !call->last_call.insn)
		return 0;
	call->is_inside = true;
	return tell(call, &call->last_call);
}

static int take_step(void *user, struct rs_stepped *thread, const struct rs_step *step)
{
	struct call *const call = user;
	(void)thread;
	if (!call->is_inside)
		return look_for_entry(call, step);
	call->is_done = step->next == call->back;
	return tell(call, step);
}

static bool is_over(void *user)
{
	struct call *const call = user;
	call->is_late = rs_now_ns() > call->end_ns;
	return call->is_late;
}

static int judge(const struct call *call, const struct rs_stepper_end *end,
		 struct rs_err *err)
{
	if (call->is_cancelled)
		return rs_err_set(err, -ECANCELED,
				  "stepping through a kernel was "
				  "ended early");
	if (call->is_done)
		return 0;
	if (call->is_late)
		return rs_err_set(err, -ETIME,
				  "a kernel did not return within %d s of stepping",
				  RS_STEPPER_CALL_S);
	if (end->has_ended && WIFSIGNALED(end->status))
		return rs_err_set(err, -EFAULT,
				  "a kernel died of SIG%s under "
				  "single-step",
				  sigabbrev_np(WTERMSIG(end->status)));
	return rs_err_set(err, -ENOTSUP,
			  "a kernel was not seen running under single-step");
}

int rs_stepper_call(const void *entry, unsigned long *kargs,
		    int (*step)(void *user, const struct rs_step *step), void *user,
		    struct rs_err *err)
{
	struct call call = {
	    .entry = entry,
	    .kargs = kargs,
	    .step = step,
	    .user = user,
	    .end_ns = rs_now_ns() + RS_STEPPER_CALL_S * UINT64_C(1000000000),
	};
	const struct rs_tracee_target target = {
	    .out = -1,
	    .body = call_kernel,
	    .user = &call,
	};
	const struct rs_stepper_sink sink = {
	    .user = &call,
	    .begin = ignore_thread,
	    .step = take_step,
	    .exec = ignore_thread,
	    .end = ignore_end,
	    .is_over = is_over,
	};
	struct rs_stepper_end end;
	const int ret = rs_stepper_run(&target, &sink, &end, err);
	return ret ? ret : judge(&call, &end, err);
}
