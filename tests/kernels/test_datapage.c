#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/time.h>

#include <cmocka.h>

#include "tests/kernels/checked_call.h"
#include "tests/kernels/site.h"

/* What the page says at some tick, computed without the kernel's tricks. */
static struct timeval expected_time(const struct rs_datapage *page, uint64_t ticks)
{
	const uint64_t ns =
	    ((ticks - page->cycle_last) * page->mult + page->shifted_nsec) >>
	    page->shift;
	return (struct timeval){
	    .tv_sec = (time_t)(page->sec + ns / 1000000000),
	    .tv_usec = (suseconds_t)(ns % 1000000000 / 1000),
	};
}

static bool is_in_order(const struct timeval *a, const struct timeval *b)
{
	return !timercmp(a, b, >);
}

/*
 * With mult 0 the time stands still, and the result is known to the microsecond.
 * Where time_t has 32 bits, the seconds are cut off, here and by the kernel.
 */
static const struct {
	uint32_t sequence;
	uint32_t shift;
	uint64_t shifted_nsec;
	uint64_t sec;
	struct timeval expected;
} still[] = {
    {0, 0, 0, 0, {0, 0}},
    {2, 0, 999, 7, {7, 0}},
    {2, 0, 1000, 7, {7, 1}},
    {4, 0, 999999999, 7, {7, 999999}},
    {4, 0, 1000000000, 7, {8, 0}},
    {4, 0, 1999999999, 7, {8, 999999}},
    {6, 21, 2000000000ULL << 21, 1800000000, {1800000002, 0}},
    {6, 24, (3141592653ULL << 24) + 1, 1, {4, 141592}},
    {0xfffffffe, 32, UINT64_MAX, 1, {5, 294967}},
    {8, 0, 17999999999999999999ULL, 0, {(time_t)17999999999, 999999}},
    {8, 0, 18000000000000000000ULL, 0, {(time_t)18000000000, 0}},
    {8, 0, UINT64_MAX, 0, {(time_t)18446744073, 709551}},
};

/* With mult it runs: fast and slow counters, and a carry into the seconds. */
static const struct {
	uint32_t mult;
	uint32_t shift;
	uint64_t shifted_nsec;
} running[] = {
    {1, 0, 0},
    {806596, 21, 0},
    {806596, 21, 999999990ULL << 21},
    {0xffffffff, 31, 0},
};

static void datapage_once(const struct rs_site *site, unsigned long n_calls)
{
	const struct rs_datapage *const page = site->placement->datapage;
	struct timeval now = {-1, -1};
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = n_calls,
	    [RS_KARG_ARG0] = (uintptr_t)&now,
	    [RS_KARG_RESULT] = 1,
	};
	const struct timeval before = expected_time(page, rs_ticks());
	rs_site_enter(site, kargs, RS_STACK_KERNEL);
	const struct timeval after = expected_time(page, rs_ticks());
	if (kargs[RS_KARG_RESULT] != 0 || !is_in_order(&before, &now) ||
	    !is_in_order(&now, &after))
		fail_msg("%s: %ld.%06ld is not between %ld.%06ld and %ld.%06ld",
			 rs_site_text(site), now.tv_sec, now.tv_usec, before.tv_sec,
			 before.tv_usec, after.tv_sec, after.tv_usec);
}

static void datapage_stands_still_at(const struct rs_site *site)
{
	struct rs_datapage *const page = site->placement->datapage;
	for (size_t i = 0; i < sizeof(still) / sizeof(still[0]); i++) {
		struct timeval now = {-1, -1};
		unsigned long kargs[RS_N_KARGS] = {1};
		kargs[RS_KARG_ARG0] = (uintptr_t)&now;
		*page = (struct rs_datapage){
		    .sequence = still[i].sequence,
		    .shift = still[i].shift,
		    .shifted_nsec = still[i].shifted_nsec,
		    .sec = still[i].sec,
		};
		rs_site_enter(site, kargs, RS_STACK_KERNEL);
		if (timercmp(&now, &still[i].expected, !=))
			fail_msg("%s: %" PRIu64 " ns >> %u is %ld.%06ld",
				 rs_site_text(site), still[i].shifted_nsec,
				 still[i].shift, now.tv_sec, now.tv_usec);
	}
}

static void datapage_at(const struct rs_site *site, const struct rs_kernel *kernel)
{
	(void)kernel;
	struct rs_datapage *const page = site->placement->datapage;
	for (size_t i = 0; i < RS_N_LOOP_COUNTS; i++)
		datapage_once(site, rs_loop_counts[i]);
	for (size_t i = 0; i < sizeof(running) / sizeof(running[0]); i++) {
		*page = (struct rs_datapage){
		    .sequence = 2,
		    .mult = running[i].mult,
		    .shift = running[i].shift,
		    .cycle_last = rs_ticks(),
		    .shifted_nsec = running[i].shifted_nsec,
		    .sec = 1800000000,
		};
		datapage_once(site, 1000);
	}
	datapage_stands_still_at(site);
	unsigned long no_timeval[RS_N_KARGS] = {1};
	rs_site_enter(site, no_timeval, RS_STACK_KERNEL);
	assert_int_equal(no_timeval[RS_KARG_RESULT], 0);
}

static void datapage_tells_the_time(void **state)
{
	(void)state;
	rs_site_each("datapage", datapage_at);
	rs_site_each("clockread.gettimeofday", datapage_at);
}

static void *finish_write(void *user)
{
	struct rs_datapage *const page = user;
	page->sec = 4242;
	__atomic_store_n(&page->sequence, 8, __ATOMIC_RELEASE);
	return NULL;
}

/* A page that is being written (odd sequence) must not be used until it is whole. */
static void datapage_waits_at(const struct rs_site *site,
			      const struct rs_kernel *kernel)
{
	(void)kernel;
	struct rs_datapage *const page = site->placement->datapage;
	struct timeval now = {-1, -1};
	unsigned long kargs[RS_N_KARGS] = {1};
	kargs[RS_KARG_ARG0] = (uintptr_t)&now;
	*page = (struct rs_datapage){.sequence = 7, .sec = 1};
	pthread_t writer;
	assert_int_equal(pthread_create(&writer, NULL, finish_write, page), 0);
	rs_site_enter(site, kargs, RS_STACK_KERNEL);
	pthread_join(writer, NULL);
	assert_int_equal(now.tv_sec, 4242);
}

static void datapage_waits_for_the_writer(void **state)
{
	(void)state;
	rs_site_each("datapage", datapage_waits_at);
	rs_site_each("clockread.gettimeofday", datapage_waits_at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(datapage_tells_the_time),
	    cmocka_unit_test(datapage_waits_for_the_writer),
	};
	return cmocka_run_group_tests_name("datapage", tests, NULL, NULL);
}
