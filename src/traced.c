#include "src/traced.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/regions.h"
#include "src/stepper.h"
#include "src/stopper.h"

#define PAGE UINT64_C(4096)

int rs_traced_open(struct rs_traced *out, const struct rs_linkstack_rules *rules,
		   struct rs_err *err)
{
	*out = (struct rs_traced){.n_processes = 0};
	const int ret = rs_trace_open(&out->trace, rules, RS_TRACESITES_MAX, err);
	if (ret)
		return ret;
	if (rs_traced_images_open(&out->images) == 0)
		return 0;
	rs_traced_close(out);
	return rs_err_set(err, -ENOMEM, "no memory for a trace");
}

void rs_traced_close(struct rs_traced *traced)
{
	rs_trace_close(&traced->trace);
	rs_traced_images_close(&traced->images);
}

/* The memory of a process, as long as a thread of it lives. */
struct space {
	pid_t pid;
	unsigned int n_threads;
	struct rs_regions regions;
	struct space *next;
};

struct thread {
	struct rs_trace_thread trace;
	struct space *space;
};

struct live {
	struct rs_traced *traced;
	struct space *spaces;
	struct rs_err *err;
};

static struct space *enter_space(struct live *live, pid_t pid)
{
	struct space *space = live->spaces;
	while (space && space->pid != pid)
		space = space->next;
	if (!space) {
		space = calloc(1, sizeof(*space));
		if (!space)
			return NULL;
		space->pid = pid;
		space->next = live->spaces;
		live->spaces = space;
		live->traced->n_processes++;
	}
	space->n_threads++;
	return space;
}

static void leave_space(struct live *live, struct space *space)
{
	struct space **at = &live->spaces;
	if (--space->n_threads)
		return;
	while (*at != space)
		at = &(*at)->next;
	*at = space->next;
	rs_regions_free(&space->regions);
	free(space);
}

static int begin_thread(void *user, struct rs_stepped *stepped)
{
	struct live *const live = user;
	struct thread *const thread = calloc(1, sizeof(*thread));
	struct space *const space = thread ? enter_space(live, stepped->pid) : NULL;
	if (!space) {
		free(thread);
		return rs_err_set(live->err, -ENOMEM, "no memory for a thread");
	}
	thread->space = space;
	stepped->user = thread;
	return rs_trace_begin(&live->traced->trace, &thread->trace, live->err);
}

static void end_thread(void *user, struct rs_stepped *stepped)
{
	struct live *const live = user;
	struct thread *const thread = stepped->user;
	if (!thread)
		return;
	rs_trace_end(&thread->trace);
	leave_space(live, thread->space);
	free(thread);
}

static int exec_program(void *user, struct rs_stepped *stepped)
{
	(void)user;
	struct thread *const thread = stepped->user;
	rs_regions_free(&thread->space->regions);
	rs_trace_exec(&thread->trace);
	return 0;
}

/*
 * The mappings are read when an address is in none of those that are known. What was
 * mapped over another image in the meantime keeps its name.
 */
static const struct rs_region *find_region(struct live *live, struct space *space,
					   uint64_t address)
{
	const struct rs_region *found = rs_regions_find(&space->regions, address);
	if (found)
		return found;
	rs_regions_read(&space->regions, space->pid, &live->traced->images);
	found = rs_regions_find(&space->regions, address);
	if (found)
		return found;
	const uint64_t page = address - address % PAGE;
	const struct rs_region nowhere = {
	    .start = page,
	    .end = page + PAGE,
	    .offset = page,
	    .image = RS_TRACED_ANONYMOUS,
	};
	rs_regions_add(&space->regions, &nowhere);
	return rs_regions_find(&space->regions, address);
}

static int take_step(void *user, struct rs_stepped *stepped, const struct rs_step *step)
{
	struct live *const live = user;
	struct thread *const thread = stepped->user;
	struct rs_trace_step known = {
	    .insn = step->insn,
	    .is_decoded = step->is_decoded,
	    .is_in_memory = step->decoder && step->decoder->link == RS_REG_STACK,
	    .address = step->address,
	    .next = step->next,
	    .stack = step->stack,
	    .image = RS_TRACED_ANONYMOUS,
	    .offset = step->address,
	};
	if (rs_trace_wants_site(step->insn)) {
		const struct rs_region *const region =
		    find_region(live, thread->space, step->address);
		if (region) {
			known.image = region->image;
			known.offset = step->address - region->start + region->offset;
		}
	}
	return rs_trace_step(&thread->trace, &known, live->err);
}

static bool is_over(void *user)
{
	struct live *const live = user;
	live->traced->stopped = rs_stopper_reason();
	return live->traced->stopped;
}

static void say_end(struct rs_traced *traced, const struct rs_stepper_end *end)
{
	if (!end->has_ended)
		return;
	traced->has_died = WIFSIGNALED(end->status);
	if (traced->has_died)
		snprintf(traced->ended, sizeof(traced->ended), "died of SIG%s",
			 sigabbrev_np(WTERMSIG(end->status)));
	else
		snprintf(traced->ended, sizeof(traced->ended), "exited with status %d",
			 WEXITSTATUS(end->status));
}

int rs_traced_command(struct rs_traced *traced, char *const *argv, int out,
		      struct rs_err *err)
{
	struct live live = {.traced = traced, .err = err};
	const struct rs_tracee_target target = {.argv = argv, .out = out};
	const struct rs_stepper_sink sink = {
	    .user = &live,
	    .begin = begin_thread,
	    .step = take_step,
	    .exec = exec_program,
	    .end = end_thread,
	    .is_over = is_over,
	};
	struct rs_stepper_end end;
	const int ret = rs_stepper_run(&target, &sink, &end, err);
	if (!ret)
		say_end(traced, &end);
	return ret;
}
