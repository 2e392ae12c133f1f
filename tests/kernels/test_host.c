#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/kernels/checked_call.h"
#include "tests/kernels/site.h"
#include "tests/kernels/target.h"

static void every_row_says_what_it_is(void **state)
{
	(void)state;
	for (const struct rs_family *family = rs_isa_host()->families; family->name;
	     family++) {
		bool has_baseline = false;
		for (const struct rs_variant *row = family->variants; row->name;
		     row++) {
			has_baseline |= strcmp(row->name, family->baseline) == 0;
			assert_non_null(row->text);
			assert_true(!row->kernel == !!row->absent);
			assert_true(rs_effect_name(row->effect) != NULL);
		}
		if (!has_baseline)
			fail_msg("family %s has no row '%s'", family->name,
				 family->baseline);
	}
}

/* What is skipped elsewhere must not be lost here. */
static void complete_isas_have_every_family(void **state)
{
	(void)state;
	static const char *const complete[] = {"x86-64",  "powerpc64le", "powerpc64",
					       "powerpc", "s390x",       "aarch64",
					       "riscv64"};
	bool is_complete = false;
	for (size_t i = 0; i < sizeof(complete) / sizeof(complete[0]); i++)
		is_complete |= strcmp(rs_isa_host()->name, complete[i]) == 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		if (!rs_isa_family(rs_isa_host(), w->family) && is_complete)
			fail_msg("no rows for %s", w->name);
	}
}

static void getpc_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++) {
		unsigned long kargs[RS_N_KARGS] = {rs_loop_counts[i]};
		rs_site_enter(site, kargs, RS_STACK_KERNEL);
		const unsigned long pc = (uintptr_t)kernel->pc + (size_t)site->moved;
		if (kargs[RS_KARG_RESULT] != pc)
			fail_msg("%s: read %#lx, not %#lx", rs_site_text(site),
				 kargs[RS_KARG_RESULT], pc);
	}
}

static void getpc_reads_its_own_address(void **state)
{
	(void)state;
	rs_site_each("getpc", getpc_at);
}

static void empty_loops(void **state)
{
	(void)state;
	const struct rs_site site = {
	    .variant = "empty",
	    .entry = rs_isa_host()->empty->entry[0],
	};
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++) {
		unsigned long kargs[RS_N_KARGS] = {rs_loop_counts[i]};
		rs_site_enter(&site, kargs, RS_STACK_KERNEL);
		assert_int_equal(kargs[RS_KARG_RESULT], 0);
	}
}

/* A target that remembers how it was called. */
static struct {
	unsigned long n_calls;
	unsigned long args[RS_N_VDSO_ARGS];
	unsigned long misaligned;
} seen;

unsigned long rs_remember(unsigned long a, unsigned long b, unsigned long c,
			  unsigned long d, unsigned long e)
{
	const unsigned long args[RS_N_VDSO_ARGS] = {a, b, c, d, e};
	memcpy(seen.args, args, sizeof(args));
	seen.misaligned |= (uintptr_t)__builtin_frame_address(0) % 16;
	return ++seen.n_calls * 1000;
}

static bool has_seen(const unsigned long *kargs, unsigned int n_args)
{
	static const unsigned int words[RS_N_VDSO_ARGS] = {
	    RS_KARG_ARG0, RS_KARG_ARG1, RS_KARG_ARG2, RS_KARG_ARG3, RS_KARG_ARG4};
	bool is_same = true;
	for (unsigned int i = 0; i < n_args; i++)
		is_same &= seen.args[i] == kargs[words[i]];
	return is_same;
}

static void call_remember(const struct rs_site *site, unsigned int n_args)
{
	if (site->target == RS_TARGET_SYSCALL)
		return;
	const uintptr_t target = site->target == RS_TARGET_VDSO
				     ? (uintptr_t)rs_k_remember
				     : (uintptr_t)rs_remember;
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++) {
		const unsigned long n_calls = rs_loop_counts[i];
		unsigned long kargs[RS_N_KARGS] = {n_calls, target, 11 + i, ~0UL,
						   ~(~0UL >> 1)};
		kargs[RS_KARG_ARG3] = 12 + i;
		kargs[RS_KARG_ARG4] = 13 + i;
		memset(&seen, 0, sizeof(seen));
		rs_site_enter(site, kargs, RS_STACK_TARGET);
		if (seen.n_calls != n_calls || seen.misaligned ||
		    !has_seen(kargs, n_args) || kargs[RS_KARG_RESULT] != n_calls * 1000)
			fail_msg("%s: %lu calls instead of %lu, stack off by %lu, "
				 "arguments %#lx %#lx %#lx %#lx %#lx, result %lu",
				 rs_site_text(site), seen.n_calls, n_calls,
				 seen.misaligned, seen.args[0], seen.args[1],
				 seen.args[2], seen.args[3], seen.args[4],
				 kargs[RS_KARG_RESULT]);
	}
}

