#include "src/oracle.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cmocka.h>

#include "src/child.h"
#include "src/trial.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))
#define BIT(answer)  (1U << (answer))
#define FAST         (BIT(RS_ANSWER_IN_VDSO) | BIT(RS_ANSWER_VIA_SYSCALL))
#define BAD_CLOCK    42

static const struct rs_isa isa = {.vdso_prefix = "__vdso_", .vdso_version = ""};

/* The live vDSO, whose ABI the fakes share; without one there is no seccomp to ask. */
static struct rs_vdso live;

static bool is_live(void)
{
	if (live.base)
		return true;
	print_message("no vDSO here, so that its ABI is not known\n");
	return false;
}

static const struct rs_workload *find_workload(const char *function)
{
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		if (w->function && strcmp(w->function, function) == 0)
			return w;
	}
	fail_msg("no workload of %s", function);
	return NULL;
}

/*
 * Fakes: C functions in the place of vDSO functions, right or wrong on purpose. What
 * the right ones need is looked up before, so that they need no system call.
 */
typedef long fake(unsigned long arg0, unsigned long arg1, unsigned long arg2);

static struct timespec resolution;
static volatile int n_calls; /* of the child's copy */

static long or_errno(long result)
{
	return result == -1 ? -errno : result;
}

static long res_from_memory(unsigned long clock, unsigned long out,
			    unsigned long unused)
{
	(void)unused;
	if (clock == BAD_CLOCK)
		return -EINVAL;
	*(struct timespec *)out = resolution;
	return 0;
}

static long res_by_syscall(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return or_errno(syscall(SYS_clock_getres, clock, out));
}

static long res_by_another_syscall(unsigned long clock, unsigned long out,
				   unsigned long unused)
{
	(void)syscall(SYS_getuid);
	return res_from_memory(clock, out, unused);
}

/* In the call that follows the comparison. */
static long res_by_syscall_later(unsigned long clock, unsigned long out,
				 unsigned long unused)
{
	if (++n_calls == 2)
		(void)syscall(SYS_getuid);
	return res_from_memory(clock, out, unused);
}

static long res_wrong(unsigned long clock, unsigned long out, unsigned long unused)
{
	const long result = res_from_memory(clock, out, unused);
	((struct timespec *)out)->tv_nsec += 1;
	return result;
}

static long res_unwritten(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)clock;
	(void)out;
	(void)unused;
	return 0;
}

static long res_fails(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)clock;
	(void)out;
	(void)unused;
	return -EPERM;
}

static long res_crashes(unsigned long clock, unsigned long out, unsigned long unused)
{
	static volatile uintptr_t nowhere = 64;
	*(volatile int *)nowhere = 1;
	return res_from_memory(clock, out, unused);
}

/* After the value was found right. */
static long res_crashes_later(unsigned long clock, unsigned long out,
			      unsigned long unused)
{
	if (++n_calls == 2)
		__builtin_trap();
	return res_from_memory(clock, out, unused);
}

static long res_hangs(unsigned long clock, unsigned long out, unsigned long unused)
{
	while (n_calls == 0)
		;
	return res_from_memory(clock, out, unused);
}

static long res_hangs_later(unsigned long clock, unsigned long out,
			    unsigned long unused)
{
	while (++n_calls > 1)
		;
	return res_from_memory(clock, out, unused);
}

static long time_by_syscall(unsigned long clock, unsigned long out,
			    unsigned long unused)
{
	(void)unused;
	return or_errno(syscall(SYS_clock_gettime, clock, out));
}

/* By more than any test is ever held up between two calls. */
static long shifted(unsigned long clock, unsigned long out, time_t by_s)
{
	const long result = or_errno(syscall(SYS_clock_gettime, clock, out));
	((struct timespec *)out)->tv_sec += by_s;
	return result;
}

static long time_early(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return shifted(clock, out, -3600);
}

