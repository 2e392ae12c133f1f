#include "src/run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/companions.h"
#include "src/counters.h"
#include "src/run_parts.h"
#include "src/stopper.h"

/*
 * Long against the 5000 ticks that reading the counters may cost, short enough that
 * most repetitions see no timer interrupt.
 */
#define REPETITION_NS 1000000

/* A difference below this is not called one: layout alone moves code by as much. */
#define THRESHOLD_PCT 1.0

void rs_run_note(struct rs_run *run, const char *fmt, ...)
{
	if (run->n_notes == RS_MAX_NOTES)
		return;
	char *const text = run->note_texts[run->n_notes];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(run->note_texts[0]), fmt, args);
	va_end(args);
	run->notes[run->n_notes++] = text;
}

static unsigned int n_companions(const struct rs_run *run)
{
	const unsigned int n_threads = run->request->selection.n_threads;
	return n_threads ? n_threads - 1 : 0;
}

/* The CPU to measure; this process is bound to it until the events are planned. */
static int pin(struct rs_run *run, unsigned int *cpu, struct rs_err *err)
{
	int ret = rs_affinity_allowed(&run->allowed, err);
	if (ret)
		return ret;
	*cpu = run->request->cpu;
	ret = rs_affinity_settle(&run->allowed, cpu, err);
	if (!ret && n_companions(run))
		ret = rs_companions_choose(&run->allowed, *cpu, run->companion_cpus,
					   n_companions(run), err);
	return ret ? ret : rs_affinity_pin(*cpu, err);
}

static int refuse_uncountable(const struct rs_run *run, struct rs_err *err)
{
	for (size_t i = 0; i < run->events.n_events; i++) {
		const struct rs_event *const event = &run->events.events[i];
		if (event->status == RS_STATUS_OK)
			continue;
		return rs_err_set(err, -ENOTSUP,
				  "--strict: event '%s' cannot be counted here: %.700s",
				  event->name, event->reason);
	}
	return 0;
}

static int open_events(struct rs_run *run, unsigned int cpu, struct rs_err *err)
{
	const struct rs_run_request *const request = run->request;
	run->backend = rs_counters_of_host();
	int ret = 0;
	if (request->replay)
		ret = rs_backend_replay(request->replay, &run->replay, err);
	if (ret)
		return ret;
	if (run->replay)
		run->backend = run->replay;
	ret = rs_alias_table_load(request->data_dir, &run->aliases, err);
	if (!ret)
		ret = rs_event_list_add(&run->events,
					request->events ? request->events
							: rs_event_default_list(),
					run->aliases, run->backend, cpu, err);
	if (!ret)
		ret = rs_event_list_plan(&run->events, run->backend, cpu, err);
	if (!ret && request->strict)
		ret = refuse_uncountable(run, err);
	return ret;
}

static void set_settings(struct rs_run *run, unsigned int cpu)
{
	const struct rs_run_request *const request = run->request;
	run->results.settings = (struct rs_settings){
	    .command_line = request->command_line,
	    .selection = request->selection_text,
	    .events = request->events ? request->events : rs_event_default_list(),
	    .baseline = request->selection.baseline,
	    .replay = request->replay,
	    .calls = request->calls,
	    .repetition_ns = REPETITION_NS,
	    .repetitions = request->repetitions,
	    .placements = request->selection.n_placements,
	    .cpu = cpu,
	    .seed = request->seed,
	    .max_time_s = request->max_time_s,
	    .threshold_pct = THRESHOLD_PCT,
	    .block_bytes = run->plan.block_bytes,
	    .clock_reads = run->plan.clock_reads,
	    .threads = run->plan.n_threads,
	    .strict = request->strict,
	};
}

/* Start time and process tell two runs apart; a replayed one is always the same. */
static void name_run(struct rs_run *run)
{
	if (run->replay) {
		rs_text_copy(run->run_id, sizeof(run->run_id), "replay");
		return;
	}
	const time_t now = time(NULL);
	struct tm utc;
	gmtime_r(&now, &utc);
	strftime(run->run_id, sizeof(run->run_id), "%Y%m%dT%H%M%SZ", &utc);
	rs_text_append(run->run_id, sizeof(run->run_id), "-%d", (int)getpid());
}

