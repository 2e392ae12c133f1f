/*
 * Steps through kernels, whose counts are in their rows, and through what threads,
 * children, signals and exec do around them.
 */

#include "src/stepper.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/stopper.h"
#include "src/tally.h"
#include "tests/unit/stepped.h"

#define FRAMES    3
#define ASLEEP_NS 1000000000U /* without an instruction: longer than any step takes */

/* Everything that was told. */
struct seen {
	struct rs_tally tally;
	uint64_t n_undecoded;
	unsigned int n_begun;
	unsigned int n_ended;
	unsigned int n_execs;
	unsigned int n_processes;
	uint64_t n_broken;    /* steps that did not begin where the last one ended */
	uint64_t n_max_steps; /* 0: no limit */
	uint64_t n_awake;     /* pushes before it is over when idle; 0: it goes on */
	uint64_t n_last;      /* instructions when that was asked last */
	uint64_t awake_ns;    /* when there were more for the last time */
};

static int begin(void *user, struct rs_stepped *thread)
{
	struct seen *const seen = user;
	seen->n_begun++;
	seen->n_processes += thread->pid == thread->tid;
	thread->user = calloc(1, sizeof(uint64_t));
	return 0;
}

static void add(struct seen *seen, const struct rs_step *step)
{
	rs_tally_add(&seen->tally, step->insn,
		     step->next != step->address + step->insn->n_bytes);
	seen->n_undecoded += !step->is_decoded;
}

static int take(void *user, struct rs_stepped *thread, const struct rs_step *step)
{
	struct seen *const seen = user;
	uint64_t *const last = thread->user;
	add(seen, step);
	seen->n_broken += *last && *last != step->address;
	*last = step->next;
	return seen->n_max_steps && seen->tally.instructions >= seen->n_max_steps;
}

static int exec(void *user, struct rs_stepped *thread)
{
	struct seen *const seen = user;
	seen->n_execs++;
	*(uint64_t *)thread->user = 0;
	return 0;
}

static void end(void *user, struct rs_stepped *thread)
{
	struct seen *const seen = user;
	seen->n_ended++;
	free(thread->user);
}

static bool is_over(void *user)
{
	struct seen *const seen = user;
	if (seen->n_last != seen->tally.instructions || !seen->awake_ns)
		seen->awake_ns = rs_now_ns();
	seen->n_last = seen->tally.instructions;
	return seen->n_awake && seen->tally.pushes >= seen->n_awake &&
	       rs_now_ns() - seen->awake_ns > ASLEEP_NS;
}

static const struct rs_kernel *baseline(void)
{
	return rs_isa_family(rs_isa_host(), "getpc")->variants->kernel;
}

static void run_kernel(unsigned long n)
{
	unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = n};
	rs_kernel_call(baseline()->entry[FRAMES], kargs);
}

/* What is stepped through, in a child; the exit status says whether it went well. */

static unsigned long n_calls; /* of the kernel */
static volatile sig_atomic_t n_handled;

static void only_kernel(void *user)
{
	(void)user;
	run_kernel(n_calls);
}

static void wait_and_exit(pid_t pid)
{
	int status = 0;
	const bool is_well = waitpid(pid, &status, 0) == pid && WIFEXITED(status);
	_exit(is_well ? WEXITSTATUS(status) : 99);
}

static void forks(void *user)
{
	(void)user;
	const pid_t pid = fork();
	if (pid == 0) {
		run_kernel(n_calls);
		_exit(5);
	}
	wait_and_exit(pid);
}

static void *thread(void *user)
{
	(void)user;
	run_kernel(n_calls);
	return NULL;
}

