#include "src/affinity.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

#define WORD_BITS (sizeof(unsigned long) * CHAR_BIT)
#define MAX_ID    65535

void rs_cpus_free(struct rs_cpus *cpus)
{
	free(cpus->words);
	*cpus = (struct rs_cpus){0};
}

bool rs_cpus_has(const struct rs_cpus *cpus, unsigned int cpu)
{
	const size_t word = cpu / WORD_BITS;
	return word < cpus->n_words && (cpus->words[word] >> (cpu % WORD_BITS) & 1);
}

size_t rs_cpus_count(const struct rs_cpus *cpus)
{
	size_t count = 0;
	for (size_t i = 0; i < cpus->n_words; i++)
		count += (size_t)__builtin_popcountl(cpus->words[i]);
	return count;
}

void rs_cpus_remove(struct rs_cpus *cpus, unsigned int cpu)
{
	if (rs_cpus_has(cpus, cpu))
		cpus->words[cpu / WORD_BITS] &= ~(1UL << (cpu % WORD_BITS));
}

int rs_cpus_last(const struct rs_cpus *cpus)
{
	for (size_t cpu = cpus->n_words * WORD_BITS; cpu > 0; cpu--) {
		if (rs_cpus_has(cpus, (unsigned int)cpu - 1))
			return (int)cpu - 1;
	}
	return -ENOENT;
}

static int cpus_resize(struct rs_cpus *cpus, size_t n_words)
{
	unsigned long *const words =
	    realloc(cpus->words, n_words * sizeof(*cpus->words));
	if (!words)
		return -ENOMEM;
	for (size_t i = cpus->n_words; i < n_words; i++)
		words[i] = 0;
	*cpus = (struct rs_cpus){.words = words, .n_words = n_words};
	return 0;
}

int rs_cpus_add(struct rs_cpus *cpus, unsigned int cpu)
{
	const size_t word = cpu / WORD_BITS;
	if (word >= cpus->n_words) {
		const int ret = cpus_resize(cpus, word + 1);
		if (ret)
			return ret;
	}
	cpus->words[word] |= 1UL << (cpu % WORD_BITS);
	return 0;
}

/* Reads digits at *at and moves it behind them. */
static int read_id(const char **at, unsigned int *id)
{
	const size_t length = strspn(*at, "0123456789");
	if (length == 0)
		return -EINVAL;
	unsigned int value = 0;
	for (size_t i = 0; i < length; i++) {
		value = value * 10 + (unsigned int)((*at)[i] - '0');
		if (value > MAX_ID)
			return -ERANGE;
	}
	*at += length;
	*id = value;
	return 0;
}

static int add_range(const char **at, struct rs_cpus *out)
{
	unsigned int first = 0;
	int ret = read_id(at, &first);
	if (ret)
		return ret;
	unsigned int last = first;
	if (**at == '-') {
		(*at)++;
		ret = read_id(at, &last);
	}
	if (!ret && last < first)
		ret = -EINVAL;
	for (unsigned int cpu = first; !ret && cpu <= last; cpu++)
		ret = rs_cpus_add(out, cpu);
	return ret;
}

int rs_cpus_parse(const char *text, struct rs_cpus *out)
{
	*out = (struct rs_cpus){0};
	const char *at = text;
	int ret = 0;
	while (!ret && *at) {
		ret = add_range(&at, out);
		if (!ret && *at && (*at != ',' || at[1] == '\0'))
			ret = -EINVAL;
		if (!ret && *at)
			at++;
	}
	if (ret)
		rs_cpus_free(out);
	return ret;
}

const char *rs_cpus_format(const struct rs_cpus *cpus, char text[RS_CPUS_TEXT])
{
	text[0] = '\0';
	const unsigned int end = (unsigned int)(cpus->n_words * WORD_BITS);
	for (unsigned int cpu = 0; cpu < end; cpu++) {
		if (!rs_cpus_has(cpus, cpu))
			continue;
		const unsigned int first = cpu;
		while (rs_cpus_has(cpus, cpu + 1))
			cpu++;
		char range[32] = "";
		rs_text_append(range, sizeof(range), first == cpu ? "%s%u" : "%s%u-%u",
			       text[0] ? "," : "", first, cpu);
		if (strlen(text) + strlen(range) + sizeof("...") > RS_CPUS_TEXT) {
			rs_text_append(text, RS_CPUS_TEXT, "...");
			break;
		}
		rs_text_append(text, RS_CPUS_TEXT, "%s", range);
	}
	return text;
}

