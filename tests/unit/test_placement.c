#include "src/placement.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Bytes that stand for a kernel; nothing here is executed. */
static const unsigned char code[320] __attribute__((aligned(64))) = {
    [0] = 0x11,
    [64] = 0x22,
    [319] = 0x33,
};

static const struct rs_kernel plain = {
    .start = code,
    .end = code + sizeof(code),
    .entry = {code, [2] = code + 64},
};

static const struct rs_kernel with_data = {
    .start = code,
    .end = code + sizeof(code),
    .entry = {code},
    .data_word = code + 100,
};

static void lies_at_its_offset(void **state)
{
	(void)state;
	static const struct {
		unsigned int index;
		unsigned int n;
		size_t offset;
	} rows[] = {
	    {0, 1, 0},    {0, 4, 0},    {1, 4, 1024}, {3, 4, 3072},
	    {1, 3, 1344}, {2, 3, 2688}, {1, 64, 64},  {63, 64, 4032},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rs_placement placement;
		struct rs_err err = {""};
		print_message("%u of %u\n", rows[i].index, rows[i].n);
		assert_int_equal(rs_placement_make(&placement, &plain, rows[i].index,
						   rows[i].n, &err),
				 0);
		assert_int_equal((uintptr_t)placement.code % 4096, rows[i].offset);
		assert_memory_equal(placement.code, code, sizeof(code));
		assert_null(placement.datapage);
		assert_ptr_equal(rs_placement_entry(&placement, 0), placement.code);
		assert_null(rs_placement_entry(&placement, 1));
		assert_ptr_equal(rs_placement_entry(&placement, 2),
				 placement.code + 64);
		assert_null(rs_placement_entry(&placement, RS_MAX_FRAMES + 1));
		rs_placement_free(&placement);
	}
}

static void refuses_what_is_no_placement(void **state)
{
	(void)state;
	static const struct {
		unsigned int index;
		unsigned int n;
	} rows[] = {
	    {0, 0}, {1, 1}, {4, 4}, {0, RS_MAX_PLACEMENTS + 1}, {~0U, 4},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rs_placement placement = {.code = (unsigned char *)1};
		struct rs_err err = {""};
		print_message("%u of %u\n", rows[i].index, rows[i].n);
		assert_int_equal(rs_placement_make(&placement, &plain, rows[i].index,
						   rows[i].n, &err),
				 -EINVAL);
		assert_string_not_equal(err.text, "");
		assert_null(placement.code);
		rs_placement_free(&placement);
	}
}

static void free_accepts_empty(void **state)
{
	(void)state;
	struct rs_placement placement = {0};
	struct rs_err err = {""};
	rs_placement_free(&placement);
	assert_int_equal(rs_placement_make(&placement, &with_data, 0, 1, &err), 0);
	rs_placement_free(&placement);
	assert_null(placement.pages);
	rs_placement_free(&placement);
}

/* Writes the permissions of the mapping that holds address, such as "r-xp". */
static void permissions_of(const void *address, char permissions[5])
{
	FILE *const maps = fopen("/proc/self/maps", "r");
	char line[512];
	strcpy(permissions, "none");
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		unsigned long from = 0;
		unsigned long to = 0;
		char found[5];
		if (sscanf(line, "%lx-%lx %4s", &from, &to, found) == 3 &&
		    from <= (uintptr_t)address && (uintptr_t)address < to)
			memcpy(permissions, found, sizeof(found));
	}
	fclose(maps);
}

static void code_is_sealed_and_data_is_not_executable(void **state)
{
	(void)state;
	struct rs_placement placement;
	struct rs_err err = {""};
	char permissions[5];
	/* The last line of a page: the copy reaches into the next one. */
	assert_int_equal(rs_placement_make(&placement, &with_data, 63, 64, &err), 0);
	permissions_of(placement.code, permissions);
	assert_string_equal(permissions, "r-xp");
	permissions_of(placement.code + sizeof(code) - 1, permissions);
	assert_string_equal(permissions, "r-xp");
	permissions_of(placement.datapage, permissions);
	assert_string_equal(permissions, "rw-p");
	rs_placement_free(&placement);
}

static void data_word_leads_to_the_page(void **state)
{
	(void)state;
	for (unsigned int index = 0; index < RS_MAX_PLACEMENTS; index++) {
		struct rs_placement placement;
		struct rs_err err = {""};
		int32_t distance = 0;
		assert_int_equal(rs_placement_make(&placement, &with_data, index,
						   RS_MAX_PLACEMENTS, &err),
				 0);
		const unsigned char *const word = placement.code + 100;
		memcpy(&distance, word, sizeof(distance));
		assert_ptr_equal(word + distance, placement.datapage);
		assert_memory_equal(placement.code, code, 100);
		assert_memory_equal(word + 4, code + 104, sizeof(code) - 104);
		assert_true(placement.datapage->sequence % 2 == 0);
		rs_placement_free(&placement);
	}
}

/* Whatever the rate, the numbers of a filled page last for an hour of ticks. */
static void filled_page_holds_for_an_hour(void **state)
{
	(void)state;
	struct rs_datapage page = {.sequence = 41};
	rs_datapage_fill(&page);
	assert_int_equal(page.sequence, 42);
	assert_true(page.shifted_nsec >> page.shift < 1000000000);
	assert_true(page.sec > 0);
	if (!rs_ticks_name()) {
		print_message("rate skipped: this host has no tick counter\n");
		return;
	}
	assert_true(page.mult > 0);
	const double ns_per_tick = (double)page.mult / (double)(1ULL << page.shift);
	const double ticks = 3600e9 / ns_per_tick;
	assert_true(ticks * page.mult + (double)page.shifted_nsec < 0x1p63);
}

/* Filled again, the page continues where it was: the same second, or a later one. */
static void filled_pages_agree(void **state)
{
	(void)state;
	struct rs_datapage first = {0};
	struct rs_datapage second = {0};
	rs_datapage_fill(&first);
	rs_datapage_fill(&second);
	assert_true(second.cycle_last >= first.cycle_last);
	assert_true(second.sec >= first.sec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lies_at_its_offset),
	    cmocka_unit_test(refuses_what_is_no_placement),
	    cmocka_unit_test(free_accepts_empty),
	    cmocka_unit_test(code_is_sealed_and_data_is_not_executable),
	    cmocka_unit_test(data_word_leads_to_the_page),
	    cmocka_unit_test(filled_page_holds_for_an_hour),
	    cmocka_unit_test(filled_pages_agree),
	};
	return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
