#include "src/plan.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* Never run here, only copied: a plan asks for bytes and entries, not for code. */
static const unsigned char code[64];
static const struct rs_kernel flat = {
    .start = code, .end = code + sizeof(code), .entry = {code}};
static const struct rs_kernel framed = {
    .start = code,
    .end = code + sizeof(code),
    .entry = {NULL, code, code + 1, code + 2, code + 3, code + 4, code + 5, code + 6,
	      code + 7},
};

static const char *not_here(void)
{
	return "this machine is too old";
}

static const char *here(void)
{
	return NULL;
}

static const struct rs_variant getpc[] = {
    {.name = "lea", .kernel = &framed},
    {.name = "call+4", .kernel = &framed, .effect = RS_EFFECT_CORRUPTING},
    {.name = "flat", .kernel = &flat, .missing = here},
    {.name = "later", .kernel = &flat, .missing = not_here},
    {.name = "never", .absent = "no such instruction"},
    {.name = NULL},
};
static const struct rs_variant vdso[] = {
    {.name = "vdso", .kernel = &flat, .target = RS_TARGET_VDSO},
    {.name = "libc", .kernel = &flat, .target = RS_TARGET_LIBC},
    {.name = "syscall", .kernel = &flat, .target = RS_TARGET_SYSCALL},
    {.name = NULL},
};
static const struct rs_family families[] = {
    {.name = "getpc", .baseline = "lea", .variants = getpc},
    {.name = "vdso", .baseline = "vdso", .variants = vdso},
    {.name = NULL},
};
static const struct rs_isa isa = {
    .name = "test",
    .vdso_prefix = "__vdso_",
    .vdso_version = "LINUX_2.6",
    .empty = &flat,
    .families = families,
};

#define MAX_PATTERNS 4

static int try_plan(struct rs_plan *plan, const struct rs_isa *of,
		    const char *const *patterns, unsigned int depths,
		    const char *baseline, struct rs_err *err)
{
	size_t n = 0;
	while (n < MAX_PATTERNS && patterns[n])
		n++;
	const struct rs_selection selection = {
	    .patterns = patterns,
	    .n_patterns = n,
	    .depths = depths,
	    .n_placements = 4,
	    .baseline = baseline,
	};
	return rs_plan_make(plan, of, &selection, err);
}

static void make_plan(struct rs_plan *plan, const struct rs_isa *of,
		      const char *pattern, unsigned int depths, const char *baseline)
{
	const char *const patterns[MAX_PATTERNS] = {pattern};
	struct rs_err err = {""};
	if (try_plan(plan, of, patterns, depths, baseline, &err))
		fail_msg("%s", err.text);
}

/* A cell as text: WORKLOAD VARIANT DEPTH, "*" a baseline, "< N" what it is held to. */
static void describe(const struct rs_plan *plan, size_t i, char *out, size_t size)
{
	const struct rs_cell *const cell = &plan->cells[i];
	char against[24] = "";
	if (cell->baseline != RS_NO_CELL)
		snprintf(against, sizeof(against), " < %zu", cell->baseline);
	snprintf(out, size, "%s %s %u%s%s%s", cell->workload, cell->variant,
		 cell->depth, cell->is_baseline ? " *" : "", against,
		 cell->role == RS_ROLE_EMPTY     ? " empty"
		 : cell->role == RS_ROLE_CONTROL ? " control"
						 : "");
}

struct choice {
	const char *patterns[MAX_PATTERNS];
	unsigned int depths;
	const char *baseline;
	const char *cells[12];
};

#define DEPTH(k) (1U << (k))

