#include "src/host_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/arch.h"
#include "src/hostfs.h"

static const struct rs_file_fact clock_files[] = {
    RS_FILE_FACT("clocksource", RS_CLOCKSOURCE "current_clocksource", false, NULL),
    RS_FILE_FACT("clocksource_available", RS_CLOCKSOURCE "available_clocksource", false,
		 NULL),
    RS_END_OF_FILE_FACTS,
};

/* The two clocks at one moment, to within gap_ns. */
struct moment {
	uint64_t ns;
	uint64_t ticks;
	uint64_t gap_ns;
};

static uint64_t raw_ns(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_MONOTONIC_RAW, &now))
		return 0;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Of a few tries the one that nothing interrupted. */
static struct moment read_moment(void)
{
	struct moment best = {.gap_ns = UINT64_MAX};
	for (int i = 0; i < 5; i++) {
		const uint64_t before = raw_ns();
		const uint64_t ticks = rs_ticks();
		const uint64_t gap = raw_ns() - before;
		if (gap < best.gap_ns)
			best = (struct moment){before + gap / 2, ticks, gap};
	}
	return best;
}

/*
 * A moment is known to about 0.1 us, so that 3 ms give the rate to better than 1e-4.
 * Busy waiting keeps the CPU from a sleep state in which some counters stop.
 */
#define TICK_SPAN_NS 3000000

static void add_tick_hz(struct rs_facts *facts)
{
	const struct moment first = read_moment();
	if (first.ns == 0) {
		rs_facts_add(facts, "tick_hz", NULL,
			     "CLOCK_MONOTONIC_RAW cannot be read");
		return;
	}
	while (raw_ns() - first.ns < TICK_SPAN_NS)
		continue;
	const struct moment last = read_moment();
	if (last.ticks <= first.ticks) {
		rs_facts_add(facts, "tick_hz", NULL, "the tick clock does not advance");
		return;
	}
	const double hz =
	    (double)(last.ticks - first.ticks) * 1e9 / (double)(last.ns - first.ns);
	rs_facts_print(facts, "tick_hz",
		       "measured against CLOCK_MONOTONIC_RAW, to about 0.01 %", "%.0f",
		       hz);
}

static void add_tick_clock(struct rs_facts *facts)
{
	static const char absent[] = "retstack reads no tick counter on this ISA";
	const char *const name = rs_ticks_name();
	rs_facts_add(facts, "tick_clock", name, name ? NULL : absent);
	if (name)
		add_tick_hz(facts);
	else
		rs_facts_add(facts, "tick_hz", NULL, absent);
}

/* x86 alone has counters whose rate or running depends on the CPU's state. */
static void add_invariance(struct rs_facts *facts)
{
	char *const cpuinfo = rs_hostfs_all("/proc/cpuinfo");
	char *const flags = cpuinfo ? malloc(strlen(cpuinfo) + 1) : NULL;
	if (flags && rs_hostfs_field(cpuinfo, "flags", flags, strlen(cpuinfo) + 1) &&
	    rs_hostfs_has_word(flags, "tsc", " ")) {
		const bool is_constant = rs_hostfs_has_word(flags, "constant_tsc", " ");
		const bool is_nonstop = rs_hostfs_has_word(flags, "nonstop_tsc", " ");
		rs_facts_add(facts, "tick_invariance",
			     is_constant && is_nonstop ? "constant nonstop"
			     : is_constant             ? "constant"
			     : is_nonstop              ? "nonstop"
						       : "none",
			     NULL);
	} else {
		rs_facts_add(facts, "tick_invariance", NULL,
			     "/proc/cpuinfo states this for the x86 TSC only");
	}
	free(flags);
	free(cpuinfo);
}

void rs_host_add_clocks(struct rs_facts *facts, unsigned int cpu)
{
	rs_host_add_files(facts, clock_files, cpu);
	add_tick_clock(facts);
	add_invariance(facts);
}