static void with_3_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	(void)kernel;
	call_remember(site, 3);
}

static void with_5_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	(void)kernel;
	call_remember(site, site->target == RS_TARGET_VDSO ? 5 : 3);
}

/* What is there can be written to, and what is not is said in one sentence. */
static void registers_are_touched_or_missing(void **state)
{
	(void)state;
	static const char *const names[] = {"fp", "altivec", "vector", "vdso"};
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const enum rs_touch touch = (enum rs_touch)(1U << i);
		const char *const missing = rs_touch_missing(touch);
		print_message("%s: %s\n", names[i], missing ? missing : "touched");
		if (missing)
			assert_true(missing[0] != '\0');
		else
			rs_touch(touch);
	}
	assert_true(!rs_touch_missing(RS_TOUCH_VDSO));
	rs_touch(0);
}

static void vdso_kernels_pass_arguments_and_results(void **state)
{
	(void)state;
	rs_site_each("vdso", with_3_at);
	rs_site_each("ctxsw", with_3_at);
	rs_site_each("ctxsw.returns", with_3_at);
	rs_site_each("syscall", with_3_at);
	rs_site_each("getrandom", with_5_at);
}

static void clockread_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	assert_int_equal(kernel->result, RS_RESULT_TICKS);
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++) {
		unsigned long kargs[RS_N_KARGS] = {rs_loop_counts[i]};
		const unsigned long before = (unsigned long)rs_ticks();
		rs_site_enter(site, kargs, RS_STACK_KERNEL);
		const unsigned long after = (unsigned long)rs_ticks();
		const unsigned long read = kargs[RS_KARG_RESULT];
		if (!rs_result_is_right(kernel, kargs, before) ||
		    (long)(after - read) < 0)
			fail_msg("%s: %lu is not between %lu and %lu",
				 rs_site_text(site), read, before, after);
	}
}

static void clockread_reads_the_tick_counter(void **state)
{
	(void)state;
	rs_site_each("clockread", clockread_at);
}

/* One read after the other, as close together as calls of the kernel can be. */
static void clockread_is_monotonic(void **state)
{
	(void)state;
	for (const struct rs_variant *row = rs_site_rows("clockread"); row->name;
	     row++) {
		unsigned long kargs[RS_N_KARGS] = {1};
		unsigned long before = (unsigned long)rs_ticks();
		if (rs_variant_obstacle(row))
			continue;
		for (unsigned int i = 0; i < 1000; i++) {
			rs_kernel_call(row->kernel->entry[0], kargs);
			if (!rs_result_is_right(row->kernel, kargs, before))
				fail_msg("%s went back from %lu to %lu", row->name,
					 before, kargs[RS_KARG_RESULT]);
			before = kargs[RS_KARG_RESULT];
		}
	}
}

static void results_that_cannot_be_are_noticed(void **state)
{
	(void)state;
	static const struct {
		enum rs_result result;
		unsigned long before;
		unsigned long after;
		bool is_right;
	} rows[] = {
	    {RS_RESULT_TICKS, 5, 5, true},    {RS_RESULT_TICKS, 5, 4, false},
	    {RS_RESULT_TICKS, ~0UL, 0, true}, {RS_RESULT_TICKS, 0, ~0UL, false},
	    {RS_RESULT_CALLS, 0, 7, true},    {RS_RESULT_CALLS, 0, 6, false},
	    {RS_RESULT_OWN, 5, 4, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rs_kernel kernel = {.result = rows[i].result};
		unsigned long kargs[RS_N_KARGS] = {7};
		kargs[RS_KARG_RESULT] = rows[i].after;
		assert_int_equal(rs_result_is_right(&kernel, kargs, rows[i].before),
				 rows[i].is_right);
	}
}

static void counted_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	assert_int_equal(kernel->result, RS_RESULT_CALLS);
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++) {
		unsigned long kargs[RS_N_KARGS] = {rs_loop_counts[i]};
		rs_site_enter(site, kargs,
			      kernel->takes_signals ? RS_STACK_TARGET
						    : RS_STACK_KERNEL);
		if (!rs_result_is_right(kernel, kargs, 0))
			fail_msg("%s: %lu of %lu calls", rs_site_text(site),
				 kargs[RS_KARG_RESULT], rs_loop_counts[i]);
	}
}

static void profile_calls_its_function(void **state)
{
	(void)state;
	rs_site_each("profile", counted_at);
}

static void ignore(int number)
{
	(void)number;
}