static long time_late(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return shifted(clock, out, 3600);
}

static long time_stuck(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)clock;
	(void)unused;
	*(struct timespec *)out = (struct timespec){.tv_sec = 1};
	return 0;
}

static long seconds_unstored(unsigned long out, unsigned long unused1,
			     unsigned long unused2)
{
	(void)out;
	(void)unused1;
	(void)unused2;
	struct timespec now;
	syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now);
	return now.tv_sec;
}

static long cpu_by_syscall(unsigned long cpu, unsigned long node, unsigned long unused)
{
	return or_errno(syscall(SYS_getcpu, cpu, node, unused));
}

static long cpu_wrong(unsigned long cpu, unsigned long node, unsigned long unused)
{
	const long result = cpu_by_syscall(cpu, node, unused);
	*(unsigned int *)cpu += 1;
	return result;
}

static long day_by_syscall(unsigned long tv, unsigned long zone, unsigned long unused)
{
	(void)unused;
	return or_errno(syscall(SYS_gettimeofday, tv, zone));
}

struct fake_case {
	const char *what;
	const char *function;
	fake *call; /* NULL: no such symbol */
	int clock;
	enum rs_answer answer;
	const char *reason; /* a part of it */
};

#define GETRES  "clock_getres"
#define GETTIME "clock_gettime"

static const struct fake_case fake_cases[] = {
    {"right", GETRES, res_from_memory, 1, RS_ANSWER_IN_VDSO, ""},
    {"falls back", GETRES, res_by_syscall, 1, RS_ANSWER_VIA_SYSCALL, "a system call"},
    {"calls another", GETRES, res_by_another_syscall, 1, RS_ANSWER_VIA_SYSCALL, "call"},
    {"is not there", GETRES, NULL, 1, RS_ANSWER_ABSENT, "no function clock_getres"},
    {"off by 1 ns", GETRES, res_wrong, 1, RS_ANSWER_BROKEN, "says 0."},
    {"writes nothing", GETRES, res_unwritten, 1, RS_ANSWER_BROKEN, "says nothing"},
    {"fails alone", GETRES, res_fails, 1, RS_ANSWER_BROKEN, "says EPERM; the system"},
    {"fails otherwise", GETRES, res_fails, 42, RS_ANSWER_BROKEN, "call EINVAL before"},
    {"succeeds alone", GETRES, res_unwritten, 42, RS_ANSWER_BROKEN, "EINVAL before it"},
    {"fails alike", GETRES, res_from_memory, 42, RS_ANSWER_ERROR, "answer EINVAL"},
    {"crashes", GETRES, res_crashes, 1, RS_ANSWER_BROKEN, "crashed with SIGSEGV"},
    {"crashes later", GETRES, res_crashes_later, 1, RS_ANSWER_BROKEN, "crashed with"},
    {"hangs", GETRES, res_hangs, 1, RS_ANSWER_BROKEN, "did not return within 250 ms"},
    {"hangs later", GETRES, res_hangs_later, 1, RS_ANSWER_BROKEN, "did not return"},
    {"right time", GETTIME, time_by_syscall, 1, RS_ANSWER_VIA_SYSCALL, "call"},
    {"right raw", GETTIME, time_by_syscall, 4, RS_ANSWER_VIA_SYSCALL, "call"},
    {"right coarse", GETTIME, time_by_syscall, 6, RS_ANSWER_VIA_SYSCALL, "call"},
    {"right CPU time", GETTIME, time_by_syscall, 2, RS_ANSWER_VIA_SYSCALL, "call"},
    {"no such clock", GETTIME, time_by_syscall, 42, RS_ANSWER_ERROR, "answer EINVAL"},
    {"early", GETTIME, time_early, 1, RS_ANSWER_BROKEN, "before it and"},
    {"late", GETTIME, time_late, 1, RS_ANSWER_BROKEN, "after it"},
    {"late coarse", GETTIME, time_late, 6, RS_ANSWER_BROKEN, "after it"},
    {"stuck", GETTIME, time_stuck, 0, RS_ANSWER_BROKEN, "says 1.000000000 s; the"},
    {"right day", "gettimeofday", day_by_syscall, 0, RS_ANSWER_VIA_SYSCALL, "call"},
    {"right CPU", "getcpu", cpu_by_syscall, 0, RS_ANSWER_VIA_SYSCALL, "call"},
    {"wrong CPU", "getcpu", cpu_wrong, 0, RS_ANSWER_BROKEN, "says CPU "},
    {"stores nothing", "time", seconds_unstored, 0, RS_ANSWER_BROKEN, "stores -1"},
};

