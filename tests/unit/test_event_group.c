#include "events/events.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "events/alias.h"

static uint64_t count_up(void)
{
	static uint64_t ticks;
	return ++ticks;
}

struct bench {
	struct rs_alias_table *aliases;
	const struct rs_backend *backend;
	struct rs_event_list list;
	struct rs_group *group;
	struct rs_reading readings[RS_MAX_EVENTS];
};

/* Skips, with the kernel's reason, when one of the events cannot be counted here. */
static void open_bench(struct bench *bench, const char *events)
{
	struct rs_err err;
	memset(bench, 0, sizeof(*bench));
	bench->backend = rs_backend_perf(count_up, "");
	assert_int_equal(rs_alias_table_load(NULL, &bench->aliases, &err), 0);
	if (rs_event_list_add(&bench->list, events, bench->aliases, bench->backend, 0,
			      &err) ||
	    rs_event_list_plan(&bench->list, bench->backend, 0, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < bench->list.n_events; i++) {
		if (bench->list.events[i].status == RS_STATUS_OK)
			continue;
		print_message("skipped: %s\n", bench->list.events[i].reason);
		rs_alias_table_free(bench->aliases);
		skip();
	}
	assert_int_equal(bench->list.n_groups, 1);
	if (rs_group_open(&bench->group, &bench->list, 0, bench->backend, 0, &err))
		fail_msg("%s", err.text);
}

static void close_bench(struct bench *bench)
{
	rs_group_close(bench->group);
	rs_alias_table_free(bench->aliases);
}

/* Fresh pages, none of them there yet. */
static char *map_pages(size_t n_pages)
{
	const size_t bytes = n_pages * (size_t)sysconf(_SC_PAGESIZE);
	char *const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	return memory;
}

/* AddressSanitizer would touch its shadow of the pages too. */
static __attribute__((noinline, no_sanitize("address"))) void
touch_pages(char *memory, size_t n_pages, size_t page)
{
	for (size_t i = 0; i < n_pages; i++)
		((volatile char *)memory)[i * page] = 1;
}

/* What a group says of touching fresh pages. */
static void touch_counted(struct bench *bench, size_t n_pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *const memory = map_pages(n_pages);
	rs_group_begin(bench->group, "touch");
	touch_pages(memory, n_pages, page);
	rs_group_end(bench->group, bench->readings);
	munmap(memory, n_pages * page);
}

/* Warm calls first: their own code and stack must not fault between the reads. */
static void page_faults_are_counted_exactly(void **state)
{
	(void)state;
	static const size_t counts[] = {1, 7, 64, 500};
	struct bench bench;
	open_bench(&bench, "task-clock,page-faults");
	for (int i = 0; i < 3; i++)
		touch_counted(&bench, 3);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		touch_counted(&bench, counts[i]);
		const struct rs_reading *const clock = &bench.readings[2];
		const struct rs_reading *const faults = &bench.readings[3];
		print_message("%zu pages: %llu faults\n", counts[i],
			      (unsigned long long)faults->value);
		assert_int_equal(faults->status, RS_STATUS_OK);
		assert_int_equal(faults->value, counts[i]);
		assert_int_equal(faults->time_enabled_ns, faults->time_running_ns);
		assert_true(faults->time_enabled_ns > 0);
		assert_int_equal(clock->status, RS_STATUS_OK);
		assert_true(clock->value > 0);
	}
	close_bench(&bench);
}

static void clocks_are_read_once_on_each_side(void **state)
{
	(void)state;
	struct bench bench;
	open_bench(&bench, "task-clock");
	rs_group_begin(bench.group, "nothing");
	rs_group_end(bench.group, bench.readings);
	assert_string_equal(bench.list.events[0].name, "ns");
	assert_string_equal(bench.list.events[1].name, "ticks");
	assert_int_equal(bench.readings[0].status, RS_STATUS_OK);
	assert_int_equal(bench.readings[1].status, RS_STATUS_OK);
	assert_int_equal(bench.readings[1].value, 1);
	close_bench(&bench);
}

