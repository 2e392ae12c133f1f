#include "src/verify.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "src/base/text.h"
#include "src/child.h"
#include "src/clockid.h"
#include "src/oracle.h"
#include "src/vdso.h"
#include "src/verify_parts.h"

/* An emulator may need a hundred times what a processor does. */
static const struct rs_child_limits limits = {.cpu_ms = 10000, .wall_ms = 20000};

#define NAME_BYTES 128

/* One function and clock id. */
struct subject {
	const char *name; /* "clock_gettime:monotonic" */
	const struct rs_trial_plan *plan;
	struct rs_checks *out;
};

void rs_verify_say(struct rs_verifying *verifying, enum rs_check_state state,
		   const char *fmt, ...)
{
	va_list args;
	verifying->state = state;
	va_start(args, fmt);
	vsnprintf(verifying->why, sizeof(verifying->why), fmt, args);
	va_end(args);
}

static const char *signal_name(int sig)
{
	const char *const name = sigabbrev_np(sig);
	return name ? name : "?";
}

static void judge_signal(const struct rs_verify_check *check,
			 struct rs_verifying *verifying, int sig)
{
	char doing[128] = "";
	if (check->describe)
		check->describe(verifying, doing, sizeof(doing));
	if (check->allows && check->allows(verifying, sig))
		verifying->state = RS_CHECK_GOOD;
	else if (sig == RS_CHILD_HANG_SIG || sig == RS_CHILD_STUCK_SIG)
		rs_verify_say(verifying, RS_CHECK_BAD, "%sit did not end within %d s",
			      doing, (int)limits.cpu_ms / 1000);
	else
		rs_verify_say(verifying, RS_CHECK_BAD, "%sit crashed with SIG%s", doing,
			      signal_name(sig));
}

/* Runs one case in a child. */
static int run_case(const struct rs_verify_check *check, struct rs_verifying *shared)
{
	int status = 0;
	const int ret = rs_child_run(check->body, shared, &limits, &status);
	if (ret)
		return ret;
	if (WIFSIGNALED(status))
		judge_signal(check, shared, WTERMSIG(status));
	return 0;
}

/* Until one fails; the others would say the same or be hidden behind it. */
static bool goes_on(const struct rs_verifying *shared)
{
	return shared->state == RS_CHECK_GOOD || shared->state == RS_CHECK_WARN;
}

static int run_cases(const struct rs_verify_check *check, struct rs_verifying *shared)
{
	const size_t n_cases = check->count ? check->count(shared->plan) : 1;
	for (size_t i = 0; i < n_cases && goes_on(shared); i++) {
		shared->index = i;
		const int ret = run_case(check, shared);
		if (ret)
			return ret;
		if (check->count)
			shared->n = i + 1;
	}
	return 0;
}

static void add_check(const struct subject *subject, const char *check_name,
		      enum rs_check_state state, const char *value, const char *cause)
{
	char name[NAME_BYTES + 32];
	snprintf(name, sizeof(name), "%s %s", subject->name, check_name);
	rs_checks_add(subject->out, &(struct rs_check){
					.name = name,
					.state = state,
					.value = value,
					.cause = cause && *cause ? cause : NULL,
				    });
}

static int make_check(const struct subject *subject,
		      const struct rs_verify_check *check)
{
	char value[64];
	struct rs_verifying *const shared = rs_child_share(sizeof(*shared));
	if (!shared)
		return -ENOMEM;
	shared->plan = subject->plan;
	shared->state = RS_CHECK_GOOD;
	shared->describe = check->describe;
	const int ret = run_cases(check, shared);
	snprintf(value, sizeof(value), "%zu %s", shared->n, check->unit);
	if (!ret)
		add_check(subject, check->name, shared->state, shared->n ? value : NULL,
			  shared->why);
	rs_child_unshare(shared, sizeof(*shared));
	return ret;
}

int rs_verify_some(struct rs_checks *out, const char *name,
		   const struct rs_trial_plan *plan,
		   const struct rs_verify_check *checks)
{
	const struct subject subject = {.name = name, .plan = plan, .out = out};
	int ret = 0;
	for (const struct rs_verify_check *check = checks; check->name && !ret;
	     check++) {
		if (check->applies(plan))
			ret = make_check(&subject, check);
	}
	return ret;
}

int rs_verify_function(struct rs_checks *out, const char *name,
		       const struct rs_trial_plan *plan)
{
	int ret = rs_verify_some(out, name, plan, rs_verify_value_checks());
	if (!ret)
		ret = rs_verify_some(out, name, plan, rs_verify_random_checks());
	return ret ? ret : rs_verify_some(out, name, plan, rs_verify_abi_checks());
}

struct verifying_all {
	const struct rs_verify_request *request;
	const struct rs_vdso *vdso;
	struct rs_checks *out;
};

static bool is_wanted(const struct rs_verify_request *request,
		      const struct rs_workload *workload,
		      const struct rs_operand *clock)
{
	for (size_t i = 0; i < request->n_patterns; i++) {
		const struct rs_pattern *const pattern = &request->patterns[i];
		const bool is_any = !pattern->operand[0];
		if (rs_pattern_fits(pattern, workload, is_any ? NULL : clock))
			return true;
	}
	return request->n_patterns == 0;
}

/* Absent by design is normal, so it is told and nothing is wrong. */
static int verify_one(const struct verifying_all *all,
		      const struct rs_workload *workload,
		      const struct rs_operand *clock)
{
	char name[NAME_BYTES];
	struct rs_trial_plan plan;
	if (!is_wanted(all->request, workload, clock))
		return 0;
	snprintf(name, sizeof(name), "%s%s%s", workload->function, clock ? ":" : "",
		 clock ? clock->name : "");
	const struct subject subject = {.name = name, .out = all->out};
	const struct rs_vdso_symbol *const symbol =
	    rs_vdso_find(all->vdso, rs_isa_host(), workload->function);
	if (symbol && rs_oracle_plan(all->vdso, symbol, workload, clock ? clock->id : 0,
				     &plan) == 0)
		return rs_verify_function(all->out, name, &plan);
	add_check(&subject, "presence", RS_CHECK_UNKNOWN, NULL,
		  symbol ? "it has no system call to compare it with"
			 : "this vDSO has no such function");
	return 0;
}

static int verify_workload(const struct verifying_all *all,
			   const struct rs_workload *workload)
{
	int ret = 0;
	if (!rs_workload_is_vdso(workload))
		return 0;
	if (!workload->takes_clock)
		return verify_one(all, workload, NULL);
	for (const struct rs_operand *clock = rs_clocks(); clock->name && !ret; clock++)
		ret = verify_one(all, workload, clock);
	return ret;
}

int rs_verify(struct rs_checks *out, const struct rs_verify_request *request,
	      struct rs_err *err)
{
	struct rs_vdso vdso = {0};
	int ret = rs_vdso_open(&vdso, err);
	if (ret)
		return ret;
	const struct verifying_all all = {
	    .request = request, .vdso = &vdso, .out = out};
	for (const struct rs_workload *workload = rs_workloads();
	     workload->name && !ret; workload++)
		ret = verify_workload(&all, workload);
	if (!ret)
		ret = out->code;
	rs_vdso_close(&vdso);
	return ret ? rs_err_set(err, ret,
				"cannot run the checks in child processes: %s",
				rs_err_name(-ret))
		   : 0;
}
