#include "events/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/machine.h"
#include "src/base/file.h"
#include "src/base/text.h"

static const struct rs_roots real_roots = {.sys = "/sys", .proc = "/proc"};
static const struct rs_roots *roots = &real_roots;

const struct rs_roots *rs_roots_get(void)
{
	return roots;
}

void rs_roots_set(const struct rs_roots *new_roots)
{
	roots = new_roots ? new_roots : &real_roots;
}

bool rs_roots_are_real(void)
{
	return roots == &real_roots;
}

#define DEVICES "%s/bus/event_source/devices"

bool rs_cpulist_has(const char *list, unsigned int cpu)
{
	while (*list) {
		char *end = NULL;
		const unsigned long first = strtoul(list, &end, 10);
		if (end == list)
			return false;
		const unsigned long last =
		    *end == '-' ? strtoul(end + 1, &end, 10) : first;
		if (cpu >= first && cpu <= last)
			return true;
		list = *end == ',' ? end + 1 : "";
	}
	return false;
}

/*
 * Only core PMUs have a "cpus" file (others that belong to CPUs have "cpumask"); a
 * machine with one kind of core has no such file on some architectures, and then its
 * PMU has a name of its own.
 */
static const char *const plain_core_pmus[] = {"cpu", "cpum_cf", NULL};

static bool is_core_pmu(const char *name, const char *cpus)
{
	if (*cpus)
		return true;
	for (size_t i = 0; plain_core_pmus[i]; i++)
		if (strcmp(plain_core_pmus[i], name) == 0)
			return true;
	return false;
}

int rs_pmu_find(const char *name, struct rs_pmu *out)
{
	memset(out, 0, sizeof(*out));
	char text[32];
	uint64_t type = 0;
	if (!*name || name[0] == '.' || strchr(name, '/'))
		return -ENOENT;
	if (rs_file_read_text(text, sizeof(text), DEVICES "/%s/type", roots->sys,
			      name) < 0 ||
	    rs_text_u64(text, 0, UINT32_MAX, &type))
		return -ENOENT;
	if (!rs_text_copy(out->name, sizeof(out->name), name))
		return -ENAMETOOLONG;
	out->type = (uint32_t)type;
	rs_file_read_text(out->cpus, sizeof(out->cpus), DEVICES "/%s/cpus", roots->sys,
			  name);
	out->is_core = is_core_pmu(name, out->cpus);
	return 0;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int rs_pmu_list(struct rs_pmu *pmus, size_t max)
{
	char folder[512];
	folder[0] = '\0';
	if (!rs_text_append(folder, sizeof(folder), DEVICES, roots->sys))
		return -ENAMETOOLONG;
	struct dirent **entries = NULL;
	const int n_entries = scandir(folder, &entries, is_visible, alphasort);
	if (n_entries < 0)
		return -errno;
	size_t n = 0;
	for (int i = 0; i < n_entries; i++) {
		struct rs_pmu pmu;
		if (rs_pmu_find(entries[i]->d_name, &pmu) == 0) {
			if (n < max)
				pmus[n] = pmu;
			n++;
		}
		free(entries[i]);
	}
	free(entries);
	return (int)n;
}

#define PMUS_MAX 512

/* Every PMU, at most PMUS_MAX; the caller frees *out. */
static int all_pmus(struct rs_pmu **out)
{
	struct rs_pmu *const pmus = calloc(PMUS_MAX, sizeof(*pmus));
	if (!pmus)
		return -ENOMEM;
	const int n = rs_pmu_list(pmus, PMUS_MAX);
	if (n < 0) {
		free(pmus);
		return n;
	}
	*out = pmus;
	return n < PMUS_MAX ? n : PMUS_MAX;
}

int rs_pmu_of_cpu(unsigned int cpu, struct rs_pmu *out)
{
	struct rs_pmu *pmus = NULL;
	const int n = all_pmus(&pmus);
	if (n < 0)
		return n;
	int ret = -ENOENT;
	for (int i = 0; ret && i < n; i++) {
		if (!pmus[i].is_core)
			continue;
		if (*pmus[i].cpus && !rs_cpulist_has(pmus[i].cpus, cpu))
			continue;
		*out = pmus[i];
		ret = 0;
	}
	free(pmus);
	return ret;
}

void rs_pmu_names(char *out, size_t size)
{
	out[0] = '\0';
	struct rs_pmu *pmus = NULL;
	const int n = all_pmus(&pmus);
	for (int i = 0; i < n; i++)
		rs_text_append(out, size, "%s%s", i ? ", " : "", pmus[i].name);
	free(pmus);
}
