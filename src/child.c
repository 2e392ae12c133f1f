#include "src/child.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void *rs_child_share(size_t n_bytes)
{
	void *const shared = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED ? NULL : shared;
}

void rs_child_unshare(void *shared, size_t n_bytes)
{
	munmap(shared, n_bytes);
}

static void set_timer(__itimer_which_t which, unsigned int ms)
{
	const struct itimerval timer = {
	    .it_value.tv_sec = ms / 1000,
	    .it_value.tv_usec = (suseconds_t)(ms % 1000) * 1000,
	};
	setitimer(which, &timer, NULL);
}

/*
 * The handlers of the parent (a sanitizer's, or the program's own) would hide the
 * signal that ends the child, and a core file of it helps nobody. The two timers end
 * it by the default action of their signals, whatever it does and whether or not the
 * parent is alive.
 */
static void prepare(const struct rs_child_limits *limits)
{
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 0);
	const struct rlimit no_core = {.rlim_cur = 0};
	setrlimit(RLIMIT_CORE, &no_core);
	set_timer(ITIMER_VIRTUAL, limits->cpu_ms);
	set_timer(ITIMER_REAL, limits->wall_ms);
}

static int wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

int rs_child_run(void (*body)(void *shared), void *shared,
		 const struct rs_child_limits *limits, int *wait_status)
{
	const pid_t pid = fork();
	if (pid < 0)
		return -errno;
	if (pid > 0)
		return wait_for(pid, wait_status);
	prepare(limits);
	body(shared);
	_exit(0);
}