static __attribute__((noinline)) void counted_function(void)
{
	__asm__ volatile("" ::: "memory");
}

static void breakpoint_in_a_group_counts_calls(void **state)
{
	(void)state;
	char events[128];
	snprintf(events, sizeof(events), "task-clock,mem:0x%llx:x",
		 (unsigned long long)(uintptr_t)counted_function);
	struct bench bench;
	open_bench(&bench, events);
	rs_group_begin(bench.group, "calls");
	for (int i = 0; i < 777; i++)
		counted_function();
	rs_group_end(bench.group, bench.readings);
	assert_int_equal(bench.readings[3].status, RS_STATUS_OK);
	assert_int_equal(bench.readings[3].value, 777);
	assert_string_equal(bench.list.events[3].source, "breakpoint");
	close_bench(&bench);
}

static volatile int watched_word;

static void write_breakpoint_counts_writes(void **state)
{
	(void)state;
	char events[128];
	snprintf(events, sizeof(events), "mem:%llx/4:w",
		 (unsigned long long)(uintptr_t)&watched_word);
	struct bench bench;
	open_bench(&bench, events);
	rs_group_begin(bench.group, "writes");
	for (int i = 0; i < 55; i++)
		watched_word = i;
	rs_group_end(bench.group, bench.readings);
	assert_int_equal(bench.readings[2].value, 55);
	close_bench(&bench);
}

/* The kernel's own answer, past everything of ours: does this machine count them? */
static bool kernel_counts_breakpoints(void)
{
	struct perf_event_attr attr = {
	    .type = PERF_TYPE_BREAKPOINT,
	    .size = sizeof(attr),
	    .bp_type = HW_BREAKPOINT_X,
	    .bp_addr = (uintptr_t)counted_function,
	    .bp_len = sizeof(long),
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	uint64_t count = 0;
	if (fd < 0)
		return false;
	counted_function();
	const bool is_read = read(fd, &count, sizeof(count)) == sizeof(count);
	close(fd);
	return is_read && count == 1;
}

/* A breakpoint is shown as counted where it counts, and only there. */
static void breakpoints_are_trusted_where_they_count(void **state)
{
	(void)state;
	char name[64];
	snprintf(name, sizeof(name), "mem:%llx:x",
		 (unsigned long long)(uintptr_t)counted_function);
	struct rs_alias_table *aliases = NULL;
	struct rs_err err;
	const struct rs_backend *const backend = rs_backend_perf(count_up, "");
	struct rs_event_list list = {.n_events = 0};
	assert_int_equal(rs_alias_table_load(NULL, &aliases, &err), 0);
	assert_int_equal(rs_event_list_add(&list, name, aliases, backend, 0, &err), 0);
	assert_int_equal(rs_event_list_plan(&list, backend, 0, &err), 0);
	rs_alias_table_free(aliases);
	const struct rs_event *const event = &list.events[list.n_events - 1];
	print_message("%s: %s\n", rs_status_name(event->status), event->reason);
	assert_int_equal(event->status == RS_STATUS_OK, kernel_counts_breakpoints());
}

static void skip_without_breakpoints(void)
{
	if (kernel_counts_breakpoints())
		return;
	print_message("skipped: this machine does not count breakpoints\n");
	skip();
}

static void call_counted(void *user)
{
	for (unsigned int i = 0; i < *(const unsigned int *)user; i++)
		counted_function();
}

static void breakpoint_count_is_exact(void **state)
{
	(void)state;
	skip_without_breakpoints();
	static const unsigned int counts[] = {0, 1, 1000, 12345};
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned int n = counts[i];
		uint64_t count = UINT64_MAX;
		struct rs_err err;
		if (rs_breakpoint_count((const void *)(uintptr_t)counted_function,
					call_counted, &n, &count, &err)) {
			print_message("skipped: %s\n", err.text);
			skip();
		}
		print_message("%u calls\n", n);
		assert_int_equal(count, n);
	}
}

