#include "src/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "src/random_state.h"
#include "src/vdso.h"

/*
 * The benchmark of the vDSO's getrandom: draws of an unsigned int by the vDSO, the C
 * library and the system call; in one thread, or in many that start together.
 */

#define N_CALLS   25000000
#define N_THREADS 256

struct bench {
	uint64_t n_calls; /* of each thread */
	const void *function;
	struct rs_random_states states; /* one for each thread */
};

/* One thread's part. */
struct drawing {
	const struct bench *bench;
	const void *state;
	bool has_failed; /* a draw was not whole */
};

static void *draw_by_vdso(void *user)
{
	struct drawing *const drawing = user;
	const struct bench *const bench = drawing->bench;
	unsigned int value;
	const unsigned long args[RS_N_VDSO_ARGS] = {(uintptr_t)&value, sizeof(value), 0,
						    (uintptr_t)drawing->state,
						    bench->states.n_state_bytes};
	for (uint64_t i = 0; i < bench->n_calls; i++) {
		if (rs_vdso_call(bench->function, args) != sizeof(value))
			drawing->has_failed = true;
	}
	return NULL;
}

static void *draw_by_libc(void *user)
{
	struct drawing *const drawing = user;
	unsigned int value;
	for (uint64_t i = 0; i < drawing->bench->n_calls; i++) {
		if (getrandom(&value, sizeof(value), 0) != sizeof(value))
			drawing->has_failed = true;
	}
	return NULL;
}

static void *draw_by_syscall(void *user)
{
	struct drawing *const drawing = user;
	unsigned int value;
	for (uint64_t i = 0; i < drawing->bench->n_calls; i++) {
		if (syscall(SYS_getrandom, &value, sizeof(value), 0) != sizeof(value))
			drawing->has_failed = true;
	}
	return NULL;
}

/* The original aligns the names in one of its two outputs. */
static const struct {
	const char *single;
	const char *multi;
	void *(*draw)(void *drawing);
} ways[] = {
    {"   vdso", "   vdso", draw_by_vdso},
    {"   libc", "   libc", draw_by_libc},
    {"syscall", "   syscall", draw_by_syscall},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

static int check(const struct drawing *drawings, size_t n, const char *way,
		 struct rs_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (drawings[i].has_failed)
			return rs_err_set(err, -EIO,
					  "getrandom by the %s did not give the bytes "
					  "that it was asked for",
					  way + strspn(way, " "));
	}
	return 0;
}

static void set_drawings(struct drawing *drawings, size_t n, const struct bench *bench)
{
	for (size_t i = 0; i < n; i++)
		drawings[i] = (struct drawing){
		    .bench = bench,
		    .state = (char *)bench->states.pages + i * bench->states.stride,
		};
}

/* Starts n threads and waits for them. */
static int draw_in_threads(struct drawing *drawings, size_t n,
			   void *(*draw)(void *drawing), struct rs_err *err)
{
	pthread_t threads[N_THREADS];
	size_t n_started = 0;
	int code = 0;
	while (n_started < n && !code) {
		code = pthread_create(&threads[n_started], NULL, draw,
				      &drawings[n_started]);
		n_started += code == 0;
	}
	for (size_t i = 0; i < n_started; i++)
		pthread_join(threads[i], NULL);
	return code ? rs_err_set(err, -code, "cannot start %zu threads: %s", n,
				 rs_err_name(code))
		    : 0;
}

static struct timespec now(void)
{
	struct timespec time = {0};
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time;
}

static struct timespec since(const struct timespec *start)
{
	struct timespec time = now();
	time.tv_sec -= start->tv_sec;
	time.tv_nsec -= start->tv_nsec;
	if (time.tv_nsec < 0) {
		time.tv_sec--;
		time.tv_nsec += 1000000000;
	}
	return time;
}

static int run_single(const struct rs_compat *compat, const struct bench *bench,
		      size_t way, struct rs_err *err)
{
	struct drawing drawing;
	set_drawings(&drawing, 1, bench);
	const struct timespec start = now();
	ways[way].draw(&drawing);
	const struct timespec time = since(&start);
	const int ret = check(&drawing, 1, ways[way].single, err);
	if (ret)
		return ret;
	fprintf(compat->out, "%s: %" PRIu64 " times in %ld.%09ld seconds\n",
		ways[way].single, bench->n_calls, (long)time.tv_sec, time.tv_nsec);
	return 0;
}

static int run_multi(const struct rs_compat *compat, const struct bench *bench,
		     size_t way, struct rs_err *err)
{
	struct drawing drawings[N_THREADS];
	set_drawings(drawings, N_THREADS, bench);
	const struct timespec start = now();
	int ret = draw_in_threads(drawings, N_THREADS, ways[way].draw, err);
	const struct timespec time = since(&start);
	if (!ret)
		ret = check(drawings, N_THREADS, ways[way].multi, err);
	if (ret)
		return ret;
	fprintf(compat->out, "%s: %" PRIu64 " x %d times in %ld.%09ld seconds\n",
		ways[way].multi, bench->n_calls, N_THREADS, (long)time.tv_sec,
		time.tv_nsec);
	return 0;
}

typedef int runner(const struct rs_compat *, const struct bench *, size_t way,
		   struct rs_err *);

static const struct {
	const char *name;
	runner *run;
	unsigned int n_threads;
} modes[] = {
    {"bench-single", run_single, 1},
    {"bench-multi", run_multi, N_THREADS},
};

#define N_MODES (sizeof(modes) / sizeof(modes[0]))

static int find_mode(const struct rs_compat *compat, size_t *mode, struct rs_err *err)
{
	for (*mode = 0; compat->argc == 2 && *mode < N_MODES; ++*mode) {
		if (strcmp(compat->argv[1], modes[*mode].name) == 0)
			return 0;
	}
	return rs_err_set(err, -EINVAL,
			  "%s takes one argument, bench-single or bench-multi",
			  compat->argv[0]);
}

/* The states are unmapped again with the process. */
static int prepare(struct bench *bench, const struct rs_vdso *vdso,
		   unsigned int n_threads, struct rs_err *err)
{
	const struct rs_vdso_symbol *const symbol =
	    rs_vdso_find(vdso, rs_isa_host(), "getrandom");
	struct rs_random_params params;
	if (!symbol)
		return rs_err_set(err, -ENOTSUP, "this vDSO has no getrandom");
	bench->function = symbol->address;
	int ret = rs_random_query(symbol->address, &params);
	if (ret)
		return rs_err_set(err, -ENOTSUP,
				  "%s does not say what states it takes: %s",
				  symbol->name, rs_err_name(-ret));
	ret = rs_random_map(&bench->states, &params, n_threads);
	return ret ? rs_err_set(err, -ENOTSUP, "no states can be mapped for %s: %s",
				symbol->name, rs_err_name(-ret))
		   : 0;
}

int rs_compat_getrandom(struct rs_compat *compat, struct rs_err *err)
{
	struct bench bench = {0};
	struct rs_vdso vdso = {0};
	size_t mode;
	int ret = find_mode(compat, &mode, err);
	if (ret)
		return ret;
	/* There the original ends, with a line on standard output. */
	if (rs_vdso_open(&vdso, err))
		return -ENOTSUP;
	ret = prepare(&bench, &vdso, modes[mode].n_threads, err);
	if (!ret)
		bench.n_calls = rs_compat_count(compat, N_CALLS);
	for (size_t way = 0; way < N_WAYS && !ret; way++)
		ret = modes[mode].run(compat, &bench, way, err);
	rs_random_unmap(&bench.states);
	rs_vdso_close(&vdso);
	return ret;
}
