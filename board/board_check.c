#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board/board.h"
#include "src/placement.h"
#include "tests/kernels/checked_call.h"
#include "tests/kernels/target.h"
#include "tests/kernels/wrong.h"

#define N_COPIES 4
#define MAX_OFF_US                                                                     \
	1000000 /* of a time of day by the data page: its rate is measured             \
		 */

static const unsigned long loop_counts[] = {1, 2, 1000};

/* One kernel at one place and depth. */
struct site {
	const char *name;
	const struct rs_kernel *kernel;
	enum rs_target target;
	const void *entry;
	unsigned int frames;
	ptrdiff_t moved;     /* from the original to where it runs */
	unsigned int offset; /* of the copy in its page */
	bool is_copy;
};

/* What the kernels of the vdso family call here. */
unsigned long rs_remember(unsigned long a, unsigned long b, unsigned long c,
			  unsigned long d, unsigned long e)
{
	(void)d, (void)e;
	return a + b + c;
}

static void complain(const struct site *site, const char *what)
{
	if (site->is_copy)
		printf("%s below %u frames, copy at offset %u: %s\n", site->name,
		       site->frames, site->offset, what);
	else
		printf("%s below %u frames: %s\n", site->name, site->frames, what);
}

static bool is_time_of_day(const struct timeval *said)
{
	struct timeval now;
	struct timeval off;
	gettimeofday(&now, NULL);
	if (timercmp(&now, said, >))
		timersub(&now, said, &off);
	else
		timersub(said, &now, &off);
	return off.tv_sec == 0 && off.tv_usec < MAX_OFF_US;
}

/* What the kernel left in RS_KARG_RESULT, and where it wrote; NULL: as it should be. */
static const char *wrong_result(const struct site *site, const unsigned long *kargs,
				const struct timeval *said, unsigned long before)
{
	const unsigned long result = kargs[RS_KARG_RESULT];
	unsigned long expected = 0;
	switch (site->target) {
	case RS_TARGET_VDSO:
	case RS_TARGET_LIBC:
	case RS_TARGET_PARTNER:
		expected =
		    kargs[RS_KARG_ARG0] + kargs[RS_KARG_ARG1] + kargs[RS_KARG_ARG2];
		break;
	case RS_TARGET_SYSCALL:
		expected = (unsigned long)getppid();
		break;
	case RS_TARGET_NONE:
		if (site->kernel->pc)
			expected = (uintptr_t)site->kernel->pc + (size_t)site->moved;
		break;
	}
	if (!rs_result_is_right(site->kernel, kargs, before))
		return "wrong result";
	if (site->kernel->result == RS_RESULT_OWN && result != expected)
		return "wrong result";
	if (site->kernel->data_word && !is_time_of_day(said))
		return "wrong time of day";
	return NULL;
}

static unsigned int check_site(const struct site *site)
{
	const uintptr_t targets[] = {
	    [RS_TARGET_NONE] = 0,
	    [RS_TARGET_VDSO] = (uintptr_t)rs_k_remember,
	    [RS_TARGET_LIBC] = (uintptr_t)rs_remember,
	    [RS_TARGET_SYSCALL] = 0,
	    [RS_TARGET_PARTNER] = (uintptr_t)rs_remember,
	};
	const bool calls_out = targets[site->target] || site->kernel->takes_signals;
	unsigned int n_wrong = 0;
	for (size_t i = 0; i < sizeof(loop_counts) / sizeof(loop_counts[0]); i++) {
		struct timeval now = {-1, -1};
		const unsigned long block[64 / sizeof(unsigned long)] = {0};
		unsigned long kargs[RS_N_KARGS] = {
		    [RS_KARG_CALLS] = loop_counts[i],
		    [RS_KARG_TARGET] = targets[site->target],
		    [RS_KARG_ARG0] = (uintptr_t)&now,
		    [RS_KARG_ARG1] = 11,
		    [RS_KARG_ARG2] = ~0UL,
		    [RS_KARG_SYSNO] = SYS_getppid,
		    [RS_KARG_BLOCK] = (uintptr_t)block,
		    [RS_KARG_LINES] = 1,
		    [RS_KARG_READS] = 1,
		    [RS_KARG_RESULT] = 1,
		};
		const unsigned long before = (unsigned long)rs_ticks();
		const unsigned int broken = rs_checked_call(
		    site->entry, kargs, calls_out ? RS_STACK_TARGET : RS_STACK_KERNEL);
		char text[256];
		const char *what = wrong_result(site, kargs, &now, before);
		if (broken)
			what = rs_rules_text(broken, text, sizeof(text));
		if (what)
			complain(site, what);
		n_wrong += what != NULL;
	}
	return n_wrong;
}

