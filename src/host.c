#include "src/host.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fact_list.h"
#include "src/host_parts.h"
#include "src/hostfs.h"

#define MAX_NOTES  4
#define NOTE_BYTES 256

struct rs_host {
	unsigned int cpu;
	struct rs_facts facts;
	struct rs_pressure before;
	char notes[MAX_NOTES][NOTE_BYTES];
	size_t n_notes;
};

typedef void add_facts(struct rs_facts *facts, unsigned int cpu);

static add_facts *const parts[] = {
    rs_host_add_cpu,        rs_host_add_kernel,   rs_host_add_clocks,
    rs_host_add_hypervisor, rs_host_add_emulator,
};

static void add_n_online(struct rs_facts *facts)
{
	const unsigned int n_online = rs_host_n_online();
	if (n_online > 0)
		rs_facts_print(facts, "n_cpus_online", NULL, "%u", n_online);
	else
		rs_facts_add(facts, "n_cpus_online", NULL, "/sys does not list them");
}

int rs_host_read(struct rs_host **out, unsigned int cpu, struct rs_err *err)
{
	*out = NULL;
	struct rs_host *const host = calloc(1, sizeof(*host));
	if (!host)
		return rs_err_set(err, -ENOMEM, "no memory for the host facts");
	host->cpu = cpu;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		parts[i](&host->facts, cpu);
	rs_facts_print(&host->facts, "cpu", NULL, "%u", cpu);
	add_n_online(&host->facts);
	host->before = rs_pressure_read(cpu);
	rs_pressure_add(&host->facts, &host->before, "before");
	if (host->facts.code) {
		rs_host_free(host);
		return rs_err_set(err, -ENOMEM, "no memory for the host facts");
	}
	*out = host;
	return 0;
}

void rs_host_free(struct rs_host *host)
{
	if (!host)
		return;
	rs_facts_free(&host->facts);
	free(host);
}

const struct rs_fact *rs_host_facts(const struct rs_host *host, size_t *n_facts)
{
	*n_facts = host->facts.n_rows;
	return host->facts.rows;
}

const char *rs_host_fact(const struct rs_host *host, const char *name)
{
	return rs_facts_value(&host->facts, name);
}

static void note(struct rs_host *host, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct rs_host *host, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(host->notes[host->n_notes++], NOTE_BYTES, fmt, args);
	va_end(args);
}

static void compare_clocksource(struct rs_host *host)
{
	static const struct rs_file_fact now[] = {
	    RS_FILE_FACT("clocksource_after", RS_CLOCKSOURCE "current_clocksource",
			 false, NULL),
	    RS_END_OF_FILE_FACTS,
	};
	rs_host_add_files(&host->facts, now, host->cpu);
	const char *const before = rs_host_fact(host, "clocksource");
	const char *const after = rs_host_fact(host, "clocksource_after");
	if (before && after && strcmp(before, after) != 0)
		note(host,
		     "the clock source changed from %s to %s during the run: vDSO rows "
		     "before and after are not comparable",
		     before, after);
}

static void compare_pressure(struct rs_host *host)
{
	const struct rs_pressure *const before = &host->before;
	const struct rs_pressure after = rs_pressure_read(host->cpu);
	rs_pressure_add(&host->facts, &after, "after");
	const double stolen_ms = after.steal_ms - before->steal_ms;
	if (before->has_steal && after.has_steal && stolen_ms > 0)
		note(host,
		     "the hypervisor took cpu %u away for %.0f ms during the run: some "
		     "repetitions are longer for it",
		     host->cpu, stolen_ms);
	const uint64_t n_stops = after.n_throttled - before->n_throttled;
	if (before->has_throttled && after.has_throttled &&
	    after.n_throttled > before->n_throttled)
		note(host,
		     "the CPU quota of this control group stopped it %llu times for "
		     "%.1f ms during the run: raise the quota for steadier times",
		     (unsigned long long)n_stops,
		     after.throttled_ms - before->throttled_ms);
	const unsigned int n_online = rs_host_n_online();
	if (after.has_load && n_online > 0 && after.load > n_online)
		note(host,
		     "the load average is %.2f on %u online CPUs: other work competed "
		     "with the run",
		     after.load, n_online);
}

size_t rs_host_read_after(struct rs_host *host, const char **notes, size_t max)
{
	host->n_notes = 0;
	compare_clocksource(host);
	compare_pressure(host);
	const size_t n = host->n_notes < max ? host->n_notes : max;
	for (size_t i = 0; i < n; i++)
		notes[i] = host->notes[i];
	return n;
}