static const struct choice choices[] = {
    {
	.patterns = {"getpc"},
	.depths = DEPTH(3),
	.cells = {"getpc empty 0 empty", "getpc lea 3 *", "getpc call+4 3 < 1",
		  "getpc flat 0 < 1", "getpc later 0 < 1", "getpc never 0 < 1",
		  "getpc lea again 3 < 1 control"},
    },
    /* The baseline comes along, and each depth has its own. */
    {
	.patterns = {"getpc/call+4"},
	.depths = DEPTH(1) | DEPTH(8),
	.cells = {"getpc empty 0 empty", "getpc lea 1 *", "getpc call+4 1 < 1",
		  "getpc lea again 1 < 1 control", "getpc lea 8 *",
		  "getpc call+4 8 < 4", "getpc lea again 8 < 4 control"},
    },
    /* Rows without frames come once, held to the first where no depth fits. */
    {
	.patterns = {"getpc/flat"},
	.depths = DEPTH(2) | DEPTH(3),
	.cells = {"getpc empty 0 empty", "getpc lea 2 *", "getpc flat 0 < 1",
		  "getpc lea again 2 < 1 control", "getpc lea 3 *",
		  "getpc lea again 3 < 4 control"},
    },
    {
	.patterns = {"getpc/flat"},
	.depths = DEPTH(2) | DEPTH(3),
	.baseline = "call+4",
	.cells = {"getpc empty 0 empty", "getpc call+4 2 *", "getpc flat 0 < 1",
		  "getpc call+4 again 2 < 1 control", "getpc call+4 3 *",
		  "getpc call+4 again 3 < 4 control"},
    },
    /* A baseline without frames stands once, for every depth. */
    {
	.patterns = {"getpc/lea"},
	.depths = DEPTH(2) | DEPTH(3),
	.baseline = "flat",
	.cells = {"getpc empty 0 empty", "getpc lea 2 < 2", "getpc flat 0 *",
		  "getpc flat again 0 < 2 control", "getpc lea 3 < 2"},
    },
    /* Two workloads; one that has no such variant keeps its own baseline. */
    {
	.patterns = {"getpc/lea", "vdso.getcpu/libc"},
	.depths = DEPTH(1),
	.baseline = "libc",
	.cells = {"getpc empty 0 empty", "getpc lea 1 *",
		  "getpc lea again 1 < 1 control", "vdso.getcpu empty 0 empty",
		  "vdso.getcpu libc 0 *", "vdso.getcpu libc again 0 < 4 control"},
    },
    /* The default clock has no suffix; one that is asked for has. */
    {
	.patterns = {"vdso.clock_gettime/vdso", "vdso.clock_gettime:CLOCK_TAI/vdso"},
	.depths = DEPTH(1),
	.cells = {"vdso.clock_gettime empty 0 empty", "vdso.clock_gettime vdso 0 *",
		  "vdso.clock_gettime vdso again 0 < 1 control",
		  "vdso.clock_gettime:tai empty 0 empty",
		  "vdso.clock_gettime:tai vdso 0 *",
		  "vdso.clock_gettime:tai vdso again 0 < 4 control"},
    },
};

static void check_choice(const struct choice *choice)
{
	struct rs_plan plan;
	struct rs_err err = {""};
	if (try_plan(&plan, &isa, choice->patterns, choice->depths, choice->baseline,
		     &err))
		fail_msg("%s", err.text);
	size_t n = 0;
	for (; n < N(choice->cells) && choice->cells[n]; n++) {
		char text[256];
		assert_true(n < plan.n_cells);
		describe(&plan, n, text, sizeof(text));
		print_message("%zu: %s\n", n, text);
		assert_string_equal(text, choice->cells[n]);
		const struct rs_cell *const empty = &plan.cells[plan.cells[n].empty];
		assert_int_equal(empty->role, RS_ROLE_EMPTY);
		assert_int_equal(empty->set, plan.cells[n].set);
		assert_string_equal(empty->workload, plan.cells[n].workload);
	}
	assert_int_equal(plan.n_cells, n);
	rs_plan_free(&plan);
	assert_null(plan.cells);
	rs_plan_free(&plan);
}

static void selections_become_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(choices); i++)
		check_choice(&choices[i]);
}

static const struct rs_cell *cell_of(const struct rs_plan *plan, const char *variant)
{
	for (size_t i = 0; i < plan->n_cells; i++) {
		if (strcmp(plan->cells[i].variant, variant) == 0)
			return &plan->cells[i];
	}
	fail_msg("no cell %s", variant);
	return NULL;
}

static void rows_that_cannot_run_say_why(void **state)
{
	(void)state;
	static const struct {
		const char *variant;
		const char *reason; /* NULL: it runs */
	} rows[] = {
	    {"empty", NULL},
	    {"lea", NULL},
	    {"flat", NULL},
	    {"lea again", NULL},
	    {"later", "this machine is too old"},
	    {"never", "no such instruction"},
	};
	struct rs_plan plan;
	make_plan(&plan, &isa, "getpc", DEPTH(3), NULL);
	for (size_t i = 0; i < N(rows); i++) {
		const struct rs_cell *const cell = cell_of(&plan, rows[i].variant);
		print_message("%s: %s\n", cell->variant, cell->reason);
		assert_int_equal(rs_cell_runs(cell), rows[i].reason == NULL);
		assert_int_equal(cell->state,
				 rows[i].reason ? RS_ROW_ABSENT : RS_ROW_OK);
		assert_string_equal(cell->reason, rows[i].reason ? rows[i].reason : "");
		assert_int_equal(cell->placements != NULL, rows[i].reason == NULL);
	}
	rs_plan_free(&plan);
}

