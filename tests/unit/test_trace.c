/* What a trace makes of calls and returns whose effect on a link stack is known. */

#include "src/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/regions.h"
#include "src/trace_sheet.h"
#include "src/vdso.h"
#include "tests/unit/stepped.h"

#define ENTRIES 16
#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct rs_linkstack_rules rules = {
    .entries = ENTRIES,
    .overflow = RS_OVERFLOW_CIRCULAR,
    .underflow = RS_UNDERFLOW_STALE,
    .merge = 1,
    .exempt = RS_EXEMPT_ISA,
};

static const struct rs_insn call_insn = {
    .flow = RS_FLOW_PUSH, .n_bytes = 4, .link = RS_REG_LR};
static const struct rs_insn return_insn = {
    .flow = RS_FLOW_POP, .n_bytes = 4, .through = RS_REG_LR};
static const struct rs_insn exempt_insn = {
    .flow = RS_FLOW_EXEMPT, .n_bytes = 4, .link = RS_REG_LR};

/* One thread whose calls and returns a test makes. */
struct world {
	struct rs_trace trace;
	struct rs_trace_thread thread;
	bool is_in_memory;
};

static void open_world(struct world *world, uint32_t max_sites)
{
	struct rs_err err;
	assert_int_equal(rs_trace_open(&world->trace, &rules, max_sites, &err), 0);
	assert_int_equal(rs_trace_begin(&world->trace, &world->thread, &err), 0);
	world->is_in_memory = false;
}

static void step(struct world *world, const struct rs_insn *insn, uint64_t address,
		 uint64_t next, uint64_t stack)
{
	struct rs_err err;
	const struct rs_trace_step done = {
	    .insn = insn,
	    .is_decoded = true,
	    .is_in_memory = world->is_in_memory,
	    .address = address,
	    .next = next,
	    .stack = stack,
	    .offset = address,
	};
	assert_int_equal(rs_trace_step(&world->thread, &done, &err), 0);
}

static void call(struct world *world, uint64_t address, uint64_t stack)
{
	step(world, &call_insn, address, address + 0x1000, stack);
}

/* From address to behind the call at site. */
static void give_back(struct world *world, uint64_t address, uint64_t site)
{
	step(world, &return_insn, address, site + 4, 0);
}

static struct rs_trace_count count_at(struct world *world, uint64_t address,
				      enum rs_trace_kind kind)
{
	const uint32_t site = rs_tracesites_find(&world->trace.sites, 0, address);
	return world->trace.sites.sites[site].counts[kind];
}

static void close_world(struct world *world)
{
	rs_trace_end(&world->thread);
	rs_trace_end(&world->thread);
	rs_trace_close(&world->trace);
}

/* k frames below which a call is not popped: k mispredicts, and all are its own. */
static void unpopped_calls_are_blamed(void **state)
{
	(void)state;
	for (unsigned int k = 1; k <= 8; k++) {
		struct world world;
		open_world(&world, 100);
		for (int i = 0; i < 5; i++) {
			for (unsigned int f = 0; f < k; f++)
				call(&world, 0x100 + 16 * f, 0);
			call(&world, 0x900, 0);
			for (unsigned int f = k; f-- > 0;)
				give_back(&world, 0xa00 + 16 * f, 0x100 + 16 * f);
		}
		const struct rs_trace_count bad =
		    count_at(&world, 0x900, RS_TRACE_PUSH_WITHOUT_POP);
		const struct rs_trace_count outermost =
		    count_at(&world, 0xa00, RS_TRACE_DISPLACED);
		assert_int_equal(bad.times, 5);
		assert_int_equal(bad.caused, 5 * k);
		assert_int_equal(bad.mispredicts, 0);
		assert_int_equal(outermost.mispredicts, 5);
		rs_trace_end(&world.thread);
		assert_int_equal(world.trace.totals.mispredicts, 5 * k);
		assert_int_equal(world.trace.totals.calls, 5 * (k + 1));
		assert_int_equal(world.trace.totals.returns, 5 * k);
		close_world(&world);
	}
}