/* Each signal is handled, and whose handler it was before gets it back. */
static void signal_kernels_handle_signals(void **state)
{
	(void)state;
	struct sigaction before = {.sa_handler = ignore};
	struct sigaction after;
	assert_int_equal(sigaction(SIGURG, &before, NULL), 0);
	rs_site_each("signal", counted_at);
	assert_int_equal(sigaction(SIGURG, NULL, &after), 0);
	assert_true(after.sa_handler == ignore);
}

/* A signal that does not come is not counted. */
static void signals_that_are_blocked_are_noticed(void **state)
{
	(void)state;
	const struct rs_kernel *const kernel = rs_site_rows("signal")->kernel;
	unsigned long kargs[RS_N_KARGS] = {3};
	sigset_t blocked;
	if (!kernel)
		return;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGURG);
	assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, NULL), 0);
	rs_kernel_call(kernel->entry[1], kargs);
	assert_int_equal(kargs[RS_KARG_RESULT], 0);
	assert_true(!rs_result_is_right(kernel, kargs, 0));
	signal(SIGURG, SIG_IGN); /* what is pending is gone */
	assert_int_equal(sigprocmask(SIG_UNBLOCK, &blocked, NULL), 0);
}

#define N_LINES    3
#define N_READS    5
#define LINE_WORDS (64 / sizeof(unsigned long))

static void work_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	const uintptr_t targets[] = {
	    [RS_TARGET_VDSO] = (uintptr_t)rs_k_remember,
	    [RS_TARGET_LIBC] = (uintptr_t)rs_remember,
	    [RS_TARGET_SYSCALL] = 0,
	    [RS_TARGET_NONE] = 0,
	};
	const bool calls = targets[site->target] != 0;
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++) {
		const unsigned long n_calls = rs_loop_counts[i];
		struct timeval now = {-1, -1};
		unsigned long block[N_LINES * LINE_WORDS] = {0};
		block[N_LINES * LINE_WORDS - 1] = 1234;
		unsigned long kargs[RS_N_KARGS] = {
		    [RS_KARG_CALLS] = n_calls,
		    [RS_KARG_TARGET] = targets[site->target],
		    [RS_KARG_ARG0] = (uintptr_t)&now,
		    [RS_KARG_SYSNO] = SYS_getppid,
		    [RS_KARG_BLOCK] = (uintptr_t)block,
		    [RS_KARG_LINES] = N_LINES,
		    [RS_KARG_READS] = N_READS,
		};
		const unsigned long expected[] = {
		    [RS_TARGET_VDSO] = n_calls * N_READS * 1000,
		    [RS_TARGET_LIBC] = n_calls * N_READS * 1000,
		    [RS_TARGET_SYSCALL] = (unsigned long)getppid(),
		    [RS_TARGET_NONE] = kernel->data_word ? 0 : 1234,
		};
		seen.n_calls = 0;
		rs_site_enter(site, kargs, RS_STACK_TARGET);
		if (kargs[RS_KARG_RESULT] != expected[site->target] ||
		    seen.n_calls != (calls ? n_calls * N_READS : 0) ||
		    (kernel->data_word && now.tv_sec < 1000000000))
			fail_msg("%s: result %lu, not %lu; %lu calls, %ld s",
				 rs_site_text(site), kargs[RS_KARG_RESULT],
				 expected[site->target], seen.n_calls,
				 (long)now.tv_sec);
	}
}

static void work_reads_its_block_and_the_clock(void **state)
{
	(void)state;
	rs_site_each("work", work_at);
}

/* What lies behind the block is not read. */
static void work_stays_in_its_block(void **state)
{
	(void)state;
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *const pages = mmap(NULL, 2 * page_bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page_bytes, page_bytes, PROT_NONE), 0);
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = 2,
	    [RS_KARG_BLOCK] = (uintptr_t)pages + page_bytes - 2 * (size_t)64,
	    [RS_KARG_LINES] = 2,
	};
	const struct rs_kernel *const none = rs_site_rows("work")->kernel;
	if (none)
		assert_int_equal(rs_kernel_call(none->entry[0], kargs), 0);
	munmap(pages, 2 * page_bytes);
}

