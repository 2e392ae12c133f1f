#include "src/oracle.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "src/base/err.h"
#include "src/base/text.h"
#include "src/child.h"
#include "src/trial.h"

#define WALL_MS 10000 /* on a machine too busy to give the child its 250 ms sooner */

/* What a function's values look like, and how two of them are compared. */
struct comparison {
	const char *function;
	enum rs_trial_shape shape;
	int digits; /* of the fraction of a second, for pairs */
	bool is_ordered;
};

static const struct comparison comparisons[] = {
    {"clock_gettime", RS_TRIAL_PAIR, 9, true},
    {"clock_gettime64", RS_TRIAL_PAIR64, 9, true},
    {"gettimeofday", RS_TRIAL_PAIR, 6, true},
    {"time", RS_TRIAL_SECONDS, 0, true},
    {"clock_getres", RS_TRIAL_PAIR, 9, false},
    {"getcpu", RS_TRIAL_CPU, 0, false},
    {"getrandom", RS_TRIAL_RANDOM, 0, false},
};

const char *rs_answer_name(enum rs_answer answer)
{
	static const char *const names[RS_N_ANSWER] = {
	    [RS_ANSWER_IN_VDSO] = "in-vdso", [RS_ANSWER_VIA_SYSCALL] = "via-syscall",
	    [RS_ANSWER_ABSENT] = "absent",   [RS_ANSWER_BROKEN] = "broken",
	    [RS_ANSWER_ERROR] = "error",     [RS_ANSWER_UNKNOWN] = "unknown",
	};
	return names[answer];
}

/* What the judges below look at. */
struct evidence {
	const char *name; /* "__vdso_clock_gettime" */
	const struct comparison *comparison;
	const struct rs_trial *trial;
};

/* Returns true, so that a judge can say so and be done. */
__attribute__((format(printf, 3, 4))) static bool
say(struct rs_verdict *out, enum rs_answer answer, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	out->answer = answer;
	vsnprintf(out->reason, sizeof(out->reason), fmt, args);
	va_end(args);
	return true;
}

/* Signals that the function's own instructions raise, and nobody else here. */
static bool is_crash(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE ||
	       sig == SIGTRAP || sig == SIGABRT;
}

static bool judge_signal(const struct evidence *evidence, struct rs_verdict *out)
{
	const struct rs_trial *const trial = evidence->trial;
	/* Once it has said all, its end does not matter: leaving may be trapped too. */
	if (trial->stage == RS_TRIAL_RETURNED || trial->stage == RS_TRIAL_TRAPPED ||
	    !WIFSIGNALED(trial->wait_status))
		return false;
	const int sig = WTERMSIG(trial->wait_status);
	const char *const abbreviation = sigabbrev_np(sig);
	const char *const sig_name = abbreviation ? abbreviation : "?";
	if (is_crash(sig))
		return say(out, RS_ANSWER_BROKEN, "%s crashed with SIG%s",
			   evidence->name, sig_name);
	if (sig == RS_CHILD_HANG_SIG)
		return say(out, RS_ANSWER_BROKEN,
			   "%s did not return within %d ms of CPU time", evidence->name,
			   RS_TRIAL_CPU_MS);
	/* A filter from outside, which kills where ours would only trap. */
	if (sig == SIGSYS && trial->stage == RS_TRIAL_FILTERED)
		return say(out, RS_ANSWER_VIA_SYSCALL, "%s makes a system call",
			   evidence->name);
	if (sig == SIGSYS)
		return say(out, RS_ANSWER_UNKNOWN,
			   "a seccomp filter of this process's surroundings killed the "
			   "check of %s",
			   evidence->name);
	if (sig == RS_CHILD_STUCK_SIG)
		return say(out, RS_ANSWER_UNKNOWN,
			   "the check of %s did not end within %d s", evidence->name,
			   WALL_MS / 1000);
	return say(out, RS_ANSWER_UNKNOWN, "the check of %s was killed by SIG%s",
		   evidence->name, sig_name);
}

/* Whether the kernel, or a filter before it, refuses the system call altogether. */
static bool is_refused(const struct rs_trial *trial)
{
	const long code = trial->before.code;
	return trial->function.code == 0 && (code == -ENOSYS || code == -EPERM);
}

static bool judge_values(const struct evidence *evidence, struct rs_verdict *out)
{
	const struct rs_trial *const trial = evidence->trial;
	const struct comparison *const comparison = evidence->comparison;
	char function[RS_TRIAL_TEXT];
	char before[RS_TRIAL_TEXT];
	char after[RS_TRIAL_TEXT];
	if (trial->stage == RS_TRIAL_NOT_PINNED)
		return say(out, RS_ANSWER_UNKNOWN,
			   "cannot stay on one CPU to compare %s with its system call: "
			   "%s",
			   evidence->name, rs_err_name(trial->errnum));
	if (trial->stage == RS_TRIAL_NO_STATES)
		return say(out, RS_ANSWER_ABSENT,
			   "%s does not say what states it takes: %s", evidence->name,
			   rs_err_name(trial->errnum));
	if (trial->stage == RS_TRIAL_NOT_MAPPED)
		return say(out, RS_ANSWER_UNKNOWN,
			   "no memory can be mapped as %s asks for its states: %s",
			   evidence->name, rs_err_name(trial->errnum));
	rs_trial_text(function, comparison->shape, comparison->digits,
		      &trial->function);
	rs_trial_text(before, comparison->shape, comparison->digits, &trial->before);
	rs_trial_text(after, comparison->shape, comparison->digits, &trial->after);
	if (is_refused(trial))
		return say(out, RS_ANSWER_UNKNOWN,
			   "the system call answers %s, so that there is nothing to "
			   "compare %s with",
			   before, evidence->name);
	if (!trial->agrees && comparison->shape == RS_TRIAL_RANDOM)
		return say(out, RS_ANSWER_BROKEN,
			   "%s gives %s and then %s; the system call %s",
			   evidence->name, function, after, before);
	if (!trial->agrees)
		return say(out, RS_ANSWER_BROKEN,
			   "%s says %s; the system call %s before it and %s after it",
			   evidence->name, function, before, after);
	if (trial->function.code)
		return say(out, RS_ANSWER_ERROR, "%s and the system call answer %s",
			   evidence->name, function);
	return false;
}