/*
 * The kernel refuses a mask shorter than its own with EINVAL, and tells its size
 * nowhere else that is sure to be readable: grow until it fits.
 */
int rs_affinity_allowed(struct rs_cpus *out, struct rs_err *err)
{
	*out = (struct rs_cpus){0};
	for (size_t n_words = 1024 / WORD_BITS; n_words <= (MAX_ID + 1) / WORD_BITS;
	     n_words *= 2) {
		if (cpus_resize(out, n_words))
			return rs_err_set(err, -ENOMEM, "no memory for a CPU set");
		memset(out->words, 0, n_words * sizeof(*out->words));
		if (sched_getaffinity(0, n_words * sizeof(*out->words),
				      (cpu_set_t *)out->words) == 0)
			return 0;
		if (errno != EINVAL)
			break;
	}
	const int code = -errno;
	rs_cpus_free(out);
	return rs_err_set(err, code, "cannot read which CPUs this process may use: %s",
			  strerror(-code));
}

int rs_affinity_choose(const struct rs_cpus *allowed)
{
	return rs_cpus_last(allowed);
}

int rs_affinity_check(const struct rs_cpus *allowed, unsigned int cpu,
		      struct rs_err *err)
{
	if (rs_cpus_has(allowed, cpu))
		return 0;
	char list[RS_CPUS_TEXT];
	rs_cpus_format(allowed, list);
	return rs_err_set(err, -EINVAL,
			  "cpu %u is not in the allowed set %s of this process; choose "
			  "one of %s",
			  cpu, list, list);
}

int rs_affinity_settle(const struct rs_cpus *allowed, unsigned int *cpu,
		       struct rs_err *err)
{
	if (*cpu == RS_CPU_ANY)
		*cpu = (unsigned int)rs_affinity_choose(allowed);
	return rs_affinity_check(allowed, *cpu, err);
}

static int bind_to_set(const struct rs_cpus *cpus)
{
	const size_t n_bytes = cpus->n_words * sizeof(*cpus->words);
	return sched_setaffinity(0, n_bytes, (const cpu_set_t *)cpus->words) ? -errno
									     : 0;
}

static int bind_to(unsigned int cpu, struct rs_err *err)
{
	struct rs_cpus only = {0};
	int ret = rs_cpus_add(&only, cpu);
	if (ret)
		return rs_err_set(err, ret, "no memory for a CPU set");
	ret = bind_to_set(&only);
	if (ret)
		rs_err_set(err, ret, "cannot bind to cpu %u: %s", cpu, strerror(-ret));
	rs_cpus_free(&only);
	return ret;
}

/* User-mode emulators and some sandboxes accept a binding and forget it. */
static int verify_bound_to(unsigned int cpu, struct rs_err *err)
{
	struct rs_cpus now = {0};
	const int ret = rs_affinity_allowed(&now, err);
	if (ret)
		return ret;
	const bool is_only = rs_cpus_count(&now) == 1 && rs_cpus_has(&now, cpu);
	char list[RS_CPUS_TEXT];
	rs_cpus_format(&now, list);
	rs_cpus_free(&now);
	if (!is_only)
		return rs_err_set(err, -EIO,
				  "binding to cpu %u was accepted, but the allowed set "
				  "is now %s",
				  cpu, list);
	const int running = sched_getcpu();
	if (running != (int)cpu)
		return rs_err_set(err, -EIO,
				  "binding to cpu %u was accepted, but the thread runs "
				  "on cpu %d",
				  cpu, running);
	return 0;
}

int rs_affinity_pin(unsigned int cpu, struct rs_err *err)
{
	const int ret = bind_to(cpu, err);
	return ret ? ret : verify_bound_to(cpu, err);
}

void rs_affinity_avoid(struct rs_cpus *allowed, unsigned int cpu)
{
	const bool was_in = rs_cpus_has(allowed, cpu);
	rs_cpus_remove(allowed, cpu);
	if (rs_cpus_count(allowed) > 0)
		bind_to_set(allowed);
	if (was_in)
		rs_cpus_add(allowed, cpu);
}
