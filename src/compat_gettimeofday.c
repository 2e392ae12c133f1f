#include "src/compat.h"

#include <inttypes.h>
#include <stddef.h>
#include <sys/time.h>

/*
 * The benchmarks of two fixes of gettimeofday(): of the link stack's on powerpc, and of
 * the counter read's on arm64.
 */

#define N_CALLS      100000000
#define N_CALLS_DIFF 1000000

struct timed {
	uint64_t n_calls;
	struct timeval start;
	struct timeval end; /* of the last call in the loop */
};

static int run(struct rs_compat *compat, uint64_t original, struct timed *out,
	       struct rs_err *err)
{
	const int ret = rs_compat_take_none(compat, err);
	if (ret)
		return ret;
	*out = (struct timed){.n_calls = rs_compat_count(compat, original)};
	gettimeofday(&out->start, NULL);
	for (uint64_t i = 0; i < out->n_calls; i++)
		gettimeofday(&out->end, NULL);
	return 0;
}

static double usec_of(const struct timed *timed)
{
	struct timeval time;
	timersub(&timed->end, &timed->start, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

int rs_compat_gettimeofday(struct rs_compat *compat, struct rs_err *err)
{
	struct timed timed;
	const int ret = run(compat, N_CALLS, &timed, err);
	if (ret)
		return ret;
	rs_compat_note(compat, "the lines of the selftests' harness (test, tags, "
			       "success) are left out");
	fprintf(compat->out, "time = %.6f\n", usec_of(&timed) * 1e-6);
	return 0;
}

int rs_compat_gettimeofday_diff(struct rs_compat *compat, struct rs_err *err)
{
	struct timed timed;
	const int ret = run(compat, N_CALLS_DIFF, &timed, err);
	if (ret)
		return ret;
	gettimeofday(&timed.end, NULL);
	fprintf(compat->out, "Iter: %" PRIu64 " Diff: %f usec\n", timed.n_calls,
		usec_of(&timed));
	return 0;
}