static void judge_path(const struct evidence *evidence, struct rs_verdict *out)
{
	const struct rs_trial *const trial = evidence->trial;
	switch (trial->stage) {
	case RS_TRIAL_RETURNED:
		out->answer = RS_ANSWER_IN_VDSO;
		return;
	case RS_TRIAL_TRAPPED:
		say(out, RS_ANSWER_VIA_SYSCALL, "%s makes a system call (number %ld)",
		    evidence->name, trial->trapped_sysno);
		return;
	case RS_TRIAL_NOT_FILTERED:
		say(out, RS_ANSWER_UNKNOWN,
		    "%s agrees with the system call, but whether it makes one cannot "
		    "be seen: seccomp is refused here: %s",
		    evidence->name, rs_err_name(trial->errnum));
		return;
	default:
		say(out, RS_ANSWER_UNKNOWN,
		    "%s agrees with the system call, but whether it makes one cannot "
		    "be seen: the seccomp filter of the check traps every call",
		    evidence->name);
	}
}

static void judge(const struct evidence *evidence, struct rs_verdict *out)
{
	if (judge_signal(evidence, out))
		return;
	if (judge_values(evidence, out))
		return;
	judge_path(evidence, out);
}

static const struct comparison *find_comparison(const char *function)
{
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
		if (strcmp(comparisons[i].function, function) == 0)
			return &comparisons[i];
	}
	return NULL;
}

int rs_oracle_plan(const struct rs_vdso *vdso, const struct rs_vdso_symbol *symbol,
		   const struct rs_workload *workload, int clock,
		   struct rs_trial_plan *plan)
{
	const struct comparison *const comparison = find_comparison(workload->function);
	if (!comparison || workload->sysno < 0)
		return -ENOENT;
	*plan = (struct rs_trial_plan){
	    .function = symbol->address,
	    .sysno = workload->sysno,
	    .n_outputs = workload->n_outputs,
	    .takes_clock = workload->takes_clock,
	    .clock = clock,
	    .shape = comparison->shape,
	    .digits = comparison->digits,
	    .is_ordered = comparison->is_ordered,
	    .audit_arch = vdso->audit_arch,
	    .wall_ms = WALL_MS,
	};
	return 0;
}

static void try(const struct rs_trial_plan *plan, const char *name,
		const char *function, struct rs_verdict *out)
{
	struct rs_trial trial;
	const int ret = rs_trial_run(plan, &trial);
	if (ret) {
		say(out, RS_ANSWER_UNKNOWN,
		    "cannot run the check of %s in a child process: %s", name,
		    rs_err_name(-ret));
		return;
	}
	const struct evidence evidence = {
	    .name = name,
	    .comparison = find_comparison(function),
	    .trial = &trial,
	};
	judge(&evidence, out);
	if (trial.agrees)
		out->random = trial.random;
}

void rs_oracle_ask(const struct rs_vdso *vdso, const struct rs_isa *isa,
		   const struct rs_workload *workload, int clock,
		   struct rs_verdict *out)
{
	*out = (struct rs_verdict){.answer = RS_ANSWER_UNKNOWN};
	const struct rs_vdso_symbol *const symbol =
	    rs_vdso_find(vdso, isa, workload->function);
	if (!symbol) {
		say(out, RS_ANSWER_ABSENT, "the vDSO has no function %s under any name",
		    workload->function);
		return;
	}
	struct rs_trial_plan plan;
	if (rs_oracle_plan(vdso, symbol, workload, clock, &plan)) {
		say(out, RS_ANSWER_UNKNOWN, "%s has no system call to compare it with",
		    symbol->name);
		return;
	}
	try(&plan, symbol->name, workload->function, out);
}

void rs_oracle_ask_libc(const struct rs_vdso *vdso, const struct rs_workload *workload,
			struct rs_verdict *out)
{
	static const struct rs_vdso_symbol by_libc = {.address = NULL};
	struct rs_trial_plan plan;
	char name[64];
	snprintf(name, sizeof(name), "the C library's %s", workload->function);
	*out = (struct rs_verdict){.answer = RS_ANSWER_UNKNOWN};
	if (rs_oracle_plan(vdso, &by_libc, workload, 0, &plan) == 0)
		try(&plan, name, workload->function, out);
}