static void kernels_are_copied_to_their_placements(void **state)
{
	(void)state;
	struct rs_plan plan;
	make_plan(&plan, &isa, "getpc/lea", DEPTH(3), NULL);
	const struct rs_cell *const cell = cell_of(&plan, "lea");
	assert_int_equal(plan.n_placements, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct rs_placement *const placement = &cell->placements[i];
		print_message("placement %zu at %p\n", i, (void *)placement->code);
		assert_int_equal((uintptr_t)placement->code % 4096, i * 1024);
		assert_ptr_equal(rs_placement_entry(placement, cell->depth),
				 placement->code + 2);
	}
	rs_plan_free(&plan);
}

static void isas_without_kernels_give_rows_with_a_reason(void **state)
{
	(void)state;
	static const struct rs_family only_vdso[] = {
	    {.name = "vdso", .baseline = "vdso", .variants = vdso}, {.name = NULL}};
	static const struct {
		struct rs_isa isa;
		const char *reason;
	} rows[] = {
	    {{.name = "bare", .absent = "nobody wrote them"}, "nobody wrote them"},
	    {{.name = "part", .empty = &flat, .families = only_vdso},
	     "no kernels for this instruction set"},
	    {{.name = "no loop", .families = families},
	     "no kernels for this instruction set"},
	};
	for (size_t i = 0; i < N(rows); i++) {
		print_message("%s\n", rows[i].isa.name);
		struct rs_plan plan;
		make_plan(&plan, &rows[i].isa, "getpc", DEPTH(3), NULL);
		assert_int_equal(plan.n_cells, 1);
		assert_int_equal(plan.n_sets, 1);
		const struct rs_cell *const cell = &plan.cells[0];
		assert_string_equal(cell->workload, "getpc");
		assert_string_equal(cell->variant, "any");
		assert_int_equal(cell->state, RS_ROW_ABSENT);
		assert_string_equal(cell->reason, rows[i].reason);
		assert_false(rs_cell_runs(cell));
		rs_plan_free(&plan);
	}
}

struct answer {
	enum rs_row_state state;
	bool has_note; /* the verdict's sentence, where the row runs all the same */
};

/* What the oracle says of a function is what its rows say. */
static void vdso_rows_follow_the_oracle(void **state)
{
	(void)state;
	static const struct answer answers[RS_N_ANSWER] = {
	    [RS_ANSWER_IN_VDSO] = {RS_ROW_OK, false},
	    [RS_ANSWER_VIA_SYSCALL] = {RS_ROW_OK, true},
	    [RS_ANSWER_ABSENT] = {RS_ROW_ABSENT, false},
	    [RS_ANSWER_BROKEN] = {RS_ROW_BROKEN, false},
	    [RS_ANSWER_ERROR] = {RS_ROW_ERROR, false},
	    [RS_ANSWER_UNKNOWN] = {RS_ROW_OK, true},
	};
	struct rs_plan plan;
	make_plan(&plan, &isa, "vdso.clock_gettime:*", DEPTH(1), NULL);
	for (size_t i = 0; i < plan.n_cells; i++) {
		const struct rs_cell *const cell = &plan.cells[i];
		if (!cell->form)
			continue;
		struct rs_verdict verdict = {.answer = RS_ANSWER_ABSENT};
		if (plan.has_vdso)
			rs_oracle_ask(&plan.vdso, &isa, cell->of, cell->operand->id,
				      &verdict);
		print_message("%s %s: %s, %s\n", cell->workload, cell->variant,
			      rs_answer_name(verdict.answer), verdict.reason);
		const bool is_vdso = cell->form->target == RS_TARGET_VDSO;
		const bool is_refused = verdict.answer == RS_ANSWER_ERROR;
		const struct answer want = is_vdso || is_refused
					       ? answers[verdict.answer]
					       : (struct answer){RS_ROW_OK, false};
		assert_int_equal(cell->state, want.state);
		assert_int_equal(cell->reason[0] != '\0', want.state != RS_ROW_OK);
		assert_int_equal(cell->note[0] != '\0', want.has_note);
	}
	rs_plan_free(&plan);
}