static int64_t timespec_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static void clock_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	(void)kernel;
	const uintptr_t targets[] = {
	    [RS_TARGET_VDSO] = rs_target_vdso("clock_gettime"),
	    [RS_TARGET_LIBC] = (uintptr_t)clock_gettime,
	    [RS_TARGET_SYSCALL] = 0,
	};
	if (site->target == RS_TARGET_VDSO && !targets[RS_TARGET_VDSO])
		return;
	struct timespec before;
	struct timespec now = {-1, -1};
	struct timespec after;
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = 3,
	    [RS_KARG_TARGET] = targets[site->target],
	    [RS_KARG_ARG0] = CLOCK_MONOTONIC,
	    [RS_KARG_ARG1] = (uintptr_t)&now,
	    [RS_KARG_SYSNO] = SYS_clock_gettime,
	    [RS_KARG_RESULT] = 1,
	};
	clock_gettime(CLOCK_MONOTONIC, &before);
	rs_site_enter(site, kargs, RS_STACK_TARGET);
	clock_gettime(CLOCK_MONOTONIC, &after);
	if (kargs[RS_KARG_RESULT] != 0 || timespec_ns(&now) < timespec_ns(&before) ||
	    timespec_ns(&now) > timespec_ns(&after))
		fail_msg("%s: returned %ld, %" PRId64 " ns is not between %" PRId64
			 " and %" PRId64,
			 rs_site_text(site), (long)kargs[RS_KARG_RESULT],
			 timespec_ns(&now), timespec_ns(&before), timespec_ns(&after));
}

static void vdso_kernels_read_the_clock(void **state)
{
	(void)state;
	if (!rs_target_vdso("clock_gettime"))
		print_message("vdso variants skipped: no vDSO in this process\n");
	rs_site_each("vdso", clock_at);
}

static void bad_close_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	(void)kernel;
	if (site->target != RS_TARGET_SYSCALL)
		return;
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = 2,
	    [RS_KARG_ARG0] = ~0UL,
	    [RS_KARG_SYSNO] = SYS_close,
	};
	rs_site_enter(site, kargs, RS_STACK_KERNEL);
	assert_int_equal((long)kargs[RS_KARG_RESULT], -EBADF);
}

static void syscall_kernel_reports_errors(void **state)
{
	(void)state;
	rs_site_each("vdso", bad_close_at);
	rs_site_each("syscall", bad_close_at);
}

static void fail_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	(void)kernel;
	if (site->target != RS_TARGET_VDSO)
		return;
	unsigned long kargs[RS_N_KARGS] = {2, (uintptr_t)rs_k_fail};
	rs_site_enter(site, kargs, RS_STACK_TARGET);
	if ((long)kargs[RS_KARG_RESULT] != -EINVAL)
		fail_msg("%s: returned %ld", rs_site_text(site),
			 (long)kargs[RS_KARG_RESULT]);
}

static void vdso_errors_are_negative(void **state)
{
	(void)state;
	static const unsigned long args[RS_N_VDSO_ARGS] = {4, 5, 6, 7, 8};
	rs_site_each("vdso", fail_at);
	rs_site_each("getrandom", fail_at);
	assert_int_equal(rs_vdso_call(rs_k_fail, args), -EINVAL);
	seen.n_calls = 6;
	assert_int_equal(rs_vdso_call(rs_k_remember, args), 7000);
	assert_int_equal(memcmp(seen.args, args, sizeof(args)), 0);
}

/* The way in from C, which the checked call does not take. */
static void kernels_are_entered_from_c(void **state)
{
	(void)state;
	const struct rs_kernel *const kernel =
	    rs_isa_family(rs_isa_host(), "getpc")->variants->kernel;
	unsigned long kargs[RS_N_KARGS] = {3};
	assert_int_equal(rs_kernel_call(kernel->entry[RS_MAX_FRAMES], kargs),
			 (uintptr_t)kernel->pc);
	assert_int_equal(kargs[RS_KARG_RESULT], (uintptr_t)kernel->pc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_row_says_what_it_is),
	    cmocka_unit_test(complete_isas_have_every_family),
	    cmocka_unit_test(empty_loops),
	    cmocka_unit_test(getpc_reads_its_own_address),
	    cmocka_unit_test(clockread_reads_the_tick_counter),
	    cmocka_unit_test(clockread_is_monotonic),
	    cmocka_unit_test(profile_calls_its_function),
	    cmocka_unit_test(signal_kernels_handle_signals),
	    cmocka_unit_test(signals_that_are_blocked_are_noticed),
	    cmocka_unit_test(work_reads_its_block_and_the_clock),
	    cmocka_unit_test(work_stays_in_its_block),
	    cmocka_unit_test(results_that_cannot_be_are_noticed),
	    cmocka_unit_test(vdso_kernels_pass_arguments_and_results),
	    cmocka_unit_test(registers_are_touched_or_missing),
	    cmocka_unit_test(vdso_kernels_read_the_clock),
	    cmocka_unit_test(syscall_kernel_reports_errors),
	    cmocka_unit_test(vdso_errors_are_negative),
	    cmocka_unit_test(kernels_are_entered_from_c),
	};
	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