/* x86 has four breakpoint registers; no machine has 17. */
static void too_many_breakpoints_are_explained(void **state)
{
	(void)state;
	struct rs_alias_table *aliases = NULL;
	struct rs_err err;
	const struct rs_backend *const backend = rs_backend_perf(count_up, "");
	assert_int_equal(rs_alias_table_load(NULL, &aliases, &err), 0);
	struct rs_event_list list = {.n_events = 0};
	static char words[8 * 17];
	for (int i = 0; i < 17; i++) {
		char name[64];
		snprintf(name, sizeof(name), "mem:%llx/1:w",
			 (unsigned long long)(uintptr_t)&words[8 * i]);
		if (rs_event_list_add(&list, name, aliases, backend, 0, &err))
			fail_msg("%s", err.text);
	}
	assert_int_equal(rs_event_list_plan(&list, backend, 0, &err), 0);
	rs_alias_table_free(aliases);
	if (list.events[2].status != RS_STATUS_OK) {
		print_message("skipped: %s\n", list.events[2].reason);
		skip();
	}
	assert_true(list.n_groups > 1);
	for (size_t i = 0; i < list.n_events; i++)
		list.events[i].group = 0;
	struct rs_group *group = NULL;
	assert_int_not_equal(rs_group_open(&group, &list, 0, backend, 0, &err), 0);
	print_message("%s\n", err.text);
	assert_null(group);
	assert_non_null(strstr(err.text, "ENOSPC"));
	assert_non_null(strstr(err.text, "all breakpoint registers are taken"));
}

/* The group asks for one descriptor more than the hard limit leaves. */
static void descriptors_that_run_out_are_explained(void **state)
{
	(void)state;
	struct bench bench;
	open_bench(&bench, "task-clock,page-faults");
	rs_group_close(bench.group);
	bench.group = NULL;
	struct rlimit before;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	const int next = dup(0);
	assert_true(next >= 0);
	close(next);
	const struct rlimit tight = {.rlim_cur = (rlim_t)next + 1,
				     .rlim_max = before.rlim_max};
	struct rs_err err = {""};

	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
	const int raised =
	    rs_group_open(&bench.group, &bench.list, 0, bench.backend, 0, &err);
	rs_group_close(bench.group);
	bench.group = NULL;
	struct rlimit after;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(raised, 0);
	assert_int_equal(after.rlim_cur, before.rlim_max);

	const pid_t child = fork();
	if (child == 0) {
		const struct rlimit hard = {.rlim_cur = (rlim_t)next + 1,
					    .rlim_max = (rlim_t)next + 1};
		setrlimit(RLIMIT_NOFILE, &hard);
		const int ret =
		    rs_group_open(&bench.group, &bench.list, 0, bench.backend, 0, &err);
		const bool good = ret == -EMFILE && strstr(err.text, "EMFILE") &&
				  strstr(err.text, "needs 2 descriptors");
		if (!good)
			fprintf(stderr, "%d: %s\n", ret, err.text);
		_exit(good ? 0 : 1);
	}
	int status = -1;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close_bench(&bench);
}

static void an_empty_group_has_clocks(void **state)
{
	(void)state;
	struct bench bench;
	open_bench(&bench, "ns");
	assert_int_equal(bench.list.n_events, 2);
	rs_group_begin(bench.group, "nothing");
	rs_group_end(bench.group, bench.readings);
	assert_int_equal(bench.readings[0].status, RS_STATUS_OK);
	close_bench(&bench);
	rs_group_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(page_faults_are_counted_exactly),
	    cmocka_unit_test(clocks_are_read_once_on_each_side),
	    cmocka_unit_test(breakpoint_in_a_group_counts_calls),
	    cmocka_unit_test(write_breakpoint_counts_writes),
	    cmocka_unit_test(breakpoints_are_trusted_where_they_count),
	    cmocka_unit_test(breakpoint_count_is_exact),
	    cmocka_unit_test(too_many_breakpoints_are_explained),
	    cmocka_unit_test(descriptors_that_run_out_are_explained),
	    cmocka_unit_test(an_empty_group_has_clocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