/* A return that no call was made for takes the entries of those around it. */
static void unpaired_returns_are_blamed(void **state)
{
	(void)state;
	struct world world;
	open_world(&world, 100);
	call(&world, 0x100, 0);
	call(&world, 0x200, 0);
	give_back(&world, 0x900, 0x500);
	give_back(&world, 0xa00, 0x200);
	give_back(&world, 0xb00, 0x100);
	const struct rs_trace_count bad =
	    count_at(&world, 0x900, RS_TRACE_POP_WITHOUT_PUSH);
	assert_int_equal(bad.times, 1);
	assert_int_equal(bad.mispredicts, 1);
	assert_int_equal(bad.caused, 2);
	assert_int_equal(count_at(&world, 0xa00, RS_TRACE_DISPLACED).mispredicts, 1);
	assert_int_equal(count_at(&world, 0xb00, RS_TRACE_UNDERFLOW).mispredicts, 1);
	close_world(&world);
}

/* A forked child returns from its parent's calls with a stack of its own. */
static void older_calls_underflow(void **state)
{
	(void)state;
	struct world world;
	open_world(&world, 100);
	give_back(&world, 0xa00, 0x200);
	give_back(&world, 0xb00, 0x100);
	assert_int_equal(count_at(&world, 0xa00, RS_TRACE_UNDERFLOW).mispredicts, 1);
	assert_int_equal(count_at(&world, 0xb00, RS_TRACE_UNDERFLOW).mispredicts, 1);
	assert_int_equal(count_at(&world, 0xa00, RS_TRACE_POP_WITHOUT_PUSH).times, 0);
	close_world(&world);
}

/* 5 calls too deep: the outermost 5 are lost, and no call or return is to blame. */
static void deep_nesting_overflows(void **state)
{
	(void)state;
	struct world world;
	open_world(&world, 100);
	for (unsigned int i = 0; i < ENTRIES + 5; i++)
		call(&world, 0x100 + 16 * i, 0);
	for (unsigned int i = ENTRIES + 5; i-- > 0;)
		give_back(&world, 0x900 + 16 * i, 0x100 + 16 * i);
	for (unsigned int i = 0; i < ENTRIES + 5; i++) {
		const uint64_t at = 0x900 + 16 * i;
		assert_int_equal(count_at(&world, at, RS_TRACE_OVERFLOW).mispredicts,
				 i < 5);
		assert_int_equal(count_at(&world, at, RS_TRACE_DISPLACED).times, 0);
	}
	rs_trace_end(&world.thread);
	assert_int_equal(world.trace.totals.mispredicts, 5);
	assert_int_equal(world.trace.totals.deepest, ENTRIES + 5);
	close_world(&world);
}

static void balanced_and_exempt_calls_are_free(void **state)
{
	(void)state;
	struct world world;
	open_world(&world, 100);
	for (int i = 0; i < 100; i++) {
		call(&world, 0x100, 0x8000);
		step(&world, &exempt_insn, 0x1100, 0x1104, 0x8000);
		give_back(&world, 0x1108, 0x100);
	}
	rs_trace_end(&world.thread);
	assert_int_equal(world.trace.totals.mispredicts, 0);
	assert_int_equal(world.trace.totals.exempt, 100);
	assert_int_equal(world.trace.totals.instructions, 300);
	assert_int_equal(world.trace.totals.deepest, 1);
	close_world(&world);
}

