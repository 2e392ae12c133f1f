/*
 * Runs every kernel at every depth under an emulator that logs what it executes:
 * each_row CODE. Prints for each one a line that count_rows holds to that log:
 *   NAME FRAMES ENTRY START BYTES HAS_TARGET
 *   INSTRUCTIONS BRANCHES PUSHES POPS EXEMPT
 * Each kernel is entered at ENTRY twice, for 1 and for 1 + ADDED iterations; FRAMES of
 * a chain is its number of calls. The BYTES of code from START on are appended to the
 * file CODE, not printed: formatting them would be logged instruction by instruction.
 */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "src/placement.h"
#include "tests/kernels/site.h"

#define ADDED 3 /* count_rows knows it */

extern const unsigned char rs_k_target[];

static unsigned long nothing(void)
{
	return 0;
}

static void print_row(const char *name, unsigned int frames, const void *entry,
		      const struct rs_placement *placement, bool has_target)
{
	const struct rs_kernel *const kernel = placement->kernel;
	const struct rs_counts *const counts = &kernel->counts;
	const struct rs_linear *const linears[] = {
	    &counts->instructions, &counts->branches, &counts->pushes,
	    &counts->pops,         &counts->exempt,
	};
	printf("%s %u %#lx %#lx %ld %d", name, frames, (unsigned long)(uintptr_t)entry,
	       (unsigned long)(uintptr_t)placement->code,
	       (long)(kernel->end - kernel->start), has_target);
	for (size_t i = 0; i < sizeof(linears) / sizeof(linears[0]); i++)
		printf(" %d", rs_linear_at(linears[i], frames));
	printf("\n");
}

static void must(bool is_done, const char *what)
{
	if (is_done)
		return;
	printf("cannot %s\n", what);
	exit(1);
}

/* One row at one depth, entered twice. */
static void run_at(int code, const char *name, const struct rs_placement *placement,
		   unsigned int frames, const void *entry, unsigned long *kargs)
{
	const ssize_t n_bytes = placement->kernel->end - placement->kernel->start;
	must(write(code, placement->code, (size_t)n_bytes) == n_bytes,
	     "write the code");
	print_row(name, frames, entry, placement, kargs[RS_KARG_TARGET] != 0);
	kargs[RS_KARG_CALLS] = 1;
	rs_kernel_call(entry, kargs);
	kargs[RS_KARG_CALLS] = 1 + ADDED;
	rs_kernel_call(entry, kargs);
}

/* Placements are not freed: their addresses tell the kernels apart in the log. */
static void place(struct rs_placement *placement, const struct rs_kernel *kernel)
{
	struct rs_err err = {""};
	must(rs_placement_make(placement, kernel, 0, 1, &err) == 0, "copy a kernel");
}

static void run(int code, const char *name, const struct rs_kernel *kernel,
		enum rs_target target)
{
	const uintptr_t targets[] = {
	    [RS_TARGET_NONE] = 0,
	    [RS_TARGET_VDSO] = (uintptr_t)rs_k_target,
	    [RS_TARGET_LIBC] = (uintptr_t)nothing,
	    [RS_TARGET_SYSCALL] = 0,
	    [RS_TARGET_PARTNER] = (uintptr_t)nothing,
	};
	struct rs_placement placement;
	place(&placement, kernel);
	for (unsigned int frames = 0; frames <= RS_MAX_FRAMES; frames++) {
		const void *const entry = rs_placement_entry(&placement, frames);
		struct timeval now;
		unsigned long block[64 / sizeof(unsigned long)] = {0};
		unsigned long kargs[RS_N_KARGS] = {
		    [RS_KARG_TARGET] = targets[target],
		    [RS_KARG_ARG0] = (uintptr_t)&now,
		    [RS_KARG_SYSNO] = SYS_getppid,
		    [RS_KARG_BLOCK] = (uintptr_t)block,
		    [RS_KARG_LINES] = 1,
		    [RS_KARG_READS] = 1,
		};
		if (entry)
			run_at(code, name, &placement, frames, entry, kargs);
	}
}

/* The bits of the iterations choose both sites of a level. */
static void run_chain(int code, const struct rs_chain *row)
{
	static const unsigned int lengths[] = {1, 2, 65, RS_MAX_CHAIN};
	static const uint64_t bits[2 + ADDED][2] = {
	    {0}, {0xa5a5a5a5a5a5a5a5, 0xa5a5a5a5a5a5a5a5}, {~0ULL, ~0ULL}};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct rs_placement placement;
		unsigned long kargs[RS_N_KARGS] = {
		    [RS_KARG_ARG0] = lengths[i],
		    [RS_KARG_ARG1] = (uintptr_t)bits,
		};
		place(&placement, row->kernel);
		run_at(code, row->name, &placement, lengths[i],
		       rs_placement_entry(&placement, 0), kargs);
	}
}

int main(int argc, char **argv)
{
	must(argc == 2, "go on without the name of a file for the code");
	const int code = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	must(code >= 0, "open the file for the code");
	const struct rs_isa *const isa = rs_isa_host();
	run(code, "empty", isa->empty, RS_TARGET_NONE);
	for (const struct rs_family *family = isa->families; family->name; family++) {
		for (const struct rs_variant *row = family->variants; row->name;
		     row++) {
			if (!rs_variant_obstacle(row))
				run(code, row->name, row->kernel, row->target);
		}
	}
	for (const struct rs_chain *row = isa->chains; row && row->name; row++)
		run_chain(code, row);
	return 0;
}
