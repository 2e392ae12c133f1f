#include "src/plan.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/base/text.h"
#include "src/cell.h"
#include "src/pattern.h"

/* What is needed while a plan is being made. */
struct making {
	struct rs_plan *plan;
	const struct rs_isa *isa;
	const struct rs_selection *selection;
	struct rs_pattern *patterns;
	size_t capacity;
	bool found_baseline;
	struct rs_err why_no_vdso;
};

bool rs_cell_runs(const struct rs_cell *cell)
{
	return cell->state == RS_ROW_OK && cell->kernel;
}

static struct rs_cell *add_cell(struct making *making, struct rs_err *err)
{
	struct rs_plan *const plan = making->plan;
	if (plan->n_cells == making->capacity) {
		const size_t wanted = making->capacity ? 2 * making->capacity : 64;
		struct rs_cell *const grown =
		    reallocarray(plan->cells, wanted, sizeof(*grown));
		if (!grown) {
			rs_err_set(err, -ENOMEM, "not enough memory for the plan");
			return NULL;
		}
		plan->cells = grown;
		making->capacity = wanted;
	}
	struct rs_cell *const cell = &plan->cells[plan->n_cells++];
	memset(cell, 0, sizeof(*cell));
	cell->baseline = RS_NO_CELL;
	cell->empty = RS_NO_CELL;
	cell->set = plan->n_sets;
	return cell;
}

static int add_variant(struct making *making, const struct rs_subject *subject,
		       const struct rs_variant *form, unsigned int depth,
		       enum rs_row_role role, struct rs_err *err)
{
	struct rs_cell *const cell = add_cell(making, err);
	if (!cell)
		return -ENOMEM;
	rs_text_copy(cell->workload, sizeof(cell->workload), subject->name);
	snprintf(cell->variant, sizeof(cell->variant), "%.40s%s", form->name,
		 role == RS_ROLE_CONTROL ? " again" : "");
	cell->of = subject->workload;
	cell->form = form;
	cell->operand = subject->operand;
	cell->role = role;
	cell->depth = depth;
	cell->is_baseline = role == RS_ROLE_VARIANT && form == subject->baseline;
	rs_cell_set_arguments(cell, making->plan);
	rs_cell_find_kernel(cell, making->plan->n_threads);
	if (cell->state == RS_ROW_OK)
		rs_cell_find_target(cell, subject);
	return 0;
}

static bool has_frames(const struct rs_variant *form)
{
	return form->kernel && form->kernel->entry[1];
}

static bool is_chosen(const struct making *making, const struct rs_subject *subject,
		      const struct rs_operand *asked, const struct rs_variant *form)
{
	if (form == subject->baseline)
		return true;
	for (size_t i = 0; i < making->selection->n_patterns; i++) {
		const struct rs_pattern *const pattern = &making->patterns[i];
		if (rs_pattern_fits(pattern, subject->workload, asked) &&
		    rs_pattern_fits_variant(pattern, form))
			return true;
	}
	return making->selection->n_patterns == 0;
}

/* The rows of one depth; without_frames says that rows that have no depth come too. */
static int add_depth(struct making *making, const struct rs_subject *subject,
		     const struct rs_operand *asked, unsigned int depth,
		     bool without_frames, struct rs_err *err)
{
	bool has_baseline = false;
	int ret = 0;
	for (const struct rs_variant *f = subject->family->variants; f->name && !ret;
	     f++) {
		if (!is_chosen(making, subject, asked, f))
			continue;
		if (!has_frames(f) && !without_frames)
			continue;
		has_baseline |= f == subject->baseline;
		ret = add_variant(making, subject, f, has_frames(f) ? depth : 0,
				  RS_ROLE_VARIANT, err);
	}
	if (ret || !has_baseline)
		return ret;
	return add_variant(making, subject, subject->baseline,
			   has_frames(subject->baseline) ? depth : 0, RS_ROLE_CONTROL,
			   err);
}

static int add_empty(struct making *making, const struct rs_subject *subject,
		     struct rs_err *err)
{
	struct rs_cell *const cell = add_cell(making, err);
	if (!cell)
		return -ENOMEM;
	rs_text_copy(cell->workload, sizeof(cell->workload), subject->name);
	rs_text_copy(cell->variant, sizeof(cell->variant), "empty");
	cell->of = subject->workload;
	cell->kernel = making->isa->empty;
	cell->role = RS_ROLE_EMPTY;
	return 0;
}

/* The baseline at the same depth, or else the first one there is. */
static size_t baseline_of(const struct rs_plan *plan, size_t first,
			  const struct rs_cell *cell)
{
	size_t found = RS_NO_CELL;
	for (size_t i = plan->n_cells; i-- > first;) {
		if (!plan->cells[i].is_baseline)
			continue;
		found = i;
		if (plan->cells[i].depth == cell->depth)
			break;
	}
	return found;
}