/* In a loop, the stack pointer tells that the calls before are over. */
static void dead_calls_do_not_nest(void **state)
{
	(void)state;
	for (int is_in_memory = 0; is_in_memory < 2; is_in_memory++) {
		struct world world;
		open_world(&world, 100);
		world.is_in_memory = is_in_memory;
		for (int i = 0; i < 100; i++)
			call(&world, 0x100, 0x8000);
		/* Another call at the same stack pointer may be below it in a register.
		 */
		call(&world, 0x200, 0x8000);
		call(&world, 0x300, 0x7000);             /* nested */
		call(&world, 0x400, 0x7000 + (2 << 20)); /* on another stack */
		assert_int_equal(
		    count_at(&world, 0x100, RS_TRACE_PUSH_WITHOUT_POP).times,
		    is_in_memory ? 100 : 99);
		assert_int_equal(
		    count_at(&world, 0x200, RS_TRACE_PUSH_WITHOUT_POP).times, 0);
		assert_int_equal(world.thread.shadow.deepest, is_in_memory ? 3 : 4);
		call(&world, 0x500, 0x8100); /* all are over but the other stack's */
		close_world(&world);
	}
}

/* The table and the calls in flight are bounded; sums stay right. */
static void memory_is_bounded(void **state)
{
	(void)state;
	struct world world;
	open_world(&world, 8);
	call(&world, 0x100, 0);
	for (unsigned int i = 0; i < 100; i++)
		give_back(&world, 0x900 + 16 * i, 0x100000);
	assert_int_equal(world.trace.sites.n_sites, 8);
	uint64_t times = 0;
	for (unsigned int i = 0; i < 8; i++)
		times +=
		    world.trace.sites.sites[i].counts[RS_TRACE_POP_WITHOUT_PUSH].times;
	assert_int_equal(times, 100);
	assert_int_equal(world.trace.sites.sites[RS_TRACESITES_OTHERS]
			     .counts[RS_TRACE_POP_WITHOUT_PUSH]
			     .times,
			 94);
	for (uint64_t i = 0; i < 4 * RS_SHADOW_MAX_CALLS; i++)
		call(&world, 0x100 + 16 * i, 0);
	assert_true(world.thread.shadow.n_calls <= RS_SHADOW_MAX_CALLS);
	assert_int_equal(world.thread.shadow.deepest, 1 + 4 * RS_SHADOW_MAX_CALLS);
	close_world(&world);
}

static const char *cell(const struct rs_sheet *sheet, size_t row, const char *name)
{
	for (size_t i = 0; i < sheet->n_columns; i++) {
		if (strcmp(sheet->columns[i].name, name) == 0)
			return sheet->cells[row * sheet->n_columns + i];
	}
	fail_msg("no column %s", name);
	return NULL;
}

/* The mispredicts of all lines but the first are those of the first. */
static void tables_add_up(void **state)
{
	(void)state;
	const struct rs_trace_model model = {"test", rules};
	for (size_t n_top = 0; n_top <= 25; n_top += 5) {
		struct rs_traced traced;
		struct rs_err err;
		struct rs_sheet sheet;
		struct rs_trace_thread thread;
		assert_int_equal(rs_traced_open(&traced, &rules, &err), 0);
		assert_int_equal(rs_trace_begin(&traced.trace, &thread, &err), 0);
		for (unsigned int i = 0; i < 20 * 20; i++) {
			const struct rs_trace_step done = {
			    .insn = &return_insn,
			    .is_decoded = true,
			    .address = 0x900 + 16 * (i % 20),
			    .next = 0x100000 + 4 * i,
			    .offset = 0x900 + 16 * (i % 20),
			};
			assert_int_equal(rs_trace_step(&thread, &done, &err), 0);
		}
		rs_trace_end(&thread);
		assert_int_equal(
		    rs_trace_sheet_make(&sheet, &traced, &model, n_top, &err), 0);
		unsigned long sum = 0;
		for (size_t row = 1; row < sheet.n_rows; row++)
			sum += strtoul(cell(&sheet, row, "mispredicts"), NULL, 10);
		assert_int_equal(sheet.n_rows, 2 + (n_top < 20 ? n_top : 20));
		assert_int_equal(sum, 400);
		assert_string_equal(cell(&sheet, 0, "mispredicts"), "400");
		assert_string_equal(cell(&sheet, 0, "mispredicts_per_return"),
				    "1.000000");
		assert_null(cell(&sheet, 0, "times"));
		rs_trace_sheet_free(&sheet);
		rs_traced_close(&traced);
	}
}