static void ask_fake(const struct fake_case *row, struct rs_verdict *out)
{
	struct rs_vdso_symbol symbol = {
	    .name = row->function,
	    .address = (const void *)(uintptr_t)row->call,
	};
	const struct rs_vdso vdso = {
	    .audit_arch = live.audit_arch,
	    .symbols = &symbol,
	    .n_symbols = row->call ? 1 : 0,
	};
	rs_oracle_ask(&vdso, &isa, find_workload(row->function), row->clock, out);
}

static void fakes_get_the_verdict_they_deserve(void **state)
{
	(void)state;
	if (!is_live())
		skip();
	for (size_t i = 0; i < N_ROWS(fake_cases); i++) {
		const struct fake_case *const row = &fake_cases[i];
		struct rs_verdict verdict;
		if (find_workload(row->function)->sysno < 0)
			continue;
		ask_fake(row, &verdict);
		print_message("%s: %s: %s\n", row->what, rs_answer_name(verdict.answer),
			      verdict.reason);
		assert_int_equal(verdict.answer, row->answer);
		assert_non_null(strstr(verdict.reason, row->reason));
		assert_int_equal(verdict.reason[0] == '\0',
				 verdict.answer == RS_ANSWER_IN_VDSO);
	}
}

static void a_trapped_call_is_named_by_its_number(void **state)
{
	(void)state;
	static const struct fake_case row = {
	    .function = GETRES,
	    .call = res_by_another_syscall,
	};
	char number[32];
	struct rs_verdict verdict;
	if (!is_live())
		skip();
	snprintf(number, sizeof(number), "(number %ld)", (long)SYS_getuid);
	ask_fake(&row, &verdict);
	assert_non_null(strstr(verdict.reason, number));
}

/* What the live vDSO may answer: which of them depends on the clock source. */
struct live_case {
	const char *function;
	int clock;
	unsigned int answers;
};

static const struct live_case live_cases[] = {
    {GETTIME, CLOCK_REALTIME, FAST},
    {GETTIME, CLOCK_MONOTONIC, FAST},
    {GETTIME, CLOCK_MONOTONIC_RAW, FAST},
    {GETTIME, CLOCK_MONOTONIC_COARSE, FAST},
    {GETTIME, CLOCK_PROCESS_CPUTIME_ID, BIT(RS_ANSWER_VIA_SYSCALL)},
    {GETTIME, CLOCK_THREAD_CPUTIME_ID, BIT(RS_ANSWER_VIA_SYSCALL)},
    {GETTIME, BAD_CLOCK, BIT(RS_ANSWER_ERROR)},
    {GETTIME, -1, BIT(RS_ANSWER_ERROR)},
    {GETRES, CLOCK_MONOTONIC, FAST},
    {GETRES, BAD_CLOCK, BIT(RS_ANSWER_ERROR)},
    {"gettimeofday", 0, FAST},
    {"time", 0, FAST},
    {"getcpu", 0, FAST},
    {"getrandom", 0, FAST},
};

