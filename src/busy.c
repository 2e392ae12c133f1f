#include "src/busy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/hostfs.h"

/* user nice system idle iowait irq softirq steal; guest time is inside user. */
#define N_COLUMNS 8
#define IDLE      3
#define IOWAIT    4
#define STEAL     7

static void add_line(struct rs_cpu_time *sum, const char *numbers)
{
	char *at = NULL;
	for (int column = 0; column < N_COLUMNS; column++) {
		const uint64_t value = strtoull(numbers, &at, 10);
		if (at == numbers)
			return;
		numbers = at;
		sum->total += value;
		if (column != IDLE && column != IOWAIT)
			sum->busy += value;
		if (column == STEAL)
			sum->steal += value;
	}
}

struct rs_cpu_time rs_cpu_time_read(const struct rs_cpus *cpus)
{
	struct rs_cpu_time sum = {0};
	char *const stat = rs_hostfs_all("/proc/stat");
	for (const char *line = stat; line;) {
		unsigned int cpu = 0;
		int length = 0;
		/* "cpu " is the sum of all, and %u would skip the blank. */
		if (strncmp(line, "cpu ", 4) != 0 &&
		    sscanf(line, "cpu%u%n", &cpu, &length) == 1 &&
		    rs_cpus_has(cpus, cpu))
			add_line(&sum, line + length);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	free(stat);
	return sum;
}

struct rs_maybe rs_busy_share(const struct rs_cpu_time *before,
			      const struct rs_cpu_time *after)
{
	if (after->total <= before->total || after->busy < before->busy)
		return (struct rs_maybe){.known = false};
	return (struct rs_maybe){
	    .known = true,
	    .value = (double)(after->busy - before->busy) /
		     (double)(after->total - before->total),
	};
}
