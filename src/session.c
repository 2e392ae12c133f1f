#include "src/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/cell.h"
#include "src/stopper.h"

/*
 * Room for all that one slot of a block can need: short of it, a disturbed beginning
 * would cost the rows at the end their repetitions.
 */
#define RECORDS_PER_SLOT (1 + RS_MAX_AGAIN)

/* How long a child that was asked to stop may take to finish its repetition. */
#define STOP_NS 2000000000ULL

#define POLL_MS 100

static size_t align_up(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

static size_t slots_per_block(const struct rs_session *session)
{
	size_t n = 0;
	for (size_t i = 0; i < session->plan->n_cells; i++)
		n += rs_cell_runs(&session->plan->cells[i]);
	return n * session->plan->n_placements;
}

/*
 * Refuses at the start what would only be killed after hours for lack of memory: one
 * record for each slot, without those that are made again.
 */
static int check_memory(size_t n_slots, size_t per_record, struct rs_err *err)
{
	const long n_pages = sysconf(_SC_PHYS_PAGES);
	const long page_bytes = sysconf(_SC_PAGESIZE);
	if (n_pages <= 0 || page_bytes <= 0)
		return 0;
	const double there = (double)n_pages * (double)page_bytes;
	const double wanted = (double)n_slots * (double)per_record;
	if (wanted <= there)
		return 0;
	return rs_err_set(err, -EOVERFLOW,
			  "%zu readings of all events need %.1f GiB, and this machine "
			  "has %.1f GiB; ask for fewer --repetitions, --placements or "
			  "workloads",
			  n_slots, wanted / 0x1p30, there / 0x1p30);
}

/* One mapping for all that the child writes; pages that are not touched cost nothing.
 */
static int allocate(struct rs_session *session, struct rs_err *err)
{
	const size_t n_cells = session->plan->n_cells;
	const size_t n_blocks = rs_session_n_blocks(session);
	const size_t per_record = sizeof(struct rs_record) +
				  session->events->n_events * sizeof(struct rs_reading);
	size_t n_slots;
	size_t capacity;
	size_t bytes;
	if (__builtin_mul_overflow(slots_per_block(session), n_blocks, &n_slots) ||
	    __builtin_mul_overflow(n_slots, (size_t)RECORDS_PER_SLOT, &capacity) ||
	    capacity >= UINT32_MAX ||
	    __builtin_mul_overflow(capacity, per_record, &bytes))
		return rs_err_set(err, -EOVERFLOW,
				  "that many repetitions cannot be recorded; ask for "
				  "fewer --repetitions, --placements or workloads");
	const int ret = check_memory(n_slots, per_record, err);
	if (ret)
		return ret;
	const size_t records_at = align_up(sizeof(struct rs_progress));
	const size_t calls_at =
	    records_at + align_up(capacity * sizeof(struct rs_record));
	const size_t readings_at = calls_at + align_up(n_cells * sizeof(uint64_t));
	session->shared_bytes =
	    readings_at +
	    align_up(capacity * session->events->n_events * sizeof(struct rs_reading));
	char *const shared = mmap(NULL, session->shared_bytes, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED)
		return rs_err_set(err, -errno,
				  "cannot map %zu bytes for the readings: %s; ask for "
				  "fewer --repetitions or --placements",
				  session->shared_bytes, strerror(errno));
	session->shared = shared;
	session->progress = (struct rs_progress *)shared;
	session->records = (struct rs_record *)(shared + records_at);
	session->calls_of_cell = (uint64_t *)(shared + calls_at);
	session->readings = (struct rs_reading *)(shared + readings_at);
	session->capacity = capacity;
	return 0;
}

/*
 * The terminal's Ctrl-C reaches the child too: it ignores it and looks at the parent's
 * stop word instead, so that a repetition is never cut in two. What a handler that it
 * inherited makes of a crash would hide the signal that names it.
 */
static void be_child(struct rs_session *session, unsigned int set,
		     unsigned int first_block, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	const int ignored[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		signal(deadly[i], SIG_DFL);
	const struct rlimit no_core = {0, 0};
	setrlimit(RLIMIT_CORE, &no_core);
	rs_measure_set(session, set, first_block);
	_exit(0);
}

static void show_progress(const struct rs_session *session)
{
	if (!session->show)
		return;
	const unsigned int all =
	    (unsigned int)(slots_per_block(session) * rs_session_n_blocks(session));
	session->show(session->user, atomic_load(&session->progress->n_records), all);
}

/* Asks the child to stop once there is a reason to, and kills it if it does not. */
static void press(struct rs_session *session, pid_t child, uint64_t *asked_ns)
{
	const char *const reason = rs_stopper_reason();
	if (!reason)
		return;
	session->stopped = reason;
	atomic_store(&session->progress->stop, 1);
	if (!*asked_ns)
		*asked_ns = rs_now_ns();
	if (rs_now_ns() - *asked_ns > STOP_NS || rs_stopper_n_signals() > 1)
		kill(child, SIGKILL);
}

static int wait_for(struct rs_session *session, pid_t child)
{
	const int fd = (int)syscall(SYS_pidfd_open, child, 0);
	uint64_t asked_ns = 0;
	int status = 0;
	for (;;) {
		struct pollfd waited = {.fd = fd, .events = POLLIN};
		poll(&waited, fd >= 0 ? 1 : 0, POLL_MS);
		if (waitpid(child, &status, WNOHANG) == child)
			break;
		press(session, child, &asked_ns);
		show_progress(session);
	}
	if (fd >= 0)
		close(fd);
	return status;
}

/* What was measured before stays; the block that was cut short goes. */
static void drop_cut_block(struct rs_session *session)
{
	struct rs_progress *const progress = session->progress;
	atomic_store(&progress->n_records, atomic_load(&progress->block_first));
}

static void describe_crash(struct rs_cell *cell, int signal_number)
{
	cell->state = RS_ROW_CRASHED;
	snprintf(cell->reason, sizeof(cell->reason), "its kernel died of SIG%s (%s)",
		 sigabbrev_np(signal_number), sigdescr_np(signal_number));
}

static void describe_exit(struct rs_cell *cell, int status)
{
	cell->state = RS_ROW_ERROR;
	snprintf(cell->reason, sizeof(cell->reason),
		 "its kernel ended the measuring process with status %d", status);
}

/* No row of the set that is still open can be measured any more. */
static void fail_set(struct rs_session *session, unsigned int set, const char *why)
{
	for (size_t i = 0; i < session->plan->n_cells; i++) {
		struct rs_cell *const cell = &session->plan->cells[i];
		if (cell->set != set || !rs_cell_runs(cell))
			continue;
		cell->state = RS_ROW_ERROR;
		rs_text_copy(cell->reason, sizeof(cell->reason), why);
	}
}

/* True when the set can go on without the cell that died. */
static bool survive_crash(struct rs_session *session, unsigned int set, int status)
{
	struct rs_progress *const progress = session->progress;
	const uint32_t index = atomic_load(&progress->cell);
	const int number = WTERMSIG(status);
	atomic_store(&progress->cell, RS_CELL_NONE);
	if (session->stopped)
		return false;
	if (index == RS_CELL_NONE || number == SIGKILL) {
		char why[128];
		snprintf(why, sizeof(why), "the measuring process was ended by SIG%s",
			 sigabbrev_np(number));
		fail_set(session, set, why);
		return false;
	}
	describe_crash(&session->plan->cells[index], number);
	drop_cut_block(session);
	return true;
}

/* The same for a child that ended by itself before it was done. */
static bool survive_exit(struct rs_session *session, unsigned int set, int status)
{
	struct rs_progress *const progress = session->progress;
	const uint32_t index = atomic_load(&progress->cell);
	atomic_store(&progress->cell, RS_CELL_NONE);
	if (index == RS_CELL_NONE) {
		const char *const why = progress->failure;
		fail_set(session, set, *why ? why : "the measuring process gave up");
		return false;
	}
	struct rs_cell *const cell = &session->plan->cells[index];
	if (progress->failure[0])
		rs_cell_set_state(cell, RS_ROW_BROKEN, progress->failure);
	else
		describe_exit(cell, WEXITSTATUS(status));
	progress->failure[0] = '\0';
	drop_cut_block(session);
	return !session->stopped;
}

static bool set_has_work(const struct rs_session *session, unsigned int set)
{
	for (size_t i = 0; i < session->plan->n_cells; i++) {
		const struct rs_cell *const cell = &session->plan->cells[i];
		if (cell->set == set && cell->role != RS_ROLE_EMPTY &&
		    rs_cell_runs(cell))
			return true;
	}
	return false;
}

/* One child; true when the set needs another one, without the cell that died. */
static bool run_child(struct rs_session *session, unsigned int set, struct rs_err *err,
		      int *ret)
{
	struct rs_progress *const progress = session->progress;
	const unsigned int first_block = atomic_load(&progress->block);
	const pid_t parent = getpid();
	const pid_t child = fork();
	if (child < 0) {
		*ret = rs_err_set(err, -errno, "cannot start a measuring process: %s",
				  strerror(errno));
		return false;
	}
	if (child == 0)
		be_child(session, set, first_block, parent);
	const int status = wait_for(session, child);
	if (WIFSIGNALED(status))
		return survive_crash(session, set, status);
	return !atomic_load(&progress->is_done) && survive_exit(session, set, status);
}

static int run_set(struct rs_session *session, unsigned int set, struct rs_err *err)
{
	struct rs_progress *const progress = session->progress;
	atomic_store(&progress->block, 0);
	atomic_store(&progress->block_first, atomic_load(&progress->n_records));
	atomic_store(&progress->is_done, 0);
	progress->failure[0] = '\0';
	int ret = 0;
	while (set_has_work(session, set) && run_child(session, set, err, &ret))
		;
	return ret;
}

int rs_session_run(struct rs_session *session, struct rs_err *err)
{
	int ret = allocate(session, err);
	if (ret)
		return ret;
	atomic_store(&session->progress->cell, RS_CELL_NONE);
	for (unsigned int set = 0; set < session->plan->n_sets && !ret; set++) {
		if (!session->stopped)
			session->stopped = rs_stopper_reason();
		if (session->stopped)
			break;
		ret = run_set(session, set, err);
	}
	return ret;
}

void rs_session_free(struct rs_session *session)
{
	if (session->shared)
		munmap(session->shared, session->shared_bytes);
	session->shared = NULL;
}
