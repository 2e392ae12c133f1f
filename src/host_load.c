#include "src/host_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/busy.h"
#include "src/hostfs.h"

unsigned int rs_host_n_online(void)
{
	char text[4096];
	struct rs_cpus online = {0};
	size_t count = 0;
	if (rs_hostfs_text(text, sizeof(text), "/sys/devices/system/cpu/online") > 0 &&
	    rs_cpus_parse(text, &online) == 0)
		count = rs_cpus_count(&online);
	rs_cpus_free(&online);
	return (unsigned int)count;
}

static void read_steal(struct rs_pressure *out, unsigned int cpu)
{
	struct rs_cpus own = {0};
	if (rs_cpus_add(&own, cpu))
		return;
	const struct rs_cpu_time time = rs_cpu_time_read(&own);
	rs_cpus_free(&own);
	out->has_steal = time.total > 0;
	out->steal_ms = (double)time.steal * 1000 / (double)sysconf(_SC_CLK_TCK);
}

static void read_load(struct rs_pressure *out)
{
	char text[128];
	if (rs_hostfs_text(text, sizeof(text), "/proc/loadavg") <= 0)
		return;
	text[strcspn(text, " ")] = '\0';
	out->has_load = rs_text_double(text, 0, 1e9, &out->load) == 0;
}

/* One cgroup hierarchy that may limit CPU time, as this process is placed in it. */
struct hierarchy {
	char group[PATH_MAX]; /* from /proc/self/cgroup */
	char root[PATH_MAX];  /* which part of the hierarchy is mounted */
	char mount[PATH_MAX]; /* where */
};

static const char *next_line(const char *line)
{
	const char *const end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

/* Lines "ID:CONTROLLERS:PATH"; version 2 is ID 0 without controllers. */
static bool find_group(const char *text, bool is_v2, char out[PATH_MAX])
{
	for (const char *line = text; *line; line = next_line(line)) {
		char controllers[256] = "";
		int at = 0;
		if (sscanf(line, "%*u:%n", &at) == EOF || at == 0)
			continue;
		const size_t length = strcspn(line + at, ":\n");
		snprintf(controllers, sizeof(controllers), "%.*s", (int)length,
			 line + at);
		const bool matches =
		    is_v2 ? length == 0 : rs_hostfs_has_word(controllers, "cpu", ",");
		if (!matches || line[at + (int)length] != ':')
			continue;
		const char *const path = line + at + length + 1;
		snprintf(out, PATH_MAX, "%.*s", (int)strcspn(path, "\n"), path);
		return true;
	}
	return false;
}

/* Lines "ID PARENT DEV ROOT MOUNT OPTIONS... - TYPE SOURCE SUPEROPTIONS". */
static bool find_mount(const char *text, bool is_v2, struct hierarchy *out)
{
	for (const char *line = text; *line; line = next_line(line)) {
		const char *const tail = strstr(line, " - ");
		char type[32] = "";
		char options[512] = "";
		if (!tail || tail > next_line(line))
			continue;
		if (sscanf(tail, " - %31s %*s %511s", type, options) < 1)
			continue;
		const bool matches = is_v2
					 ? strcmp(type, "cgroup2") == 0
					 : strcmp(type, "cgroup") == 0 &&
					       rs_hostfs_has_word(options, "cpu", ",");
		if (matches && sscanf(line, "%*u %*u %*s %4095s %4095s", out->root,
				      out->mount) == 2)
			return true;
	}
	return false;
}

/* The first line "KEY NUMBER" of a cpu.stat file; 0 when there is none. */
static uint64_t stat_number(const char *text, const char *key)
{
	for (const char *line = text; *line; line = next_line(line)) {
		char name[64] = "";
		unsigned long long value = 0;
		if (sscanf(line, "%63s %llu", name, &value) == 2 &&
		    strcmp(name, key) == 0)
			return value;
	}
	return 0;
}

static void add_group(struct rs_pressure *out, const char *mount, const char *group)
{
	char text[4096];
	if (rs_hostfs_text(text, sizeof(text), "%s%s/cpu.stat", mount, group) <= 0)
		return;
	out->has_throttled = true;
	out->n_throttled += stat_number(text, "nr_throttled");
	/* Version 2 counts microseconds, version 1 nanoseconds. */
	out->throttled_ms += (double)stat_number(text, "throttled_usec") / 1e3 +
			     (double)stat_number(text, "throttled_time") / 1e6;
}

/* A quota of any enclosing group stops its members, and only that group counts it. */
static void add_hierarchy(struct rs_pressure *out, struct hierarchy *h)
{
	const size_t root_length = strcmp(h->root, "/") == 0 ? 0 : strlen(h->root);
	const bool is_below = strncmp(h->group, h->root, root_length) == 0;
	char *const group = h->group + (is_below ? root_length : 0);
	for (;;) {
		char *const last = strrchr(group, '/');
		if (last && last[1] == '\0')
			*last = '\0';
		add_group(out, h->mount, group);
		char *const parent_end = strrchr(group, '/');
		if (!parent_end)
			return;
		*parent_end = '\0';
	}
}

static void read_throttled(struct rs_pressure *out)
{
	char *const groups = rs_hostfs_all("/proc/self/cgroup");
	char *const mounts = rs_hostfs_all("/proc/self/mountinfo");
	for (int v2 = 0; groups && mounts && v2 <= 1; v2++) {
		struct hierarchy h;
		if (find_group(groups, v2, h.group) && find_mount(mounts, v2, &h))
			add_hierarchy(out, &h);
	}
	free(groups);
	free(mounts);
}

struct rs_pressure rs_pressure_read(unsigned int cpu)
{
	struct rs_pressure out = {0};
	read_steal(&out, cpu);
	read_throttled(&out);
	read_load(&out);
	return out;
}

static void add_number(struct rs_facts *facts, const char *stem, const char *when,
		       bool known, double value, const char *unit, const char *absent)
{
	char name[64];
	snprintf(name, sizeof(name), "%s_%s", stem, when);
	if (known)
		rs_facts_print(facts, name, NULL, "%.2f%s", value, unit);
	else
		rs_facts_add(facts, name, NULL, absent);
}

void rs_pressure_add(struct rs_facts *facts, const struct rs_pressure *pressure,
		     const char *when)
{
	add_number(facts, "steal", when, pressure->has_steal, pressure->steal_ms, " ms",
		   "/proc/stat has no line for this CPU");
	add_number(facts, "throttled", when, pressure->has_throttled,
		   pressure->throttled_ms, " ms",
		   "no cgroup of this process shows a cpu.stat");
	add_number(facts, "load_average", when, pressure->has_load, pressure->load, "",
		   "/proc/loadavg cannot be read");
}
