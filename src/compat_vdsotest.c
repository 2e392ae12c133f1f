#include "src/compat.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "arch/arch.h"
#include "src/base/text.h"
#include "src/checks.h"
#include "src/clockid.h"
#include "src/oracle.h"
#include "src/vdso.h"
#include "src/vdsotest.h"
#include "src/verify_parts.h"

/*
 * vdsotest: its tests of one function of the vDSO, made by the checks of `verify', and
 * its benchmark.
 */

#define MAX_DURATION_S 1e6
#define N_WAYS         3 /* the duration is that of all */

struct api {
	const char *name;
	const char *function;
	const char *clock; /* NULL: it takes none */
};

static const struct api apis[] = {
    {"clock-gettime-monotonic", "clock_gettime", "monotonic"},
    {"clock-getres-monotonic", "clock_getres", "monotonic"},
    {"clock-gettime-monotonic-coarse", "clock_gettime", "monotonic_coarse"},
    {"clock-getres-monotonic-coarse", "clock_getres", "monotonic_coarse"},
    {"clock-gettime-monotonic-raw", "clock_gettime", "monotonic_raw"},
    {"clock-getres-monotonic-raw", "clock_getres", "monotonic_raw"},
    {"clock-gettime-tai", "clock_gettime", "tai"},
    {"clock-getres-tai", "clock_getres", "tai"},
    {"clock-gettime-boottime", "clock_gettime", "boottime"},
    {"clock-getres-boottime", "clock_getres", "boottime"},
    {"clock-gettime-realtime", "clock_gettime", "realtime"},
    {"clock-getres-realtime", "clock_getres", "realtime"},
    {"clock-gettime-realtime-coarse", "clock_gettime", "realtime_coarse"},
    {"clock-getres-realtime-coarse", "clock_getres", "realtime_coarse"},
    {"getcpu", "getcpu", NULL},
    {"gettimeofday", "gettimeofday", NULL},
};

struct test {
	struct rs_compat *compat;
	const struct api *api;
	struct rs_trial_plan plan; /* its function is NULL where the vDSO has none */
	double duration_s;
	bool is_verbose;
};

/* The original's word for a check that is passed, and its count of those that are not.
 */
static void report(struct test *test, const struct rs_checks *checks, const char *type)
{
	struct rs_compat *const compat = test->compat;
	unsigned int n_failures = 0;
	for (size_t i = 0; i < checks->n_rows; i++) {
		const struct rs_check *const check = &checks->rows[i];
		n_failures += check->state == RS_CHECK_BAD;
		if (check->cause)
			rs_compat_note(compat, "%s: %s", check->name, check->cause);
		else if (test->is_verbose)
			fprintf(compat->out, "%-70s OK\n", check->name);
	}
	if (n_failures)
		fprintf(compat->out, "%s/%s: %u failures/inconsistencies encountered\n",
			test->api->name, type, n_failures);
	compat->has_failed = n_failures > 0;
}

static int check(struct test *test, const struct rs_verify_check *list,
		 const char *type, struct rs_err *err)
{
	struct rs_checks checks = {0};
	int ret = 0;
	if (test->plan.function)
		ret = rs_verify_some(&checks, test->api->name, &test->plan, list);
	if (!ret)
		ret = checks.code;
	if (ret)
		rs_err_set(err, ret, "cannot run the checks in child processes: %s",
			   rs_err_name(-ret));
	else
		report(test, &checks, type);
	rs_checks_free(&checks);
	return ret;
}

static int run_verify(struct test *test, struct rs_err *err)
{
	rs_compat_note(
	    test->compat,
	    "the checks are those of `retstack verify', which take as long as "
	    "they take");
	return check(test, rs_verify_value_checks(), "verify", err);
}

static int run_abi(struct test *test, struct rs_err *err)
{
	rs_compat_note(test->compat, "the checks are those of `retstack verify'");
	return check(test, rs_verify_abi_checks(), "abi", err);
}

static void print_interval(const struct test *test, const char *way,
			   const struct rs_vdsotest_interval *interval)
{
	FILE *const out = test->compat->out;
	fprintf(out, "%s: %7s: ", test->api->name, way);
	if (interval->n_calls)
		fprintf(out, "%" PRIu64 " nsec/call\n",
			interval->ns / interval->n_calls);
	else
		fputs("not tested\n", out);
}