static void threads(void *user)
{
	(void)user;
	pthread_t ids[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&ids[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
}

static void *exec_in_thread(void *user)
{
	(void)user;
	execl(RS_STEPPED, RS_STEPPED, NULL);
	_exit(98);
}

/* From a thread that is not the first: the others vanish without a word. */
static void thread_execs(void *user)
{
	(void)user;
	pthread_t id;
	pthread_create(&id, NULL, exec_in_thread, NULL);
	pthread_join(id, NULL);
	_exit(97);
}

static void handle(int sig)
{
	(void)sig;
	n_handled++;
}

static void signals(void *user)
{
	(void)user;
	signal(SIGUSR1, handle);
	signal(SIGTRAP, handle);
	signal(SIGUSR2, SIG_IGN);
	for (int i = 0; i < 3; i++) {
		kill(getpid(), SIGUSR1);
		kill(getpid(), SIGUSR2);
	}
	kill(getpid(), SIGTRAP);
	_exit(n_handled);
}

static void crashes(void *user)
{
	(void)user;
	kill(getpid(), SIGSEGV);
}

static void sleeps(void *user)
{
	(void)user;
	run_kernel(n_calls);
	pause();
}

/* It stops until its child lets it go on. */
static void stops(void *user)
{
	(void)user;
	const pid_t parent = getpid();
	const pid_t pid = fork();
	if (pid == 0) {
		usleep(100000);
		kill(parent, SIGCONT);
		_exit(6);
	}
	kill(parent, SIGSTOP);
	wait_and_exit(pid);
}

/* Returns what rs_stepper_run returns. */
static int run_target(const struct rs_tracee_target *target, struct seen *seen,
		      struct rs_stepper_end *ended)
{
	const struct rs_stepper_sink sink = {
	    .user = seen,
	    .begin = begin,
	    .step = take,
	    .exec = exec,
	    .end = end,
	    .is_over = is_over,
	};
	struct rs_err err = {.text = ""};
	const int ret = rs_stepper_run(target, &sink, ended, &err);
	if (ret)
		print_message("%s\n", err.text);
	assert_int_equal(seen->n_begun, seen->n_ended);
	return ret;
}

static int run(void (*body)(void *user), unsigned long n, struct seen *seen,
	       struct rs_stepper_end *ended)
{
	const struct rs_tracee_target target = {.out = -1, .body = body};
	n_calls = n;
	return run_target(&target, seen, ended);
}

/* What ends by itself, with this status of waitpid. */
static struct seen run_whole(void (*body)(void *user), unsigned long n, int status)
{
	struct seen seen = {.n_begun = 0};
	struct rs_stepper_end ended;
	assert_int_equal(run(body, n, &seen, &ended), 0);
	assert_true(ended.has_ended);
	assert_int_equal(ended.status & 0xff7f, status); /* without the core's bit */
	assert_int_equal(seen.n_undecoded, 0);
	return seen;
}

static uint64_t counted(const struct rs_linear *linear, unsigned int n)
{
	return n * (uint64_t)rs_linear_at(linear, FRAMES);
}

/* n more iterations add what the row says. */
static void check_added(const struct seen *less, const struct seen *more,
			const struct rs_counts *counts, unsigned int n)
{
	assert_int_equal(more->tally.pushes - less->tally.pushes,
			 counted(&counts->pushes, n));
	assert_int_equal(more->tally.pops - less->tally.pops,
			 counted(&counts->pops, n));
	assert_int_equal(more->tally.instructions - less->tally.instructions,
			 counted(&counts->instructions, n));
	assert_int_equal(more->tally.branches - less->tally.branches,
			 counted(&counts->branches, n));
}

static void functions_are_counted_exactly(void **state)
{
	(void)state;
	const struct seen less = run_whole(only_kernel, 3, 0);
	const struct seen more = run_whole(only_kernel, 9, 0);
	assert_int_equal(less.n_begun, 1);
	assert_int_equal(less.n_broken, 0);
	check_added(&less, &more, &baseline()->counts, 6);
}

static uint64_t stepped_pushes(void)
{
	const struct rs_counts *const counts = &baseline()->counts;
	return STEPPED_CALLS * (uint64_t)rs_linear_at(&counts->pushes, STEPPED_FRAMES);
}

static void commands_are_followed(void **state)
{
	(void)state;
	static char name[] = RS_STEPPED;
	char *const argv[] = {name, NULL};
	const struct rs_tracee_target target = {.argv = argv, .out = -1};
	struct seen seen = {.n_begun = 0};
	struct rs_stepper_end ended;
	assert_int_equal(run_target(&target, &seen, &ended), 0);
	assert_true(ended.has_ended);
	assert_int_equal(ended.status, STEPPED_EXIT << 8);
	assert_int_equal(seen.n_execs, 0); /* the first is not told */
	assert_int_equal(seen.n_broken, 0);
	assert_true(seen.tally.pushes > stepped_pushes());
}

static void children_are_followed(void **state)
{
	(void)state;
	const struct seen less = run_whole(forks, 3, 5 << 8);
	const struct seen more = run_whole(forks, 9, 5 << 8);
	assert_int_equal(less.n_processes, 2);
	assert_int_equal(less.n_broken, 0);
	check_added(&less, &more, &baseline()->counts, 6);
}

/* How often threads look at a lock is not fixed; calls and returns of kernels are. */
static void threads_are_followed(void **state)
{
	(void)state;
	const struct seen less = run_whole(threads, 20, 0);
	const struct seen more = run_whole(threads, 99, 0);
	const uint64_t wanted = 2 * counted(&baseline()->counts.pushes, 79);
	const uint64_t added = more.tally.pushes - less.tally.pushes;
	assert_int_equal(less.n_begun, 3);
	assert_int_equal(less.n_processes, 1);
	assert_in_range(added, wanted - 60, wanted + 60);
}

static void other_programs_are_followed(void **state)
{
	(void)state;
	const struct seen seen = run_whole(thread_execs, 1, STEPPED_EXIT << 8);
	assert_int_equal(seen.n_execs, 1);
	assert_int_equal(seen.n_begun, 2);
	assert_true(seen.tally.pushes > stepped_pushes());
}

/* Each handler is a jump that no instruction made, and its end another. */
static void signals_arrive(void **state)
{
	(void)state;
	assert_int_equal(run_whole(signals, 1, 4 << 8).n_broken, 4);
	run_whole(crashes, 1, SIGSEGV);
}

static void stopped_programs_go_on(void **state)
{
	(void)state;
	assert_int_equal(run_whole(stops, 1, 6 << 8).n_processes, 2);
}

static void a_trace_ends_early(void **state)
{
	(void)state;
	struct seen few = {.n_max_steps = 100};
	struct seen asleep = {.n_awake =
				  (uint64_t)counted(&baseline()->counts.pushes, 20)};
	struct rs_stepper_end ended;
	assert_int_equal(run(forks, 50, &few, &ended), 0);
	assert_false(ended.has_ended);
	assert_int_equal(few.tally.instructions, 100);
	assert_int_equal(run(sleeps, 20, &asleep, &ended), 0);
	assert_false(ended.has_ended);
}

static void what_is_no_command_is_an_error(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int code;
		const char *sentence;
	} rows[] = {
	    {"no-such-command-here", -ENOENT, "there is no such command"},
	    {"/", -EACCES, "cannot run '/'"},
	    {"/etc/passwd", -EACCES, "Permission denied"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *const argv[] = {(char *)(uintptr_t)rows[i].name, NULL};
		const struct rs_tracee_target target = {.argv = argv, .out = -1};
		const struct rs_stepper_sink sink = {.user = NULL};
		struct rs_stepper_end ended;
		struct rs_err err = {.text = ""};
		assert_int_equal(rs_stepper_run(&target, &sink, &ended, &err),
				 rows[i].code);
		assert_non_null(strstr(err.text, rows[i].sentence));
		assert_false(ended.has_ended);
	}
}

/* The first and the last step of a kernel are its call and its return. */
struct kernel_steps {
	struct seen seen;
	uint64_t first_after;
	uint64_t last_next;
	enum rs_flow last_flow;
};

static int take_kernel(void *user, const struct rs_step *step)
{
	struct kernel_steps *const steps = user;
	if (!steps->seen.tally.instructions)
		steps->first_after = step->address + step->insn->n_bytes;
	steps->last_next = step->next;
	steps->last_flow = step->insn->flow;
	add(&steps->seen, step);
	return 0;
}

static struct seen step_kernel(const void *entry, unsigned long n)
{
	struct kernel_steps steps = {.first_after = 0};
	unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = n};
	struct rs_err err = {.text = ""};
	const int ret = rs_stepper_call(entry, kargs, take_kernel, &steps, &err);
	if (ret)
		fail_msg("%s", err.text);
	assert_int_equal(steps.last_next, steps.first_after);
	assert_int_equal(steps.last_flow, RS_FLOW_POP);
	assert_int_equal(steps.seen.tally.pushes >= 1, 1);
	return steps.seen;
}

static void kernels_are_counted_exactly(void **state)
{
	(void)state;
	const struct rs_family *const family = rs_isa_family(rs_isa_host(), "getpc");
	for (const struct rs_variant *row = family->variants; row->name; row++) {
		if (!row->kernel || (row->missing && row->missing()))
			continue;
		const void *const entry = row->kernel->entry[FRAMES];
		print_message("%s\n", row->name);
		const struct seen less = step_kernel(entry, 3);
		const struct seen more = step_kernel(entry, 9);
		check_added(&less, &more, &row->kernel->counts, 6);
		assert_int_equal(more.tally.exempt - less.tally.exempt,
				 counted(&row->kernel->counts.exempt, 6));
	}
}

static int take_none(void *user, const struct rs_step *step)
{
	(void)user;
	(void)step;
	return 1;
}

static void kernels_that_do_not_return_are_errors(void **state)
{
	(void)state;
	struct kernel_steps steps = {.first_after = 0};
	struct rs_err err = {.text = ""};
	const void *const entry =
	    rs_isa_family(rs_isa_host(), "getpc")->variants->kernel->entry[FRAMES];
	unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = 1};
	assert_int_equal(rs_stepper_call(entry, NULL, take_kernel, &steps, &err),
			 -EFAULT);
	assert_non_null(strstr(err.text, "SIGSEGV"));
	assert_int_equal(rs_stepper_call(entry, kargs, take_none, NULL, &err),
			 -ECANCELED);
}

/* True where this machine and what it runs in let programs be stepped. */
static bool can_step(void)
{
	struct seen seen = {.n_begun = 0};
	struct rs_stepper_end ended;
	return rs_isa_family(rs_isa_host(), "getpc") &&
	       run(only_kernel, 1, &seen, &ended) == 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions_are_counted_exactly),
	    cmocka_unit_test(commands_are_followed),
	    cmocka_unit_test(children_are_followed),
	    cmocka_unit_test(threads_are_followed),
	    cmocka_unit_test(other_programs_are_followed),
	    cmocka_unit_test(signals_arrive),
	    cmocka_unit_test(stopped_programs_go_on),
	    cmocka_unit_test(a_trace_ends_early),
	    cmocka_unit_test(what_is_no_command_is_an_error),
	    cmocka_unit_test(kernels_are_counted_exactly),
	    cmocka_unit_test(kernels_that_do_not_return_are_errors),
	};
	if (!can_step()) {
		print_message("skip: programs cannot be single-stepped here\n");
		return 77;
	}
	return cmocka_run_group_tests_name("stepper", tests, NULL, NULL);
}
