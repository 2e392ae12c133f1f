#include "src/cell.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"

void rs_cell_set_state(struct rs_cell *cell, enum rs_row_state state,
		       const char *reason)
{
	cell->state = state;
	rs_text_copy(cell->reason, sizeof(cell->reason), reason);
}

/* What the oracle's answer means for a variant that calls what it was asked about. */
static void judge(struct rs_cell *cell, const struct rs_verdict *verdict)
{
	static const enum rs_row_state states[RS_N_ANSWER] = {
	    [RS_ANSWER_ABSENT] = RS_ROW_ABSENT,
	    [RS_ANSWER_BROKEN] = RS_ROW_BROKEN,
	    [RS_ANSWER_ERROR] = RS_ROW_ERROR,
	};
	if (states[verdict->answer] != RS_ROW_OK)
		rs_cell_set_state(cell, states[verdict->answer], verdict->reason);
	else
		rs_text_copy(cell->note, sizeof(cell->note), verdict->reason);
}

static void find_vdso(struct rs_cell *cell, const struct rs_subject *subject)
{
	cell->kargs[RS_KARG_TARGET] = (unsigned long)(uintptr_t)subject->in_vdso;
	cell->kargs[RS_KARG_ARG3] = (unsigned long)(uintptr_t)subject->state;
	cell->kargs[RS_KARG_ARG4] = (unsigned long)subject->n_state_bytes;
	judge(cell, &subject->verdict);
	if (cell->of->takes_bytes && !subject->state && cell->state == RS_ROW_OK)
		rs_cell_set_state(cell, RS_ROW_ABSENT, subject->verdict.reason);
}

/* By name, as the loader would, but also in a program without a loader. */
static uintptr_t libc_function(const char *name)
{
	static const struct {
		const char *name;
		uintptr_t address;
	} functions[] = {
	    {"gettimeofday", (uintptr_t)gettimeofday},
	    {"clock_gettime", (uintptr_t)clock_gettime},
	    {"clock_getres", (uintptr_t)clock_getres},
	    {"time", (uintptr_t)time},
	    {"getcpu", (uintptr_t)getcpu},
	    {"getppid", (uintptr_t)getppid},
	    {"getrandom", (uintptr_t)getrandom},
	};
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].address;
	}
	return 0;
}

static void find_libc(struct rs_cell *cell, const struct rs_subject *subject)
{
	const struct rs_workload *const workload = subject->workload;
	const char *const name = workload->libc ? workload->libc : workload->function;
	const uintptr_t function = libc_function(name);
	cell->kargs[RS_KARG_TARGET] = (unsigned long)function;
	judge(cell, &subject->of_libc);
	if (function)
		return;
	char reason[128];
	snprintf(reason, sizeof(reason),
		 "no function %s of the C library is known here", name);
	rs_cell_set_state(cell, RS_ROW_ABSENT, reason);
}

static void find_syscall(struct rs_cell *cell, const struct rs_subject *subject)
{
	const long number = subject->workload->sysno;
	cell->kargs[RS_KARG_SYSNO] = (unsigned long)number;
	if (number < 0)
		rs_cell_set_state(cell, RS_ROW_ABSENT,
				  "this architecture has no such system call");
}

/* The kernel itself refuses this clock: no way to call it can be timed. */
static bool is_refused(const struct rs_subject *subject)
{
	return subject->verdict.answer == RS_ANSWER_ERROR;
}

void rs_cell_find_target(struct rs_cell *cell, const struct rs_subject *subject)
{
	switch (cell->form->target) {
	case RS_TARGET_NONE:
	case RS_TARGET_PARTNER:
		return;
	case RS_TARGET_VDSO:
		find_vdso(cell, subject);
		return;
	case RS_TARGET_LIBC:
		find_libc(cell, subject);
		break;
	case RS_TARGET_SYSCALL:
		find_syscall(cell, subject);
		break;
	}
	if (is_refused(subject) && cell->state == RS_ROW_OK)
		rs_cell_set_state(cell, RS_ROW_ERROR, subject->verdict.reason);
}

int rs_cell_find_partner(struct rs_cell *cell, const struct rs_selection *selection,
			 struct rs_err *err)
{
	const struct rs_variant *const form = cell->form;
	if (!form || form->target != RS_TARGET_PARTNER || !rs_cell_runs(cell))
		return 0;
	const bool is_apart = cell->operand->id & RS_WAY_APART;
	const struct rs_partner_plan plan = {
	    .way = (enum rs_way)(cell->operand->id & ~RS_WAY_APART),
	    .in_process = form->in_process,
	    .touches = form->touches,
	    .cpu = is_apart ? selection->other_cpu : selection->cpu,
	};
	if (plan.cpu == RS_CPU_ANY) {
		rs_cell_set_state(cell, RS_ROW_ABSENT,
				  "this process may use one CPU only");
		return 0;
	}
	const int ret = rs_partner_open(&cell->partner, &plan, err);
	if (ret)
		return ret;
	cell->kargs[RS_KARG_TARGET] = (unsigned long)(uintptr_t)rs_partner_turn;
	cell->kargs[RS_KARG_ARG0] =
	    (unsigned long)(uintptr_t)rs_partner_side(cell->partner);
	return 0;
}

bool rs_cell_reads_block(const struct rs_cell *cell)
{
	return cell->role != RS_ROLE_EMPTY && strcmp(cell->of->family, "work") == 0;
}

void rs_cell_set_arguments(struct rs_cell *cell, const struct rs_plan *plan)
{
	const bool calls_out = cell->form->target != RS_TARGET_NONE;
	size_t next = RS_KARG_ARG0;
	if (cell->of->takes_bytes)
		cell->kargs[RS_KARG_ARG1] = (unsigned long)cell->operand->id;
	else if (cell->operand && calls_out)
		cell->kargs[next++] = (unsigned long)cell->operand->id;
	const unsigned int n_outputs = cell->of->function ? cell->of->n_outputs : 1;
	for (unsigned int i = 0; i < n_outputs; i++)
		cell->kargs[next++] = (unsigned long)(uintptr_t)plan->outputs +
				      (unsigned long)i * RS_OUTPUT_BYTES;
	cell->kargs[RS_KARG_BLOCK] = (unsigned long)(uintptr_t)plan->block;
	cell->kargs[RS_KARG_LINES] = (unsigned long)(plan->block_bytes / RS_LINE_BYTES);
	cell->kargs[RS_KARG_READS] = plan->clock_reads;
}

void rs_cell_find_kernel(struct rs_cell *cell, unsigned int n_threads)
{
	const char *const obstacle = rs_variant_obstacle(cell->form);
	if (obstacle)
		rs_cell_set_state(cell, RS_ROW_ABSENT, obstacle);
	else if (n_threads > 1 && cell->form->kernel->takes_signals)
		rs_cell_set_state(cell, RS_ROW_ABSENT,
				  "its handler is that of the whole process, so that "
				  "it runs in one thread only");
	cell->kernel = obstacle ? NULL : cell->form->kernel;
}
