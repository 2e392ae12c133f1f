#include "src/partner.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/futex.h>

#include "arch/arch.h"
#include "src/affinity.h"
#include "src/child.h"

#define N_PIPES 2

/* One way to hand over; both return 0 or a negative errno. */
struct way {
	int (*hand_over)(struct rs_side *side);
	int (*wait)(struct rs_side *side); /* NULL: there is nothing to wait for */
};

/* One of the two. */
struct rs_side {
	const struct way *way;
	unsigned int touches;
	int in; /* of pipes */
	int out;
	_Atomic uint32_t *turn; /* the id of the side whose turn it is */
	uint32_t id;
	uint32_t other; /* its own id where it is alone */
};

/* Shared by both, be they threads or processes. */
struct rs_partner {
	struct rs_partner_plan plan;
	struct rs_side mine;
	struct rs_side its;
	int pipes[N_PIPES][2]; /* the first to the partner, the second back */
	_Atomic uint32_t turn;
	_Atomic uint32_t is_awake;
	_Atomic uint32_t is_asleep;
	_Atomic uint32_t is_over; /* the partner is to end */
	pid_t owner;              /* the process that has started it; 0: none */
	pid_t process;
	pthread_t thread;
};

/*
 * Not the private futexes of threads: what is compared with processes is then the
 * switch alone.
 */
static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int yield_over(struct rs_side *side)
{
	(void)side;
	return sched_yield() ? -errno : 0;
}

static int pipe_over(struct rs_side *side)
{
	const char byte = 0;
	return write(side->out, &byte, 1) == 1 ? 0 : -errno;
}

static int pipe_wait(struct rs_side *side)
{
	char byte;
	const ssize_t n = read(side->in, &byte, 1);
	return n == 1 ? 0 : n == 0 ? -EPIPE : -errno;
}

static int futex_over(struct rs_side *side)
{
	atomic_store(side->turn, side->other);
	futex_wake(side->turn);
	return 0;
}

static int futex_wait_turn(struct rs_side *side)
{
	while (atomic_load(side->turn) != side->id)
		futex_wait(side->turn, side->other);
	return 0;
}

static const struct way ways[] = {
    [RS_WAY_YIELD] = {.hand_over = yield_over},
    [RS_WAY_PIPE] = {.hand_over = pipe_over, .wait = pipe_wait},
    [RS_WAY_FUTEX] = {.hand_over = futex_over, .wait = futex_wait_turn},
};

static void touch(const struct rs_side *side)
{
	struct timeval now;
	if (side->touches & RS_TOUCH_VDSO)
		gettimeofday(&now, NULL);
	if (side->touches)
		rs_touch(side->touches);
}

static int hand_over(struct rs_side *side)
{
	const int ret = side->way->hand_over(side);
	touch(side);
	return ret;
}

static int wait_for_turn(struct rs_side *side)
{
	if (!side->way->wait)
		return 0;
	const int ret = side->way->wait(side);
	touch(side);
	return ret;
}

long rs_partner_turn(struct rs_side *side)
{
	const int ret = hand_over(side);
	return ret ? ret : wait_for_turn(side);
}

static bool yields(const struct rs_partner *partner)
{
	return partner->plan.way == RS_WAY_YIELD;
}

static void sleep_until_woken(struct rs_partner *partner)
{
	while (yields(partner) && !atomic_load(&partner->is_awake)) {
		atomic_store(&partner->is_asleep, 1);
		futex_wait(&partner->is_awake, 0);
	}
}

/* The partner's whole life: it takes its turns until it is told to end. */
static int serve(struct rs_partner *partner)
{
	int ret = 0;
	while (!ret) {
		sleep_until_woken(partner);
		ret = wait_for_turn(&partner->its);
		if (atomic_load(&partner->is_over))
			break;
		if (!ret)
			ret = hand_over(&partner->its);
	}
	return ret;
}

static void *be_thread(void *user)
{
	/* Nobody else would ever hand over to the process that waits. */
	if (serve(user))
		_exit(1);
	return NULL;
}

static _Noreturn void be_process(struct rs_partner *partner, pid_t parent)
{
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	_exit(getppid() == parent && serve(partner) == 0 ? 0 : 1);
}

static unsigned int touchable(unsigned int touches)
{
	for (unsigned int bit = 1; bit <= RS_TOUCH_ALL; bit <<= 1) {
		if (rs_touch_missing((enum rs_touch)bit))
			touches &= ~bit;
	}
	return touches;
}

static int open_pipes(struct rs_partner *partner)
{
	for (size_t i = 0; i < N_PIPES; i++) {
		if (pipe2(partner->pipes[i], O_CLOEXEC))
			return -errno;
	}
	return 0;
}

