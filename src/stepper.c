#include "src/stepper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "src/tally.h"

#define LOOK_US 100000 /* how often is_over is asked while nothing stops */

/* A followed thread, and the instruction that it is about to execute. */
struct follower {
	struct rs_stepped thread;
	struct rs_tracee_place place;
	struct rs_insn insn;
	bool has_insn; /* place and insn hold */
	bool is_decoded;
	struct follower *next;
};

struct stepper {
	const struct rs_stepper_sink *sink;
	struct follower *followers;
	pid_t first;
	struct rs_stepper_end *end;
	struct rs_err *err;
};

static struct follower *find(const struct stepper *stepper, pid_t tid)
{
	struct follower *f = stepper->followers;
	while (f && f->thread.tid != tid)
		f = f->next;
	return f;
}

static struct follower *find_or_add(struct stepper *stepper, pid_t tid, int *ret)
{
	struct follower *f = find(stepper, tid);
	*ret = 0;
	if (f)
		return f;
	f = calloc(1, sizeof(*f));
	if (!f) {
		*ret = rs_err_set(stepper->err, -ENOMEM, "no memory for a thread");
		return NULL;
	}
	f->thread.tid = tid;
	f->thread.pid = rs_tracee_process(tid);
	f->next = stepper->followers;
	stepper->followers = f;
	*ret = stepper->sink->begin(stepper->sink->user, &f->thread);
	return f;
}

static void drop(struct stepper *stepper, struct follower *gone)
{
	struct follower **at = &stepper->followers;
	while (*at != gone)
		at = &(*at)->next;
	*at = gone->next;
	stepper->sink->end(stepper->sink->user, &gone->thread);
	free(gone);
}

static void look_ahead(struct follower *f, const struct rs_tracee_place *place)
{
	unsigned char bytes[RS_TRACEE_INSN_BYTES];
	const size_t n =
	    rs_tracee_read(f->thread.tid, place->address, bytes, sizeof(bytes));
	f->place = *place;
	f->has_insn = true;
	f->is_decoded = place->decoder && rs_decode(place->decoder, bytes, n,
						    place->address, &f->insn) == 0;
	if (!f->is_decoded)
		f->insn = (struct rs_insn){0};
}

static int tell(struct stepper *stepper, struct follower *f, uint64_t next)
{
	const struct rs_step step = {
	    .insn = &f->insn,
	    .is_decoded = f->is_decoded,
	    .address = f->place.address,
	    .next = next,
	    .stack = f->place.stack,
	    .decoder = f->place.decoder,
	};
	if (!f->has_insn || rs_insn_is_unfinished(&f->insn, f->place.address, next))
		return 0;
	return stepper->sink->step(stepper->sink->user, &f->thread, &step);
}

/* It has come to where it is now by executing what it was about to. */
static int arrive(struct stepper *stepper, struct follower *f)
{
	struct rs_tracee_place place;
	if (rs_tracee_place(f->thread.tid, &place))
		return 0; /* killed at this moment */
	const int ret = tell(stepper, f, place.address);
	look_ahead(f, &place);
	return ret;
}

/* It has come to where it is now without executing anything. */
static void appear(struct follower *f)
{
	struct rs_tracee_place place;
	if (rs_tracee_place(f->thread.tid, &place) == 0)
		look_ahead(f, &place);
}

/*
 * Before a signal is delivered: the instruction was executed if it is not the next one
 * again, as after a system call that the signal ends.
 */
static int arrive_if_moved(struct stepper *stepper, struct follower *f)
{
	struct rs_tracee_place place;
	if (rs_tracee_place(f->thread.tid, &place) ||
	    (f->has_insn && place.address == f->place.address))
		return 0;
	const int ret = tell(stepper, f, place.address);
	look_ahead(f, &place);
	return ret;
}