static void the_live_vdso_is_never_broken(void **state)
{
	(void)state;
	if (!is_live())
		skip();
	for (size_t i = 0; i < N_ROWS(live_cases); i++) {
		const struct live_case *const row = &live_cases[i];
		struct rs_verdict verdict;
		rs_oracle_ask(&live, &isa, find_workload(row->function), row->clock,
			      &verdict);
		print_message("%s %d: %s: %s\n", row->function, row->clock,
			      rs_answer_name(verdict.answer), verdict.reason);
		assert_true((BIT(verdict.answer) &
			     (row->answers | BIT(RS_ANSWER_ABSENT))) != 0);
	}
}

/* A filter around the whole test, as a container's would be. */
struct filter_case {
	const char *what;
	long sysno;
	uint32_t action;
	const char *function;
	fake *call;
	enum rs_answer answer;
};

static const struct filter_case filter_cases[] = {
    {"nothing filtered", SYS_getuid, SECCOMP_RET_ALLOW, GETRES, res_from_memory,
     RS_ANSWER_IN_VDSO},
    {"no prctl", SYS_prctl, SECCOMP_RET_ERRNO | EPERM, GETRES, res_from_memory,
     RS_ANSWER_UNKNOWN},
    {"no seccomp", SYS_prctl, SECCOMP_RET_ERRNO | ENOSYS, GETRES, res_by_syscall,
     RS_ANSWER_UNKNOWN},
    {"prctl kills", SYS_prctl, SECCOMP_RET_KILL_PROCESS, GETRES, res_from_memory,
     RS_ANSWER_UNKNOWN},
    {"probe is trapped", SYS_getppid, SECCOMP_RET_TRAP, GETRES, res_from_memory,
     RS_ANSWER_UNKNOWN},
    {"no system call", SYS_clock_getres, SECCOMP_RET_ERRNO | ENOSYS, GETRES,
     res_from_memory, RS_ANSWER_UNKNOWN},
    {"call kills at once", SYS_clock_getres, SECCOMP_RET_KILL_PROCESS, GETRES,
     res_by_syscall, RS_ANSWER_UNKNOWN},
    {"call kills later", SYS_getuid, SECCOMP_RET_KILL_PROCESS, GETRES,
     res_by_syscall_later, RS_ANSWER_VIA_SYSCALL},
    {"no pinning", SYS_sched_setaffinity, SECCOMP_RET_ERRNO | EPERM, "getcpu",
     cpu_by_syscall, RS_ANSWER_UNKNOWN},
};

static void filter(long sysno, uint32_t action)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)sysno, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, action),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = N_ROWS(code), .filter = code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(RS_N_ANSWER);
}

static void a_surrounding_filter_makes_it_unknown(void **state)
{
	(void)state;
	if (!is_live())
		skip();
	for (size_t i = 0; i < N_ROWS(filter_cases); i++) {
		const struct filter_case *const row = &filter_cases[i];
		print_message("%s\n", row->what);
		const pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			const struct fake_case asked = {
			    .function = row->function,
			    .call = row->call,
			    .clock = CLOCK_MONOTONIC,
			};
			struct rs_verdict verdict;
			filter(row->sysno, row->action);
			ask_fake(&asked, &verdict);
			if (verdict.answer == RS_ANSWER_UNKNOWN && !verdict.reason[0])
				_exit(RS_N_ANSWER);
			_exit((int)verdict.answer);
		}
		int status = 0;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), row->answer);
	}
}

/* Sleeps where no CPU time passes. */
static long res_sleeps(unsigned long clock, unsigned long out, unsigned long unused)
{
	pause();
	return res_from_memory(clock, out, unused);
}