static int run_bench(struct test *test, struct rs_err *err)
{
	struct rs_vdsotest_bench bench;
	const int ret = rs_vdsotest_run_bench(&bench, test->api->function, &test->plan,
					      test->duration_s / N_WAYS);
	if (ret)
		return rs_err_set(err, ret, "cannot time %s: %s", test->api->name,
				  rs_err_name(-ret));
	print_interval(test, "syscall", &bench.by_syscall);
	print_interval(test, "libc", &bench.by_libc);
	print_interval(test, "vdso", &bench.by_vdso);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct test *test, struct rs_err *err);
} types[] = {
    {"verify", run_verify},
    {"bench", run_bench},
    {"abi", run_abi},
};

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static int list(const struct rs_compat *compat, const char *what, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	const bool is_apis = strcmp(what, "list-apis") == 0;
	if (!is_apis && strcmp(what, "list-test-types") != 0)
		return rs_err_set(err, -EINVAL,
				  "vdsotest takes an API and verify, bench or abi, but "
				  "got '%s' alone",
				  rs_text_clip(clip, what));
	for (size_t i = 0; i < (is_apis ? N_ROWS(apis) : N_ROWS(types)); i++)
		fprintf(compat->out, "%s\n", is_apis ? apis[i].name : types[i].name);
	return 0;
}

/* How it is called, also where the vDSO has no such function. */
static int plan(struct test *test, struct rs_err *err)
{
	static const struct rs_vdso_symbol absent = {.address = NULL};
	const struct api *const api = test->api;
	const struct rs_workload *const workload =
	    rs_workload_of_function(api->function);
	struct rs_vdso vdso = {0};
	/* No vDSO is as good as one without the function. */
	(void)rs_vdso_open(&vdso, err);
	const struct rs_vdso_symbol *const symbol =
	    rs_vdso_find(&vdso, rs_isa_host(), api->function);
	const int ret =
	    rs_oracle_plan(&vdso, symbol ? symbol : &absent, workload,
			   api->clock ? rs_clock_find(api->clock)->id : 0, &test->plan);
	rs_vdso_close(&vdso);
	return ret ? rs_err_set(err, -ENOTSUP, "%s has no system call here", api->name)
		   : 0;
}

static const struct api *find_api(const char *name, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	for (size_t i = 0; i < N_ROWS(apis); i++) {
		if (strcmp(apis[i].name, name) == 0)
			return &apis[i];
	}
	rs_err_set(err, -EINVAL,
		   "vdsotest knows no API '%s'; `retstack compat vdsotest list-apis' "
		   "shows them",
		   rs_text_clip(clip, name));
	return NULL;
}

static int run(struct test *test, const char *api, const char *type, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	size_t i = 0;
	test->api = find_api(api, err);
	if (!test->api)
		return -EINVAL;
	while (i < N_ROWS(types) && strcmp(types[i].name, type) != 0)
		i++;
	if (i == N_ROWS(types))
		return rs_err_set(err, -EINVAL,
				  "vdsotest tests verify, bench and abi, not '%s'",
				  rs_text_clip(clip, type));
	int ret = plan(test, err);
	if (!ret)
		ret = types[i].run(test, err);
	if (!ret && !test->plan.function)
		fprintf(test->compat->out, "Note: vDSO version of %s not found\n",
			test->api->function);
	return ret;
}

/* Options as the original has them; those that it need not heed are taken, too. */
static int take_options(struct test *test, struct rs_err *err)
{
	static const struct option options[] = {
	    {"duration", required_argument, NULL, 'd'},
	    {"maxfails", required_argument, NULL, 'f'},
	    {"debug", no_argument, NULL, 'g'},
	    {"verbose", no_argument, NULL, 'v'},
	    {0},
	};
	struct rs_compat *const compat = test->compat;
	char clip[RS_CLIP_BYTES];
	double seconds = 1;
	int key;
	optind = 0;
	opterr = 0;
	while ((key = getopt_long(compat->argc, compat->argv, "d:f:gv", options,
				  NULL)) >= 0) {
		if (key == 'd' &&
		    rs_text_double(optarg, 1e-6, MAX_DURATION_S, &seconds))
			return rs_err_set(err, -EINVAL,
					  "-d takes seconds up to 1000000, not '%s'",
					  rs_text_clip(clip, optarg));
		if (key == '?')
			return rs_err_set(
			    err, -EINVAL,
			    "vdsotest has no option '%s', or it lacks its "
			    "argument",
			    rs_text_clip(clip, compat->argv[optind - 1]));
		if (key == 'f')
			rs_compat_note(compat,
				       "-f has no effect: each check ends with its "
				       "first failure");
		test->is_verbose |= key == 'g' || key == 'v';
	}
	test->duration_s = seconds * compat->scale;
	return 0;
}

int rs_compat_vdsotest(struct rs_compat *compat, struct rs_err *err)
{
	struct test test = {.compat = compat};
	const int ret = take_options(&test, err);
	char **const words = compat->argv + optind;
	const int n_words = compat->argc - optind;
	if (ret)
		return ret;
	if (n_words == 1)
		return list(compat, words[0], err);
	if (n_words != 2)
		return rs_err_set(err, -EINVAL,
				  "vdsotest takes an API and verify, bench or abi");
	return run(&test, words[0], words[1], err);
}
