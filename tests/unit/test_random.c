#include "src/random_state.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/oracle.h"
#include "src/trial.h"
#include "src/verify_parts.h"
#include "src/verify.h"

/*
 * Fakes in the place of the vDSO's getrandom, right or wrong on purpose: C functions,
 * so these tests are for ISAs whose vDSO has the calling convention of C.
 */

#define STATE_BYTES  144
#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

typedef long fake(unsigned char *out, size_t n, unsigned int flags, void *state,
		  size_t state_bytes);

static bool is_query(size_t n, size_t state_bytes)
{
	return n == 0 && state_bytes == ~0UL;
}

static long answer_query(void *state)
{
	*(struct rs_random_params *)state = (struct rs_random_params){
	    .n_state_bytes = STATE_BYTES,
	    .map_prot = PROT_READ | PROT_WRITE,
	    .map_flags = MAP_PRIVATE | MAP_ANONYMOUS,
	};
	return 0;
}

static long ask_kernel(unsigned char *out, size_t n, unsigned int flags)
{
	const long ret = syscall(SYS_getrandom, out, n, flags);
	return ret < 0 ? -errno : ret;
}

static bool is_over_end(const void *state)
{
	const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	return (uintptr_t)state % page_bytes + STATE_BYTES > page_bytes;
}

static long honest(unsigned char *out, size_t n, unsigned int flags, void *state,
		   size_t state_bytes)
{
	if (is_query(n, state_bytes))
		return answer_query(state);
	return is_over_end(state) ? -EFAULT : ask_kernel(out, n, flags);
}

static long constant(unsigned char *out, size_t n, unsigned int flags, void *state,
		     size_t state_bytes)
{
	if (is_query(n, state_bytes))
		return answer_query(state);
	memset(out, 7 + (int)flags, n);
	return (long)n;
}

static long silent(unsigned char *out, size_t n, unsigned int flags, void *state,
		   size_t state_bytes)
{
	(void)out, (void)flags;
	return is_query(n, state_bytes) ? answer_query(state) : (long)n;
}

static long half(unsigned char *out, size_t n, unsigned int flags, void *state,
		 size_t state_bytes)
{
	if (is_query(n, state_bytes))
		return answer_query(state);
	return ask_kernel(out, n / 2, flags);
}

static long overrunning(unsigned char *out, size_t n, unsigned int flags, void *state,
			size_t state_bytes)
{
	const long ret = honest(out, n, flags, state, state_bytes);
	if (ret > 100)
		out[n] = 0;
	return ret;
}

/* Goes on from what a fork copies. */
static long forked(unsigned char *out, size_t n, unsigned int flags, void *state,
		   size_t state_bytes)
{
	static uint64_t last;
	(void)flags;
	if (is_query(n, state_bytes))
		return answer_query(state);
	for (size_t i = 0; i < n; i++) {
		last = last * 6364136223846793005ULL + 1442695040888963407ULL;
		out[i] = (unsigned char)(last >> 56);
	}
	return (long)n;
}

static long trusting(unsigned char *out, size_t n, unsigned int flags, void *state,
		     size_t state_bytes)
{
	if (is_query(n, state_bytes) || !is_over_end(state))
		return honest(out, n, flags, state, state_bytes);
	return constant(out, n, flags, state, state_bytes);
}

static long any_flags(unsigned char *out, size_t n, unsigned int flags, void *state,
		      size_t state_bytes)
{
	return honest(out, n, flags & 1, state, state_bytes);
}

/* As Linux's own: random and insecure together, which the system call refuses. */
static long lenient(unsigned char *out, size_t n, unsigned int flags, void *state,
		    size_t state_bytes)
{
	return honest(out, n, flags < 8 ? flags & 1 : flags, state, state_bytes);
}

static long any_pointer(unsigned char *out, size_t n, unsigned int flags, void *state,
			size_t state_bytes)
{
	const long ret = honest(out, n, flags, state, state_bytes);
	return ret == -EFAULT && !is_over_end(state) ? (long)n : ret;
}

static long stub(unsigned char *out, size_t n, unsigned int flags, void *state,
		 size_t state_bytes)
{
	(void)out, (void)n, (void)flags, (void)state, (void)state_bytes;
	return -ENOSYS;
}

static long greedy(unsigned char *out, size_t n, unsigned int flags, void *state,
		   size_t state_bytes)
{
	const long ret = honest(out, n, flags, state, state_bytes);
	if (is_query(n, state_bytes))
		((struct rs_random_params *)state)->n_state_bytes = 1 << 30;
	return ret;
}

static long unmappable(unsigned char *out, size_t n, unsigned int flags, void *state,
		       size_t state_bytes)
{
	const long ret = honest(out, n, flags, state, state_bytes);
	if (is_query(n, state_bytes))
		((struct rs_random_params *)state)->map_flags = 0;
	return ret;
}

static const struct {
	const char *what;
	fake *function;
	enum rs_answer answer; /* of the oracle, and what its reason contains */
	const char *reason;
	const char *check; /* the one that has to be bad; NULL: none */
	const char *why;   /* of that, or of the only warning; NULL: none */
} cases[] = {
    {"honest", honest, RS_ANSWER_VIA_SYSCALL, "makes a system call", NULL, NULL},
    {"constant", constant, RS_ANSWER_BROKEN, "and then", "values", "gave before"},
    {"silent", silent, RS_ANSWER_BROKEN, "end in 0xff", "values", "as they were"},
    {"half", half, RS_ANSWER_BROKEN, "gives 16 bytes", "values", "another number"},
    {"overruns", overrunning, RS_ANSWER_VIA_SYSCALL, "", "values", "beyond"},
    {"goes on after a fork", forked, RS_ANSWER_IN_VDSO, "", "fork", "the same bytes"},
    {"trusts any state", trusting, RS_ANSWER_VIA_SYSCALL, "", "states",
     "with a state over the end of a page, "},
    {"any flags", any_flags, RS_ANSWER_VIA_SYSCALL, "", "flags", "with flags 0x8, "},
    {"lenient", lenient, RS_ANSWER_VIA_SYSCALL, "", NULL, "known difference"},
    {"any pointer", any_pointer, RS_ANSWER_VIA_SYSCALL, "", "pointers", "a NULL"},
    {"a stub", stub, RS_ANSWER_ABSENT, "states it takes: ENOSYS", NULL, NULL},
    {"greedy", greedy, RS_ANSWER_ABSENT, "states it takes: ERANGE", NULL, NULL},
    {"unmappable", unmappable, RS_ANSWER_UNKNOWN, "no memory", NULL, NULL},
};