static void link_cells(struct rs_plan *plan, size_t first)
{
	for (size_t i = first; i < plan->n_cells; i++) {
		struct rs_cell *const cell = &plan->cells[i];
		cell->empty = first;
		if (cell->role != RS_ROLE_EMPTY && !cell->is_baseline)
			cell->baseline = baseline_of(plan, first, cell);
	}
}

static const struct rs_variant *find_form(const struct rs_family *family,
					  const char *name)
{
	for (const struct rs_variant *form = family->variants; name && form->name;
	     form++) {
		if (strcmp(form->name, name) == 0)
			return form;
	}
	return NULL;
}

/* A workload for which this ISA has nothing is a row, too. */
static int add_missing(struct making *making, const struct rs_subject *subject,
		       struct rs_err *err)
{
	struct rs_cell *const cell = add_cell(making, err);
	if (!cell)
		return -ENOMEM;
	rs_text_copy(cell->workload, sizeof(cell->workload), subject->name);
	rs_text_copy(cell->variant, sizeof(cell->variant), "any");
	cell->of = subject->workload;
	const char *const why = making->isa->absent;
	rs_cell_set_state(cell, RS_ROW_ABSENT,
			  why ? why : "no kernels for this instruction set");
	making->plan->n_sets++;
	return 0;
}

static void ask_oracle(const struct making *making, struct rs_subject *subject)
{
	const struct rs_plan *const plan = making->plan;
	const char *const function = subject->workload->function;
	if (!function)
		return;
	const struct rs_vdso_symbol *const symbol =
	    plan->has_vdso ? rs_vdso_find(&plan->vdso, making->isa, function) : NULL;
	subject->in_vdso = symbol ? symbol->address : NULL;
	if (!plan->has_vdso) {
		subject->verdict.answer = RS_ANSWER_ABSENT;
		rs_text_copy(subject->verdict.reason, sizeof(subject->verdict.reason),
			     making->why_no_vdso.text);
		return;
	}
	const int clock = subject->workload->takes_clock ? subject->operand->id : 0;
	rs_oracle_ask(&plan->vdso, making->isa, subject->workload, clock,
		      &subject->verdict);
	if (subject->workload->takes_bytes)
		rs_oracle_ask_libc(&plan->vdso, subject->workload, &subject->of_libc);
}

/*
 * One state a thread for all sizes: rows of one process are never in it at the same
 * time.
 */
static void map_states(struct rs_plan *plan, struct rs_subject *subject)
{
	struct rs_verdict *const verdict = &subject->verdict;
	if (!verdict->random.n_state_bytes)
		return;
	if (!plan->random.pages) {
		const int ret =
		    rs_random_map(&plan->random, &verdict->random, plan->n_threads);
		if (ret) {
			verdict->answer = RS_ANSWER_ERROR;
			snprintf(verdict->reason, sizeof(verdict->reason),
				 "no state can be mapped for it: %s",
				 rs_err_name(-ret));
			return;
		}
	}
	subject->state = plan->random.pages;
	subject->n_state_bytes = plan->random.n_state_bytes;
}

static int add_set(struct making *making, const struct rs_workload *workload,
		   const struct rs_operand *asked, struct rs_err *err)
{
	struct rs_subject subject = {
	    .workload = workload,
	    .family = rs_isa_family(making->isa, workload->family),
	};
	subject.operand = asked ? asked : rs_operand_default(workload);
	snprintf(subject.name, sizeof(subject.name), "%s%s%s", workload->name,
		 asked ? ":" : "", asked ? asked->name : "");
	if (!subject.family || !making->isa->empty)
		return add_missing(making, &subject, err);
	const struct rs_variant *const other =
	    find_form(subject.family, making->selection->baseline);
	making->found_baseline |= other != NULL;
	subject.baseline =
	    other ? other : find_form(subject.family, subject.family->baseline);
	ask_oracle(making, &subject);
	map_states(making->plan, &subject);

	const size_t first = making->plan->n_cells;
	int ret = add_empty(making, &subject, err);
	bool without_frames = true;
	for (unsigned int depth = 1; depth <= RS_MAX_FRAMES && !ret; depth++) {
		if (!(making->selection->depths & (1U << depth)))
			continue;
		ret = add_depth(making, &subject, asked, depth, without_frames, err);
		without_frames = false;
	}
	link_cells(making->plan, first);
	making->plan->n_sets++;
	return ret;
}