static int measure(struct rs_run *run, unsigned int cpu, struct rs_err *err)
{
	const struct rs_run_request *const request = run->request;
	run->session = (struct rs_session){
	    .plan = &run->plan,
	    .events = &run->events,
	    .backend = run->backend,
	    .cpu = cpu,
	    .repetitions = request->repetitions,
	    .calls = request->calls,
	    .repetition_ns = REPETITION_NS,
	    .seed = request->seed,
	    .show = request->show,
	    .user = request->user,
	    .companion_cpus = run->companion_cpus,
	    .n_companions = n_companions(run),
	};
	rs_affinity_avoid(&run->allowed, cpu);
	rs_stopper_begin(request->max_time_s);
	const int ret = rs_session_run(&run->session, err);
	rs_stopper_end();
	return ret;
}

static void note_emulator(struct rs_run *run)
{
	const char *const emulator =
	    run->host ? rs_host_fact(run->host, "emulator") : NULL;
	if (emulator && strcmp(emulator, "none") != 0)
		rs_run_note(
		    run,
		    "this runs under %s: the numbers describe the emulator, not a "
		    "processor",
		    emulator);
}

static void look_at_host_again(struct rs_run *run)
{
	note_emulator(run);
	const char *sentences[RS_MAX_NOTES];
	const size_t n =
	    run->host ? rs_host_read_after(run->host, sentences, RS_MAX_NOTES) : 0;
	for (size_t i = 0; i < n; i++)
		rs_run_note(run, "%s", sentences[i]);
	if (run->session.progress && run->session.progress->lost_group[0])
		rs_run_note(run, "%s", run->session.progress->lost_group);
	if (run->plan.has_vdso && run->plan.vdso.note)
		rs_run_note(run, "%s", run->plan.vdso.note);
}

/* The rows that were asked for, on these CPUs. */
static int make_plan(struct rs_run *run, unsigned int cpu, struct rs_err *err)
{
	struct rs_selection selection = run->request->selection;
	rs_cpus_remove(&run->allowed, cpu);
	const int other = rs_cpus_last(&run->allowed);
	selection.cpu = cpu;
	selection.other_cpu = other < 0 ? RS_CPU_ANY : (unsigned int)other;
	const int ret = rs_cpus_add(&run->allowed, cpu);
	if (ret)
		return rs_err_set(err, ret, "no memory for a CPU set");
	return rs_plan_make(&run->plan, rs_isa_host(), &selection, err);
}

static int run_all(struct rs_run *run, struct rs_err *err)
{
	unsigned int cpu = 0;
	int ret = pin(run, &cpu, err);
	if (!ret)
		ret = open_events(run, cpu, err);
	if (!ret)
		ret = rs_run_choose_preset(run, cpu, err);
	if (!ret && !run->replay)
		ret = rs_host_read(&run->host, cpu, err);
	if (!ret)
		ret = make_plan(run, cpu, err);
	if (!ret)
		ret = rs_run_forecast(run, err);
	if (ret)
		return ret;
	name_run(run);
	set_settings(run, cpu);
	ret = measure(run, cpu, err);
	look_at_host_again(run);
	return ret ? ret : rs_run_collect(run, err);
}

int rs_run_do(const struct rs_run_request *request, struct rs_run **out,
	      struct rs_err *err)
{
	struct rs_run *const run = calloc(1, sizeof(*run));
	if (!run)
		return rs_err_set(err, -ENOMEM, "not enough memory for a run");
	run->request = request;
	const int ret = run_all(run, err);
	run->request = NULL;
	if (ret)
		rs_run_free(run);
	else
		*out = run;
	return ret;
}

void rs_run_free(struct rs_run *run)
{
	if (!run)
		return;
	rs_run_free_results(run);
	rs_session_free(&run->session);
	rs_run_free_forecast(run);
	rs_plan_free(&run->plan);
	rs_host_free(run->host);
	rs_alias_table_free(run->aliases);
	rs_backend_free(run->replay);
	rs_cpus_free(&run->allowed);
	free(run);
}

const struct rs_results *rs_run_results(const struct rs_run *run)
{
	return &run->results;
}

bool rs_run_is_all_absent(const struct rs_run *run)
{
	for (size_t i = 0; i < run->results.n_rows; i++) {
		const struct rs_row *const row = &run->results.rows[i];
		if (row->role == RS_ROLE_VARIANT && row->state != RS_ROW_ABSENT)
			return false;
	}
	return true;
}

bool rs_run_has_failed_rows(const struct rs_run *run)
{
	for (size_t i = 0; i < run->results.n_rows; i++) {
		const enum rs_row_state state = run->results.rows[i].state;
		if (state != RS_ROW_OK && state != RS_ROW_ABSENT)
			return true;
	}
	return false;
}