static void a_sleeping_child_is_ended_too(void **state)
{
	(void)state;
	const struct rs_trial_plan plan = {
	    .function = (const void *)(uintptr_t)res_sleeps,
	    .sysno = SYS_clock_getres,
	    .n_outputs = 1,
	    .takes_clock = true,
	    .clock = CLOCK_MONOTONIC,
	    .shape = RS_TRIAL_PAIR,
	    .audit_arch = live.audit_arch,
	    .wall_ms = 50,
	};
	struct rs_trial trial;
	assert_int_equal(rs_trial_run(&plan, &trial), 0);
	assert_in_range(trial.stage, RS_TRIAL_STARTED, RS_TRIAL_PREPARED);
	assert_true(WIFSIGNALED(trial.wait_status));
	assert_int_equal(WTERMSIG(trial.wait_status), RS_CHILD_STUCK_SIG);
}

static void the_caller_is_left_as_it_was(void **state)
{
	(void)state;
	static const struct fake_case rows[] = {
	    {.function = GETRES, .call = res_hangs},
	    {.function = GETRES, .call = res_crashes},
	    {.function = GETRES, .call = res_by_syscall},
	    {.function = "getcpu", .call = cpu_by_syscall},
	};
	const int seccomp = prctl(PR_GET_SECCOMP);
	sigset_t all;
	sigset_t before;
	sigset_t after;
	cpu_set_t cpus_before;
	cpu_set_t cpus_after;
	struct sigaction on_trap;
	if (!is_live())
		skip();
	sched_getaffinity(0, sizeof(cpus_before), &cpus_before);
	/* Blocked signals must not keep the child alive. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	for (size_t i = 0; i < N_ROWS(rows); i++) {
		struct rs_verdict verdict;
		ask_fake(&rows[i], &verdict);
		assert_int_not_equal(verdict.answer, RS_ANSWER_UNKNOWN);
	}
	sigprocmask(SIG_SETMASK, &before, &after);
	assert_int_equal(sigismember(&after, SIGVTALRM), 1);
	sched_getaffinity(0, sizeof(cpus_after), &cpus_after);
	assert_true(CPU_EQUAL(&cpus_before, &cpus_after));
	assert_int_equal(prctl(PR_GET_SECCOMP), seccomp);
	sigaction(SIGSYS, NULL, &on_trap);
	assert_false(on_trap.sa_flags & SA_SIGINFO);
	errno = 0;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void a_child_that_cannot_be_waited_for_is_unknown(void **state)
{
	(void)state;
	static const struct fake_case row = {
	    .function = GETRES,
	    .call = res_from_memory,
	    .clock = CLOCK_MONOTONIC,
	};
	struct rs_verdict verdict;
	void (*const before)(int) = signal(SIGCHLD, SIG_IGN);
	ask_fake(&row, &verdict);
	signal(SIGCHLD, before);
	assert_int_equal(verdict.answer, RS_ANSWER_UNKNOWN);
	assert_non_null(strstr(verdict.reason, "ECHILD"));
}

static void no_vdso_is_absent(void **state)
{
	(void)state;
	const struct rs_vdso none = {.base = NULL};
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		struct rs_verdict verdict;
		if (!rs_workload_is_vdso(w))
			continue;
		rs_oracle_ask(&none, &isa, w, CLOCK_MONOTONIC, &verdict);
		assert_int_equal(verdict.answer, RS_ANSWER_ABSENT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fakes_get_the_verdict_they_deserve),
	    cmocka_unit_test(a_trapped_call_is_named_by_its_number),
	    cmocka_unit_test(the_live_vdso_is_never_broken),
	    cmocka_unit_test(a_surrounding_filter_makes_it_unknown),
	    cmocka_unit_test(a_sleeping_child_is_ended_too),
	    cmocka_unit_test(the_caller_is_left_as_it_was),
	    cmocka_unit_test(a_child_that_cannot_be_waited_for_is_unknown),
	    cmocka_unit_test(no_vdso_is_absent),
	};
	struct rs_err err;
	clock_getres(CLOCK_MONOTONIC, &resolution);
	if (rs_vdso_open(&live, &err))
		print_message("%s\n", err.text);
	const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
	rs_vdso_close(&live);
	return n_failed;
}