/* The others of the process are gone, and it has the number of the process now. */
static int take_exec(struct stepper *stepper, struct follower *f)
{
	const pid_t pid = f->thread.tid;
	struct follower *next = NULL;
	for (struct follower *other = stepper->followers; other; other = next) {
		next = other->next;
		if (other != f && other->thread.pid == pid)
			drop(stepper, other);
	}
	f->has_insn = false;
	const int ret = stepper->sink->exec(stepper->sink->user, &f->thread);
	appear(f);
	return ret;
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

static void go_on(const struct follower *f, int sig)
{
	rs_tracee_step(f->thread.tid, sig); /* fails for what was killed meanwhile */
}

static int take_trap(struct stepper *stepper, struct follower *f)
{
	int ret = 0;
	int sig = 0;
	switch (rs_tracee_trap(f->thread.tid, f->insn.flow == RS_FLOW_TRAP)) {
	case RS_TRAP_STEP:
		ret = arrive(stepper, f);
		break;
	case RS_TRAP_HANDLER:
		appear(f);
		break;
	case RS_TRAP_SIGNAL:
		ret = arrive_if_moved(stepper, f);
		sig = SIGTRAP;
		break;
	}
	go_on(f, sig);
	return ret;
}

/* A stop of the whole process by job control lasts until SIGCONT. */
static int take_event(struct stepper *stepper, struct follower *f, int event, int sig)
{
	int ret = 0;
	if (event == PTRACE_EVENT_STOP && is_stop_signal(sig)) {
		ptrace(PTRACE_LISTEN, f->thread.tid, 0, 0);
		return 0;
	}
	if (event == PTRACE_EVENT_EXEC)
		ret = take_exec(stepper, f);
	else if (event == PTRACE_EVENT_STOP && !f->has_insn)
		appear(f);
	go_on(f, 0);
	return ret;
}

static int take_stop(struct stepper *stepper, pid_t tid, int status)
{
	const int event = status >> 16;
	const int sig = WSTOPSIG(status);
	int ret = 0;
	struct follower *const f = find_or_add(stepper, tid, &ret);
	if (ret)
		return ret;
	if (event)
		return take_event(stepper, f, event, sig);
	if (sig == SIGTRAP)
		return take_trap(stepper, f);
	ret = arrive_if_moved(stepper, f);
	go_on(f, sig);
	return ret;
}

static int take(struct stepper *stepper, pid_t tid, int status)
{
	if (WIFSTOPPED(status))
		return take_stop(stepper, tid, status);
	if (tid == stepper->first)
		*stepper->end = (struct rs_stepper_end){true, status};
	struct follower *const f = find(stepper, tid);
	if (f)
		drop(stepper, f);
	return 0;
}

static bool is_over(const struct stepper *stepper)
{
	return stepper->sink->is_over && stepper->sink->is_over(stepper->sink->user);
}

/* Returns 0 when there is nothing left, else what a callback returned, or -errno. */
static int follow(struct stepper *stepper)
{
	for (;;) {
		int status = 0;
		const pid_t tid = waitpid(-1, &status, __WALL);
		if (tid < 0 && errno == ECHILD)
			return 0;
		if (tid < 0 && errno != EINTR)
			return rs_err_set(stepper->err, -errno,
					  "cannot wait for the traced program: %s",
					  strerror(errno));
		const int ret = tid > 0 ? take(stepper, tid, status) : 0;
		if (ret)
			return ret;
		if (is_over(stepper))
			return 1;
	}
}

/*
 * Kills what is left: all threads of a process die with it, and children that nobody
 * was told of yet are seen by their first stop.
 */
static void kill_all(struct stepper *stepper)
{
	int status = 0;
	pid_t tid = 0;
	for (const struct follower *f = stepper->followers; f; f = f->next)
		kill(f->thread.pid, SIGKILL);
	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (tid > 0 && WIFSTOPPED(status))
			kill(tid, SIGKILL);
	}
	while (stepper->followers)
		drop(stepper, stepper->followers);
}

static void wake(int sig)
{
	(void)sig;
}

/* A timer wakes the wait, so that is_over is asked also while the target sleeps. */
static void set_alarm(struct sigaction *before)
{
	const struct sigaction action = {.sa_handler = wake};
	const struct itimerval often = {{0, LOOK_US}, {0, LOOK_US}};
	sigaction(SIGALRM, &action, before);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void clear_alarm(const struct sigaction *before)
{
	const struct itimerval never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, before, NULL);
}

static int begin(struct stepper *stepper)
{
	int ret = 0;
	struct follower *const f = find_or_add(stepper, stepper->first, &ret);
	if (ret)
		return ret;
	struct rs_tracee_place place;
	ret = rs_tracee_place(stepper->first, &place);
	if (ret)
		return rs_err_set(stepper->err, ret,
				  "cannot see where the traced program stands: %s; "
				  "PTRACE_GET_SYSCALL_INFO needs Linux 5.3",
				  strerror(-ret));
	look_ahead(f, &place);
	ret = rs_tracee_step(stepper->first, 0);
	if (ret)
		return rs_err_set(stepper->err, ret,
				  "this machine cannot single-step a program: %s",
				  strerror(-ret));
	return 0;
}

int rs_stepper_run(const struct rs_tracee_target *target,
		   const struct rs_stepper_sink *sink, struct rs_stepper_end *end,
		   struct rs_err *err)
{
	struct stepper stepper = {.sink = sink, .end = end, .err = err};
	struct sigaction before;
	*end = (struct rs_stepper_end){.has_ended = false};
	int ret = rs_tracee_start(target, &stepper.first, err);
	if (ret)
		return ret;
	ret = begin(&stepper);
	set_alarm(&before);
	if (!ret)
		ret = follow(&stepper);
	kill_all(&stepper);
	clear_alarm(&before);
	return ret < 0 ? ret : 0;
}