static unsigned int check_copies(struct site site)
{
	unsigned int n_wrong = 0;
	for (unsigned int i = 0; i < N_COPIES; i++) {
		struct rs_placement placement;
		struct rs_err err;
		if (rs_placement_make(&placement, site.kernel, i, N_COPIES, &err)) {
			complain(&site, err.text);
			return n_wrong + 1;
		}
		site.is_copy = true;
		site.entry = rs_placement_entry(&placement, site.frames);
		site.moved = placement.code - site.kernel->start;
		site.offset = (uintptr_t)placement.code % 4096;
		n_wrong += check_site(&site);
		rs_placement_free(&placement);
	}
	return n_wrong;
}

/* A kernel with a data word has no page where it lies, and runs as a copy only. */
static unsigned int check_kernel(const char *name, const struct rs_kernel *kernel,
				 enum rs_target target)
{
	unsigned int n_wrong = 0;
	unsigned int n_depths = 0;
	for (unsigned int frames = 0; frames <= RS_MAX_FRAMES; frames++) {
		if (!kernel->entry[frames])
			continue;
		const struct site site = {
		    .name = name,
		    .kernel = kernel,
		    .target = target,
		    .entry = kernel->entry[frames],
		    .frames = frames,
		};
		n_depths++;
		if (!kernel->data_word)
			n_wrong += check_site(&site);
		n_wrong += check_copies(site);
	}
	if (!n_wrong)
		printf("%s: right at %u depth%s\n", name, n_depths,
		       n_depths == 1 ? "" : "s");
	return n_wrong;
}

/* In a child: a kernel that is wrong may take its process with it. */
static bool is_right(const char *name, const struct rs_kernel *kernel,
		     enum rs_target target)
{
	fflush(stdout);
	const pid_t pid = fork();
	if (pid == 0) {
		const unsigned int n_wrong = check_kernel(name, kernel, target);
		fflush(stdout);
		_exit(n_wrong ? RS_BOARD_FOUND : RS_BOARD_DONE);
	}
	int status = 0;
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		printf("%s: no process to check it in\n", name);
		return false;
	}
	if (WIFSIGNALED(status))
		printf("%s: died of %s\n", name, strsignal(WTERMSIG(status)));
	return status == 0;
}

unsigned int rs_board_check_isa(const struct rs_isa *isa)
{
	unsigned int n_wrong = !is_right("empty", isa->empty, RS_TARGET_NONE);
	for (const struct rs_family *family = isa->families; family->name; family++) {
		for (const struct rs_variant *row = family->variants; row->name;
		     row++) {
			char name[64];
			const char *const obstacle = rs_variant_obstacle(row);
			snprintf(name, sizeof(name), "%s/%s", family->name, row->name);
			if (obstacle)
				printf("%s: not checked: %s\n", name, obstacle);
			else
				n_wrong += !is_right(name, row->kernel, row->target);
		}
	}
	return n_wrong;
}

/* Whoever trusts the check wants to know that it notices. */
static unsigned int check_checker(void)
{
	unsigned int n = 0;
	unsigned int n_missed = 0;
	for (const struct rs_wrong *row = rs_wrong; row->name; row++) {
		if (row->can_run && !row->can_run())
			continue;
		n++;
		unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = 1};
		char text[256];
		rs_rules_text(rs_checked_call(row->kernel, kargs, RS_STACK_KERNEL),
			      text, sizeof(text));
		if (strcmp(text, row->broken) == 0)
			continue;
		printf("checker: kernel %s breaks '%s', found was '%s'\n", row->name,
		       row->broken, text);
		n_missed++;
	}
	if (!n_missed)
		printf("checker: sees through %u kernels made for it\n", n);
	return n_missed;
}

int rs_board_check(int argc, char **argv)
{
	static const struct argp parser = {
	    .doc = "Call every kernel at every depth, in place and as copies, with "
		   "poisoned registers and stack, and look at what it left behind. "
		   "Exit status: 0 all are right, 1 some are wrong, 77 there are none.",
	};
	if (argp_parse(&parser, argc, argv, 0, NULL, NULL))
		return RS_BOARD_USAGE;
	const unsigned int n_missed = check_checker();
	const unsigned int n_wrong = rs_board_check_isa(rs_isa_host());
	if (n_missed || n_wrong) {
		printf("%u wrong kernels, %u not seen by the checker\n", n_wrong,
		       n_missed);
		return RS_BOARD_FOUND;
	}
	puts("all kernels are right");
	return RS_BOARD_DONE;
}