static const struct rs_isa isa = {.vdso_prefix = "__vdso_", .vdso_version = ""};

static const struct rs_workload *getrandom_workload(void)
{
	const struct rs_workload *workload = rs_workloads();
	while (!workload->takes_bytes)
		workload++;
	return workload;
}

static bool is_fakeable(struct rs_vdso *live)
{
	struct rs_err err;
	if (strcmp(rs_isa_host()->name, "x86-64") == 0 && !rs_vdso_open(live, &err))
		return true;
	print_message("skip: no vDSO, or none that C functions can stand for\n");
	return false;
}

static struct rs_vdso vdso_of(const struct rs_vdso *live, struct rs_vdso_symbol *symbol)
{
	return (struct rs_vdso){
	    .audit_arch = live->audit_arch,
	    .symbols = symbol,
	    .n_symbols = 1,
	};
}

static void fakes_get_the_verdict_they_deserve(void **state)
{
	(void)state;
	struct rs_vdso live;
	if (!is_fakeable(&live))
		skip();
	for (size_t i = 0; i < N_ROWS(cases); i++) {
		struct rs_vdso_symbol symbol = {
		    .name = "getrandom",
		    .address = (const void *)(uintptr_t)cases[i].function,
		};
		const struct rs_vdso vdso = vdso_of(&live, &symbol);
		struct rs_verdict verdict;
		rs_oracle_ask(&vdso, &isa, getrandom_workload(), 0, &verdict);
		print_message("%s: %s: %s\n", cases[i].what,
			      rs_answer_name(verdict.answer), verdict.reason);
		assert_int_equal(verdict.answer, cases[i].answer);
		assert_non_null(strstr(verdict.reason, cases[i].reason));
		const bool works = verdict.answer == RS_ANSWER_IN_VDSO ||
				   verdict.answer == RS_ANSWER_VIA_SYSCALL;
		assert_int_equal(verdict.random.n_state_bytes, works ? STATE_BYTES : 0);
	}
	rs_vdso_close(&live);
}

static void check_one(size_t i, const struct rs_check *check)
{
	char name[64];
	snprintf(name, sizeof(name), "fake %s", cases[i].check ? cases[i].check : "");
	if (check->state == RS_CHECK_BAD)
		print_message("  %s: %s\n", check->name, check->cause);
	if (!cases[i].check)
		assert_int_not_equal(check->state, RS_CHECK_BAD);
	if (check->state == RS_CHECK_WARN)
		assert_non_null(strstr(check->cause, cases[i].why));
	if (strcmp(check->name, name) != 0)
		return;
	assert_int_equal(check->state, RS_CHECK_BAD);
	assert_non_null(strstr(check->cause, cases[i].why));
}

static void liars_are_caught_and_the_honest_are_not(void **state)
{
	(void)state;
	struct rs_vdso live;
	if (!is_fakeable(&live))
		skip();
	rs_vdso_close(&live);
	for (size_t i = 0; i < N_ROWS(cases); i++) {
		struct rs_checks checks = {0};
		const struct rs_trial_plan plan = {
		    .function = (const void *)(uintptr_t)cases[i].function,
		    .sysno = SYS_getrandom,
		    .n_outputs = 1,
		    .shape = RS_TRIAL_RANDOM,
		};
		assert_int_equal(rs_verify_function(&checks, "fake", &plan), 0);
		print_message("%s:\n", cases[i].what);
		assert_int_equal(checks.n_rows, 5);
		size_t n_warnings = 0;
		for (size_t c = 0; c < checks.n_rows; c++) {
			check_one(i, &checks.rows[c]);
			n_warnings += checks.rows[c].state == RS_CHECK_WARN;
		}
		assert_int_equal(n_warnings, cases[i].why && !cases[i].check);
		rs_checks_free(&checks);
	}
}

/* What threads get: each a state of its own, none over the end of a page. */
static void states_lie_apart(void **state)
{
	(void)state;
	const struct rs_random_params params = {
	    .n_state_bytes = STATE_BYTES,
	    .map_prot = PROT_READ | PROT_WRITE,
	    .map_flags = MAP_PRIVATE | MAP_ANONYMOUS,
	};
	struct rs_random_states states;
	assert_int_equal(rs_random_map(&states, &params, 3), 0);
	assert_true(states.stride >= STATE_BYTES);
	for (size_t i = 0; i < 3; i++) {
		unsigned char *const at =
		    (unsigned char *)states.pages + i * states.stride;
		assert_false(is_over_end(at));
		assert_true(i * states.stride + STATE_BYTES <= states.n_bytes);
		memset(at, 1, STATE_BYTES);
	}
	rs_random_unmap(&states);
	assert_null(states.pages);
	rs_random_unmap(&states);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fakes_get_the_verdict_they_deserve),
	    cmocka_unit_test(liars_are_caught_and_the_honest_are_not),
	    cmocka_unit_test(states_lie_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