static void close_pipes(struct rs_partner *partner)
{
	for (size_t i = 0; i < 2 * N_PIPES; i++) {
		const int fd = partner->pipes[i / 2][i % 2];
		if (fd >= 0)
			close(fd);
	}
}

/* Alone: what it hands over is its own next turn. */
static void set_sides(struct rs_partner *partner)
{
	const struct rs_partner_plan *const plan = &partner->plan;
	partner->mine = (struct rs_side){
	    .way = &ways[plan->way],
	    .touches = touchable(plan->touches),
	    .in = partner->pipes[0][0],
	    .out = partner->pipes[0][1],
	    .turn = &partner->turn,
	    .id = 1,
	    .other = 1,
	};
	partner->its = partner->mine;
	partner->its.out = partner->pipes[1][1];
	partner->its.id = 2;
	atomic_store(&partner->turn, partner->mine.id);
}

int rs_partner_open(struct rs_partner **out, const struct rs_partner_plan *plan,
		    struct rs_err *err)
{
	struct rs_partner *const partner = rs_child_share(sizeof(*partner));
	*out = NULL;
	if (!partner)
		return rs_err_set(err, -ENOMEM, "no memory for a partner");
	*partner = (struct rs_partner){
	    .plan = *plan,
	    .pipes = {{-1, -1}, {-1, -1}},
	};
	const int ret = plan->way == RS_WAY_PIPE ? open_pipes(partner) : 0;
	if (ret) {
		rs_partner_close(partner);
		return rs_err_set(err, ret, "cannot make a pipe to a partner: %s",
				  strerror(-ret));
	}
	set_sides(partner);
	*out = partner;
	return 0;
}

static int start_process(struct rs_partner *partner, void (*on_end)(int))
{
	const pid_t parent = getpid();
	signal(SIGCHLD, on_end);
	partner->process = fork();
	if (partner->process == 0)
		be_process(partner, parent);
	return partner->process < 0 ? -errno : 0;
}

static int start(struct rs_partner *partner, void (*on_end)(int), struct rs_err *err)
{
	const bool in_process = partner->plan.in_process;
	const int ret =
	    in_process ? start_process(partner, on_end)
		       : -pthread_create(&partner->thread, NULL, be_thread, partner);
	if (ret)
		return rs_err_set(err, ret, "cannot start a %s to hand over to: %s",
				  in_process ? "process" : "thread", strerror(-ret));
	partner->owner = getpid();
	return 0;
}

/* From being alone; or from what a process that started it left, and that is no more.
 */
static void part_sides(struct rs_partner *partner)
{
	partner->mine.in = partner->pipes[1][0];
	partner->mine.other = partner->its.id;
	atomic_store(&partner->turn, partner->mine.id);
	atomic_store(&partner->is_awake, 0);
	atomic_store(&partner->is_asleep, 0);
}

/* It runs where its creator was bound to when it was made. */
int rs_partner_start(struct rs_partner *partner, void (*on_end)(int),
		     struct rs_err *err)
{
	const int here = sched_getcpu();
	part_sides(partner);
	int ret = rs_affinity_pin(partner->plan.cpu, err);
	if (!ret)
		ret = start(partner, on_end, err);
	return ret ? ret : rs_affinity_pin((unsigned int)here, err);
}

/* A last turn, in which the partner sees that it is over. */
static void end(struct rs_partner *partner)
{
	if (partner->plan.in_process)
		signal(SIGCHLD, SIG_DFL);
	atomic_store(&partner->is_over, 1);
	rs_partner_wake(partner);
	hand_over(&partner->mine);
	if (partner->plan.in_process)
		waitpid(partner->process, NULL, 0);
	else
		pthread_join(partner->thread, NULL);
}

void rs_partner_close(struct rs_partner *partner)
{
	if (!partner)
		return;
	if (partner->owner == getpid())
		end(partner);
	close_pipes(partner);
	rs_child_unshare(partner, sizeof(*partner));
}

void rs_partner_wake(struct rs_partner *partner)
{
	if (!yields(partner))
		return;
	atomic_store(&partner->is_asleep, 0);
	atomic_store(&partner->is_awake, 1);
	futex_wake(&partner->is_awake);
}

void rs_partner_rest(struct rs_partner *partner)
{
	if (!yields(partner))
		return;
	atomic_store(&partner->is_awake, 0);
	while (partner->owner && !atomic_load(&partner->is_asleep))
		sched_yield();
}

struct rs_side *rs_partner_side(struct rs_partner *partner)
{
	return &partner->mine;
}