struct arguments {
	const char *selector;
	int clock; /* -1: the workload takes none */
	unsigned int n_outputs;
};

static const struct arguments arguments[] = {
    {"vdso.gettimeofday", -1, 1},
    {"vdso.clock_gettime", 1, 1},
    {"vdso.clock_gettime:tai", 11, 1},
    {"vdso.clock_getres:boottime", 7, 1},
    {"vdso.time", -1, 1},
    {"vdso.getcpu", -1, 2},
};

static void check_arguments(const struct rs_plan *plan, const struct rs_cell *cell,
			    const struct arguments *row)
{
	const unsigned long outputs = (unsigned long)(uintptr_t)plan->outputs;
	size_t next = RS_KARG_ARG0;
	if (cell->form->target == RS_TARGET_LIBC)
		assert_int_not_equal(cell->state, RS_ROW_ABSENT);
	if (row->clock >= 0)
		assert_int_equal(cell->kargs[next++], row->clock);
	for (unsigned int i = 0; i < row->n_outputs; i++)
		assert_int_equal(cell->kargs[next++], outputs + 128UL * i);
	for (; next <= RS_KARG_ARG2; next++)
		assert_int_equal(cell->kargs[next], 0);
	if (cell->form->target == RS_TARGET_SYSCALL)
		assert_int_equal(cell->kargs[RS_KARG_SYSNO],
				 (unsigned long)cell->of->sysno);
	else if (cell->state == RS_ROW_OK)
		assert_int_not_equal(cell->kargs[RS_KARG_TARGET], 0);
}

static void functions_get_clock_and_outputs(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(arguments); i++) {
		struct rs_plan plan;
		make_plan(&plan, &isa, arguments[i].selector, DEPTH(1), NULL);
		for (size_t j = 0; j < plan.n_cells; j++) {
			const struct rs_cell *const cell = &plan.cells[j];
			print_message("%s %s\n", cell->workload, cell->variant);
			if (cell->form)
				check_arguments(&plan, cell, &arguments[i]);
		}
		rs_plan_free(&plan);
	}
}

static void what_fits_nothing_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *pattern;
		const char *baseline;
		const char *says;
	} rows[] = {
	    {"getpc", "libc",
	     "no chosen workload has a variant 'libc' to be the baseline; "
	     "`retstack list variants` shows them"},
	    {"getpc/vdso", NULL,
	     "workload 'getpc' has no variant 'vdso'; it has lea call+4 flat later "
	     "never"},
	};
	for (size_t i = 0; i < N(rows); i++) {
		const char *const patterns[MAX_PATTERNS] = {rows[i].pattern};
		struct rs_plan plan;
		struct rs_err err = {""};
		assert_int_equal(
		    try_plan(&plan, &isa, patterns, DEPTH(1), rows[i].baseline, &err),
		    -EINVAL);
		assert_string_equal(err.text, rows[i].says);
		assert_null(plan.cells);
	}
}

/* Without a selector every workload is there, each once, in the order of the list. */
static void no_selector_means_every_workload(void **state)
{
	(void)state;
	const char *const none[MAX_PATTERNS] = {NULL};
	struct rs_plan plan;
	struct rs_err err = {""};
	assert_int_equal(try_plan(&plan, rs_isa_host(), none, DEPTH(3), NULL, &err), 0);
	size_t i = 0;
	unsigned int n_sets = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++, n_sets++) {
		print_message("%s\n", w->name);
		assert_true(i < plan.n_cells);
		for (; i < plan.n_cells && plan.cells[i].set == n_sets; i++)
			assert_string_equal(plan.cells[i].workload, w->name);
	}
	assert_int_equal(i, plan.n_cells);
	assert_int_equal(plan.n_sets, n_sets);
	rs_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(selections_become_rows),
	    cmocka_unit_test(rows_that_cannot_run_say_why),
	    cmocka_unit_test(kernels_are_copied_to_their_placements),
	    cmocka_unit_test(isas_without_kernels_give_rows_with_a_reason),
	    cmocka_unit_test(vdso_rows_follow_the_oracle),
	    cmocka_unit_test(functions_get_clock_and_outputs),
	    cmocka_unit_test(what_fits_nothing_is_refused),
	    cmocka_unit_test(no_selector_means_every_workload),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