static bool is_selected(const struct making *making, const struct rs_workload *workload,
			const struct rs_operand *asked)
{
	for (size_t i = 0; i < making->selection->n_patterns; i++) {
		if (rs_pattern_fits(&making->patterns[i], workload, asked))
			return true;
	}
	return making->selection->n_patterns == 0 && !asked;
}

static int add_workload(struct making *making, const struct rs_workload *workload,
			struct rs_err *err)
{
	int ret = 0;
	if (is_selected(making, workload, NULL))
		ret = add_set(making, workload, NULL, err);
	for (const struct rs_operand *o = rs_operands(workload); o->name && !ret; o++) {
		if (is_selected(making, workload, o))
			ret = add_set(making, workload, o, err);
	}
	return ret;
}

static int parse_patterns(struct making *making, struct rs_err *err)
{
	const struct rs_selection *const selection = making->selection;
	making->patterns = calloc(selection->n_patterns + 1, sizeof(*making->patterns));
	if (!making->patterns)
		return rs_err_set(err, -ENOMEM, "not enough memory for the selection");
	int ret = 0;
	for (size_t i = 0; i < selection->n_patterns && !ret; i++)
		ret = rs_pattern_parse(&making->patterns[i], selection->patterns[i],
				       making->isa, err);
	return ret;
}

static int no_such_baseline(const struct making *making, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	return rs_err_set(err, -EINVAL,
			  "no chosen workload has a variant '%s' to be the baseline; "
			  "`retstack list variants` shows them",
			  rs_text_clip(clip, making->selection->baseline));
}

static int place(struct rs_plan *plan, struct rs_cell *cell, struct rs_err *err)
{
	cell->placements = calloc(plan->n_placements, sizeof(*cell->placements));
	if (!cell->placements)
		return rs_err_set(err, -ENOMEM, "not enough memory for the placements");
	int ret = 0;
	for (unsigned int i = 0; i < plan->n_placements && !ret; i++)
		ret = rs_placement_make(&cell->placements[i], cell->kernel, i,
					plan->n_placements, err);
	return ret;
}

/* Touched here: a page's first use would be a page fault in a repetition. */
static int make_memory(struct rs_plan *plan, const struct rs_selection *selection,
		       struct rs_err *err)
{
	plan->clock_reads =
	    selection->clock_reads ? selection->clock_reads : RS_CLOCK_READS;
	plan->block_bytes =
	    selection->block_bytes ? selection->block_bytes : RS_BLOCK_BYTES;
	plan->outputs = aligned_alloc(RS_OUTPUT_BYTES, RS_OUTPUTS_BYTES);
	plan->block = aligned_alloc(RS_LINE_BYTES, (size_t)plan->block_bytes);
	if (!plan->outputs || !plan->block)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory for the plan and a block of %llu "
				  "bytes; ask for a smaller --block-size",
				  (unsigned long long)plan->block_bytes);
	memset(plan->block, 1, (size_t)plan->block_bytes);
	return 0;
}

int rs_plan_make(struct rs_plan *out, const struct rs_isa *isa,
		 const struct rs_selection *selection, struct rs_err *err)
{
	memset(out, 0, sizeof(*out));
	out->n_placements = selection->n_placements;
	out->n_threads = selection->n_threads ? selection->n_threads : 1;
	struct making making = {.plan = out, .isa = isa, .selection = selection};
	int ret = make_memory(out, selection, err);
	if (!ret)
		ret = parse_patterns(&making, err);
	if (!ret)
		out->has_vdso = rs_vdso_open(&out->vdso, &making.why_no_vdso) == 0;
	for (const struct rs_workload *w = rs_workloads(); w->name && !ret; w++)
		ret = add_workload(&making, w, err);
	if (!ret && selection->baseline && !making.found_baseline)
		ret = no_such_baseline(&making, err);
	for (size_t i = 0; i < out->n_cells && !ret; i++) {
		ret = rs_cell_find_partner(&out->cells[i], selection, err);
		if (!ret && rs_cell_runs(&out->cells[i]))
			ret = place(out, &out->cells[i], err);
	}
	free(making.patterns);
	if (ret)
		rs_plan_free(out);
	return ret;
}

void rs_plan_free(struct rs_plan *plan)
{
	for (size_t i = 0; i < plan->n_cells; i++) {
		struct rs_placement *const placements = plan->cells[i].placements;
		for (unsigned int j = 0; placements && j < plan->n_placements; j++)
			rs_placement_free(&placements[j]);
		free(placements);
		rs_partner_close(plan->cells[i].partner);
	}
	free(plan->cells);
	free(plan->outputs);
	free(plan->block);
	rs_random_unmap(&plan->random);
	if (plan->has_vdso)
		rs_vdso_close(&plan->vdso);
	memset(plan, 0, sizeof(*plan));
}
