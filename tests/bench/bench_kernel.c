/*
 * Does `retstack run` say what a plain loop says? Times each getpc kernel by hand, in
 * the most obvious way, and prints the tool's median over this one. The tool runs
 * between two halves of the plain samples, on the same CPU, so that drift of the
 * machine falls on both.
 */

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"

#define FRAMES       3
#define CALLS        20000 /* some 100 us to 1 ms, long against reading the ticks */
#define N_SAMPLES    402   /* in two halves */
#define MAX_VARIANTS 16
#define MAX_COLUMNS  64

struct subject {
	const char *name;
	const void *entry;
	double samples[N_SAMPLES]; /* ticks per call */
	double said;               /* the tool's median; 0: it said nothing */
};

static struct subject subjects[MAX_VARIANTS];
static size_t n_subjects;

static void choose_subjects(void)
{
	const struct rs_family *const family = rs_isa_family(rs_isa_host(), "getpc");
	if (!family)
		return;
	for (const struct rs_variant *variant = family->variants;
	     variant->name && n_subjects < MAX_VARIANTS; variant++) {
		if (!variant->kernel || (variant->missing && variant->missing()))
			continue;
		subjects[n_subjects].name = variant->name;
		subjects[n_subjects].entry = variant->kernel->entry[FRAMES];
		n_subjects++;
	}
}

/* Pins to the last allowed CPU and returns its number, or a negative errno. */
static int pin(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set))
		return -errno;
	int last = CPU_SETSIZE - 1;
	while (last > 0 && !CPU_ISSET(last, &set))
		last--;
	CPU_ZERO(&set);
	CPU_SET(last, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : last;
}

static double ticks_per_call(const void *entry)
{
	unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = CALLS};
	const uint64_t before = rs_ticks();
	rs_kernel_call(entry, kargs);
	return (double)(rs_ticks() - before) / CALLS;
}

/* Variants take turns, so that a disturbance does not fall on one alone. */
static void sample(size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		for (size_t k = 0; k < n_subjects; k++)
			subjects[k].samples[i] = ticks_per_call(subjects[k].entry);
	}
}

static int compare(const void *a, const void *b)
{
	const double left = *(const double *)a;
	const double right = *(const double *)b;
	return (left > right) - (left < right);
}

/* Cuts one line of CSV into fields, in place; quotes are taken off. */
static size_t split(char *line, char **fields)
{
	size_t n = 0;
	char *in = line;
	while (n < MAX_COLUMNS) {
		char *out = in;
		bool is_quoted = false;
		fields[n++] = out;
		for (; *in && *in != '\n' && (is_quoted || *in != ','); in++) {
			if (*in != '"' || (is_quoted && in[1] == '"' && *in++))
				*out++ = *in;
			else
				is_quoted = !is_quoted;
		}
		const bool is_last = *in != ',';
		*out = '\0';
		if (is_last)
			break;
		in++;
	}
	return n;
}

static const char *field(char **names, char **fields, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i], name) == 0)
			return fields[i];
	}
	return "";
}

static void take_row(char **names, char **fields, size_t n)
{
	if (strcmp(field(names, fields, n, "metric"), "ticks.gross") != 0)
		return;
	for (size_t k = 0; k < n_subjects; k++) {
		if (strcmp(field(names, fields, n, "variant"), subjects[k].name) == 0)
			subjects[k].said = atof(field(names, fields, n, "median"));
	}
}

/* Returns 0, or 1 after saying what went wrong. */
static int ask_program(const char *program, int cpu)
{
	char command[4096];
	snprintf(
	    command, sizeof(command),
	    "'%s' run --cpu %d --depth %d --placements 1 --format summary-csv getpc",
	    program, cpu, FRAMES);
	FILE *const pipe = popen(command, "r");
	if (!pipe) {
		fprintf(stderr, "cannot run %s: %s\n", command, strerror(errno));
		return 1;
	}
	char *header = NULL;
	char *line = NULL;
	size_t size = 0;
	char *names[MAX_COLUMNS];
	char *fields[MAX_COLUMNS];
	size_t n_names = 0;
	if (getline(&header, &size, pipe) > 0)
		n_names = split(header, names);
	size = 0;
	while (getline(&line, &size, pipe) > 0) {
		if (split(line, fields) == n_names)
			take_row(names, fields, n_names);
	}
	free(line);
	free(header);
	const int status = pclose(pipe);
	if (status)
		fprintf(stderr, "%s: failed (wait status %d)\n", command, status);
	return status != 0;
}

static void print_subject(struct subject *subject)
{
	qsort(subject->samples, N_SAMPLES, sizeof(subject->samples[0]), compare);
	const double median = subject->samples[N_SAMPLES / 2];
	printf("%-10s %10.2f %10.2f", subject->name, subject->samples[0], median);
	if (subject->said > 0)
		printf(" %10.2f %8.3f\n", subject->said, subject->said / median);
	else
		printf(" %10s %8s\n", "-", "-");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "Usage: %s RETSTACK\n", argv[0]);
		return 2;
	}
	choose_subjects();
	if (!n_subjects || !rs_ticks_name()) {
		puts("skip: no getpc kernels or no tick clock for this machine");
		return 77;
	}
	const int cpu = pin();
	if (cpu < 0) {
		fprintf(stderr, "cannot pin to a CPU: %s\n", strerror(-cpu));
		return 1;
	}
	sample(0, N_SAMPLES / 2);
	const int failed = ask_program(argv[1], cpu);
	sample(N_SAMPLES / 2, N_SAMPLES);
	printf("getpc below %d frames, ticks per call, loop included, cpu %d\n", FRAMES,
	       cpu);
	printf("%-10s %10s %10s %10s %8s\n", "variant", "plain min", "plain med",
	       "retstack", "ratio");
	for (size_t k = 0; k < n_subjects; k++)
		print_subject(&subjects[k]);
	return failed;
}
