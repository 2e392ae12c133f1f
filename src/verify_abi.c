#include "src/verify_parts.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "src/base/err.h"

/*
 * Arguments that are wrong. Where the system call says EFAULT, the function may say so
 * too, or die of the access like any code of user space (vdso(7) promises neither);
 * every other answer is the system call's.
 */

enum place {
	PLACE_NULL,
	PLACE_UNMAPPED,
	PLACE_READ_ONLY,
	PLACE_UNALIGNED,
	PLACE_ACROSS_END, /* begins in a good page, ends in one that is not there */
	PLACE_GOOD,
	N_BAD_PLACES = PLACE_GOOD
};

static const char *const place_names[] = {
    [PLACE_NULL] = "a NULL",
    [PLACE_UNMAPPED] = "an unmapped",
    [PLACE_READ_ONLY] = "a read-only",
    [PLACE_UNALIGNED] = "an unaligned",
    [PLACE_ACROSS_END] = "a half mapped",
};

#define MAX_POINTERS 2
#define RANDOM_BYTES 64UL /* where they are to be had */

/* Pages: good, then one that is not there; read-only, then one that is not there. */
struct pages {
	char *memory;
	size_t n_bytes; /* of a page */
};

static bool map_pages(struct pages *pages)
{
	const long size = sysconf(_SC_PAGESIZE);
	pages->n_bytes = (size_t)size;
	pages->memory = mmap(NULL, 4 * pages->n_bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages->memory != MAP_FAILED &&
	       mprotect(pages->memory + pages->n_bytes, pages->n_bytes, PROT_NONE) ==
		   0 &&
	       mprotect(pages->memory + 2 * pages->n_bytes, pages->n_bytes,
			PROT_READ) == 0 &&
	       mprotect(pages->memory + 3 * pages->n_bytes, pages->n_bytes,
			PROT_NONE) == 0;
}

static unsigned long address_of(const struct pages *pages, enum place place,
				unsigned int pointer)
{
	const uintptr_t good = (uintptr_t)pages->memory;
	const uintptr_t after = good + pages->n_bytes;
	switch (place) {
	case PLACE_NULL:
		return 0;
	case PLACE_UNMAPPED:
		return after + 64;
	case PLACE_READ_ONLY:
		return good + 2 * pages->n_bytes + 64;
	case PLACE_UNALIGNED:
		return good + 65 + 64 * pointer;
	case PLACE_ACROSS_END:
		return after - 2;
	case PLACE_GOOD:
		break;
	}
	return good + 512 + 64 * pointer;
}

/* Case i is one bad place of one pointer; the others are good. */
static void place_pointers(const struct rs_verifying *verifying,
			   enum place places[MAX_POINTERS])
{
	for (unsigned int p = 0; p < MAX_POINTERS; p++)
		places[p] = verifying->index / N_BAD_PLACES == p
				? (enum place)(verifying->index % N_BAD_PLACES)
				: PLACE_GOOD;
}

static void describe_pointer(const struct rs_verifying *verifying, char *out,
			     size_t size)
{
	snprintf(out, size, "with %s pointer as output %zu, ",
		 place_names[verifying->index % N_BAD_PLACES],
		 verifying->index / N_BAD_PLACES + 1);
}

static size_t count_pointer_cases(const struct rs_trial_plan *plan)
{
	const size_t n =
	    plan->n_outputs < MAX_POINTERS ? plan->n_outputs : MAX_POINTERS;
	return n * N_BAD_PLACES;
}

static const char *result_text(char out[32], long result)
{
	if (result < 0)
		snprintf(out, 32, "%s", rs_err_name((int)-result));
	else
		snprintf(out, 32, "success");
	return out;
}

/*
 * 0 or a negative errno. The system call may fill what it can of a buffer and say how
 * much that was, where the function finds that it cannot: no better than EFAULT.
 */
static long code_of(const struct rs_trial_plan *plan, long result)
{
	if (result < 0)
		return result;
	const bool is_short =
	    plan->shape == RS_TRIAL_RANDOM && result < (long)RANDOM_BYTES;
	return is_short ? -EFAULT : 0;
}

#define RANDOM_AND_INSECURE 6U /* flags of getrandom */
#define FIRST_AUX_CLOCK     16 /* since Linux 6.17, where they are switched on */
#define LAST_AUX_CLOCK      23

/*
 * Two answers of Linux's own vDSO, seen on 6.18: it lets these flags stand together,
 * and tells the resolution of auxiliary clocks that are not there. Known and harmless,
 * so no failure of the machine at hand.
 */
static bool is_known(const struct rs_verifying *verifying, long result,
		     const unsigned long args[RS_N_VDSO_ARGS])
{
	const struct rs_trial_plan *const plan = verifying->plan;
	if (result != 0 || verifying->kernel_code != -EINVAL)
		return false;
	if (plan->shape == RS_TRIAL_RANDOM)
		return (args[2] & ~1UL) == RANDOM_AND_INSECURE;
	const int clock = (int)args[0];
	return plan->takes_clock && !plan->is_ordered && clock >= FIRST_AUX_CLOCK &&
	       clock <= LAST_AUX_CLOCK;
}

/* What both say to the same arguments; the system call first, for it cannot crash. */
static void compare_calls(struct rs_verifying *verifying,
			  const unsigned long args[RS_N_VDSO_ARGS])
{
	const struct rs_trial_plan *const plan = verifying->plan;
	char texts[2][32];
	char doing[128];
	const long ret = syscall(plan->sysno, args[0], args[1], args[2]);
	verifying->kernel_code = code_of(plan, ret < 0 ? -errno : ret);
	const long result = code_of(plan, rs_vdso_call(plan->function, args));
	if (result == verifying->kernel_code)
		return;
	const bool known = is_known(verifying, result, args);
	verifying->describe(verifying, doing, sizeof(doing));
	rs_verify_say(verifying, known ? RS_CHECK_WARN : RS_CHECK_BAD,
		      "%sit says %s, the system call %s%s", doing,
		      result_text(texts[0], result),
		      result_text(texts[1], verifying->kernel_code),
		      known ? "; a known difference of Linux's vDSO" : "");
}

/* The arguments behind the buffer; false with the sentence where there is no state. */
static bool set_random(struct rs_verifying *verifying,
		       unsigned long args[RS_N_VDSO_ARGS])
{
	struct rs_trial_plan plan = *verifying->plan;
	struct rs_random_params params;
	int errnum = 0;
	if (rs_trial_take_state(&plan, &params, &errnum) != RS_TRIAL_PREPARED) {
		rs_verify_say(verifying, RS_CHECK_UNKNOWN,
			      "it has no state to be called with: %s",
			      rs_err_name(errnum));
		return false;
	}
	args[1] = RANDOM_BYTES;
	args[3] = (unsigned long)(uintptr_t)plan.state;
	args[4] = plan.n_state_bytes;
	return true;
}

static void check_pointers(void *shared)
{
	struct rs_verifying *const verifying = shared;
	const struct rs_trial_plan *const plan = verifying->plan;
	enum place places[MAX_POINTERS];
	unsigned long args[RS_N_VDSO_ARGS] = {0};
	struct pages pages;
	size_t n = 0;
	if (!map_pages(&pages)) {
		rs_verify_say(verifying, RS_CHECK_UNKNOWN, "pages cannot be mapped: %s",
			      rs_err_name(errno));
		return;
	}
	place_pointers(verifying, places);
	if (plan->takes_clock)
		args[n++] = (unsigned long)plan->clock;
	for (unsigned int p = 0; p < plan->n_outputs && p < MAX_POINTERS; p++)
		args[n++] = address_of(&pages, places[p], p);
	if (plan->shape == RS_TRIAL_RANDOM && !set_random(verifying, args))
		return;
	compare_calls(verifying, args);
}

static bool may_fault(const struct rs_verifying *verifying, int sig)
{
	return verifying->kernel_code == -EFAULT && (sig == SIGSEGV || sig == SIGBUS);
}

/* No clock has them, or none that this kernel must have. */
static const int strange_clocks[] = {-1, -2, 10,   12,      15,
				     16, 63, 1000, INT_MAX, INT_MIN};

static size_t count_clock_cases(const struct rs_trial_plan *plan)
{
	(void)plan;
	return sizeof(strange_clocks) / sizeof(strange_clocks[0]);
}

static void describe_clock(const struct rs_verifying *verifying, char *out, size_t size)
{
	snprintf(out, size, "with clock id %d, ", strange_clocks[verifying->index]);
}

static void check_clocks(void *shared)
{
	struct rs_verifying *const verifying = shared;
	int64_t output[2];
	const unsigned long args[RS_N_VDSO_ARGS] = {
	    (unsigned long)strange_clocks[verifying->index],
	    (unsigned long)output,
	};
	compare_calls(verifying, args);
}

/* Of getrandom; the last two are none that a kernel must know. */
static const unsigned int strange_flags[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, ~0U};

static size_t count_flag_cases(const struct rs_trial_plan *plan)
{
	(void)plan;
	return sizeof(strange_flags) / sizeof(strange_flags[0]);
}

static void describe_flags(const struct rs_verifying *verifying, char *out, size_t size)
{
	snprintf(out, size, "with flags %#x, ", strange_flags[verifying->index]);
}

static void check_flags(void *shared)
{
	struct rs_verifying *const verifying = shared;
	char output[RANDOM_BYTES];
	unsigned long args[RS_N_VDSO_ARGS] = {
	    (uintptr_t)output,
	    [2] = strange_flags[verifying->index],
	};
	if (set_random(verifying, args))
		compare_calls(verifying, args);
}

static bool has_flags(const struct rs_trial_plan *plan)
{
	return plan->shape == RS_TRIAL_RANDOM;
}

static bool has_pointers(const struct rs_trial_plan *plan)
{
	return plan->n_outputs > 0;
}

/* Once a function, not once a clock. */
static bool is_first_clock(const struct rs_trial_plan *plan)
{
	return plan->takes_clock && plan->clock == CLOCK_REALTIME;
}

static const struct rs_verify_check checks[] = {
    {.name = "pointers",
     .unit = "cases",
     .applies = has_pointers,
     .body = check_pointers,
     .count = count_pointer_cases,
     .allows = may_fault,
     .describe = describe_pointer},
    {.name = "clock ids",
     .unit = "cases",
     .applies = is_first_clock,
     .body = check_clocks,
     .count = count_clock_cases,
     .describe = describe_clock},
    {.name = "flags",
     .unit = "cases",
     .applies = has_flags,
     .body = check_flags,
     .count = count_flag_cases,
     .describe = describe_flags},
    {.name = NULL},
};

const struct rs_verify_check *rs_verify_abi_checks(void)
{
	return checks;
}