/* A native command: the names of its functions, and no mispredict in balanced code. */
static void commands_are_traced(void **state)
{
	(void)state;
	static char name[] = RS_STEPPED;
	char *const argv[] = {name, NULL};
	const struct rs_trace_model model = {"test", rules};
	struct rs_traced traced;
	struct rs_sheet sheet;
	struct rs_err err = {.text = ""};
	assert_int_equal(rs_traced_open(&traced, &rules, &err), 0);
	const int ret = rs_traced_command(&traced, argv, -1, &err);
	if (ret) {
		print_message("skipped: %s\n", err.text);
		rs_traced_close(&traced);
		skip();
	}
	assert_string_equal(traced.ended, "exited with status 7");
	assert_false(traced.has_died);
	assert_null(traced.stopped);
	assert_int_equal(traced.n_processes, 1);
	assert_int_equal(traced.trace.totals.threads, 1);
	assert_int_equal(traced.trace.totals.undecoded, 0);
	assert_int_equal(traced.trace.totals.mispredicts, 0);
	assert_true(traced.trace.totals.calls >= STEPPED_CALLS * STEPPED_FRAMES);
	assert_true(traced.trace.totals.deepest >= STEPPED_FRAMES);
	/* The C library's start calls main, which exits below it. */
	assert_int_equal(rs_trace_sheet_make(&sheet, &traced, &model, 10, &err), 0);
	assert_string_equal(cell(&sheet, 0, "ended"), "exited with status 7");
	rs_trace_sheet_free(&sheet);
	rs_traced_close(&traced);
}

/* Two symbols may share an address. */
static bool is_symbol_at(const struct rs_vdso *vdso, const char *name,
			 const void *address)
{
	bool is_it = false;
	for (size_t i = 0; i < vdso->n_symbols && name; i++)
		is_it |= vdso->symbols[i].address == address &&
			 strcmp(vdso->symbols[i].name, name) == 0;
	return is_it;
}

/* Each function of the vDSO by its own address, and by the one after it. */
static void places_in_the_vdso_have_names(void **state)
{
	(void)state;
	struct rs_traced_images images;
	struct rs_regions regions = {.rows = NULL};
	struct rs_vdso vdso;
	struct rs_err err;
	if (rs_vdso_open(&vdso, &err)) {
		print_message("skipped: %s\n", err.text);
		skip();
	}
	assert_int_equal(rs_traced_images_open(&images), 0);
	assert_int_equal(rs_regions_read(&regions, getpid(), &images), 0);
	assert_true(vdso.n_symbols > 0);
	for (size_t i = 0; i < 2 * vdso.n_symbols; i++) {
		const struct rs_vdso_symbol *const symbol = &vdso.symbols[i / 2];
		const uint64_t address = (uintptr_t)symbol->address + i % 2;
		const struct rs_region *const region =
		    rs_regions_find(&regions, address);
		assert_non_null(region);
		struct rs_traced_place place = {
		    .image = region->image,
		    .offset = address - region->start + region->offset,
		};
		assert_string_equal(images.rows[place.image].path, "[vdso]");
		assert_int_equal(rs_traced_images_name(&images, &place, 1), 0);
		assert_true(is_symbol_at(&vdso, place.function, symbol->address));
		assert_int_equal(place.function_offset, i % 2);
		free(place.function);
	}
	rs_regions_free(&regions);
	rs_traced_images_close(&images);
	rs_vdso_close(&vdso);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(unpopped_calls_are_blamed),
	    cmocka_unit_test(unpaired_returns_are_blamed),
	    cmocka_unit_test(older_calls_underflow),
	    cmocka_unit_test(deep_nesting_overflows),
	    cmocka_unit_test(balanced_and_exempt_calls_are_free),
	    cmocka_unit_test(dead_calls_do_not_nest),
	    cmocka_unit_test(memory_is_bounded),
	    cmocka_unit_test(tables_add_up),
	    cmocka_unit_test(commands_are_traced),
	    cmocka_unit_test(places_in_the_vdso_have_names),
	};
	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
