#include "events/form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "events/pmu.h"
#include "src/base/text.h"

/* perf_event_attr.type of the kernel's ABI. */
enum {
	TYPE_RAW = 4,
	TYPE_BREAKPOINT = 5,
};

/* Takes one ":u", ":k" or ":uk" off the end; false when there is none. */
static bool cut_one(char *text, struct rs_scope *scope)
{
	const size_t length = strlen(text);
	size_t start = length;
	while (start > 0 && (text[start - 1] == 'u' || text[start - 1] == 'k'))
		start--;
	if (start == length || start < 2)
		return false;
	const char before = text[start - 1];
	if (before != ':' && before != '/')
		return false;
	for (size_t i = start; i < length; i++) {
		scope->user |= text[i] == 'u';
		scope->kernel |= text[i] == 'k';
	}
	scope->is_given = true;
	text[before == ':' ? start - 1 : start] = '\0';
	return true;
}

struct rs_scope rs_form_cut_scope(char *text)
{
	struct rs_scope scope = {.is_given = false};
	while (cut_one(text, &scope))
		continue;
	return scope;
}

void rs_form_set_scope(struct rs_event *event, struct rs_scope scope)
{
	event->is_kernel_too = scope.kernel;
	event->is_kernel_only = scope.kernel && !scope.user;
}

void rs_form_set_core(struct rs_event *event, const struct rs_machine *machine,
		      const uint64_t config[3])
{
	const char *source = machine->pmu.name;
	if (!machine->has_pmu)
		source = *machine->pfm_pmu ? machine->pfm_pmu : "core PMU";
	event->type = machine->has_pmu ? machine->pmu.type : TYPE_RAW;
	event->config = config[0];
	event->config1 = config[1];
	event->config2 = config[2];
	event->has_config = true;
	rs_text_copy(event->source, sizeof(event->source), source);
}

int rs_form_raw(const char *text, const struct rs_machine *machine,
		struct rs_event *event, struct rs_err *err)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const size_t n = text[0] == 'r' ? strspn(text + 1, digits) : 0;
	if (n == 0 || text[1 + n])
		return 0;
	if (n > 16)
		return rs_err_set(err, -EINVAL,
				  "event '%s': a raw code has at most 16 hexadecimal "
				  "digits",
				  text);
	const uint64_t config[3] = {strtoull(text + 1, NULL, 16)};
	rs_form_set_core(event, machine, config);
	rs_text_copy(event->chosen, sizeof(event->chosen), text);
	return 1;
}

static int bad_breakpoint(const char *text, const char *why, struct rs_err *err)
{
	return rs_err_set(
	    err, -EINVAL,
	    "event '%s': %s; the form is mem:ADDR[/LENGTH][:ACCESS] with a "
	    "hexadecimal address, a length of 1, 2, 4 or 8 and access of "
	    "r, w, rw or x",
	    text, why);
}

struct access_word {
	const char *word;
	uint32_t kind;
	uint32_t default_bytes;
};

static const struct access_word accesses[] = {
    {"r", HW_BREAKPOINT_R, HW_BREAKPOINT_LEN_4},
    {"w", HW_BREAKPOINT_W, HW_BREAKPOINT_LEN_4},
    {"rw", HW_BREAKPOINT_RW, HW_BREAKPOINT_LEN_4},
    {"wr", HW_BREAKPOINT_RW, HW_BREAKPOINT_LEN_4},
    {"x", HW_BREAKPOINT_X, sizeof(long)}, /* the kernel takes no other */
    {NULL, 0, 0},
};

int rs_form_breakpoint(const char *text, struct rs_event *event, struct rs_err *err)
{
	if (strncmp(text, "mem:", 4) != 0)
		return 0;
	const char *digits = text + 4;
	if (strncmp(digits, "0x", 2) == 0)
		digits += 2;
	const size_t n = strspn(digits, "0123456789abcdefABCDEF");
	if (n == 0 || n > 16)
		return bad_breakpoint(text, "the address is not a number", err);
	const char *rest = digits + n;
	uint32_t bytes = 0;
	if (*rest == '/') {
		bytes = (uint32_t)(rest[1] - '0');
		if (!strchr("1248", rest[1]) || !rest[1])
			return bad_breakpoint(text, "the length is wrong", err);
		rest += 2;
	}
	const char *const access = *rest == ':' ? rest + 1 : "rw";
	const struct access_word *word = accesses;
	while (word->word && strcmp(word->word, access) != 0)
		word++;
	if ((*rest && *rest != ':') || !word->word)
		return bad_breakpoint(text, "the access is wrong", err);
	event->type = TYPE_BREAKPOINT;
	event->breakpoint_address = strtoull(digits, NULL, 16);
	event->breakpoint_kind = word->kind;
	event->breakpoint_bytes = bytes ? bytes : word->default_bytes;
	rs_text_copy(event->source, sizeof(event->source), "breakpoint");
	rs_text_copy(event->chosen, sizeof(event->chosen), text);
	return 1;
}

/* A core PMU counts only on its own CPUs. */
static void check_cpu(struct rs_event *event, const struct rs_pmu *pmu,
		      const struct rs_machine *machine)
{
	if (!*pmu->cpus || rs_cpulist_has(pmu->cpus, machine->cpu))
		return;
	event->status = RS_STATUS_NOT_SUPPORTED;
	snprintf(
	    event->reason, sizeof(event->reason),
	    "event '%s' belongs to the cores of cpus %s and cannot count on cpu %u; "
	    "pin the run to one of those cpus",
	    event->name, pmu->cpus, machine->cpu);
}

static void set_missing_pmu(struct rs_event *event, const char *name)
{
	char names[256];
	rs_pmu_names(names, sizeof(names));
	event->status = RS_STATUS_NOT_SUPPORTED;
	event->reason[0] = '\0';
	rs_text_append(event->reason, sizeof(event->reason),
		       "event '%s': the kernel shows no PMU '%s' here; it shows: %s",
		       event->name, name, *names ? names : "none");
}

int rs_form_pmu(const char *text, const struct rs_machine *machine, bool reads_sysfs,
		struct rs_event *event, struct rs_err *err)
{
	const char *const slash = strchr(text, '/');
	if (!slash)
		return 0;
	const char *const last = strrchr(text, '/');
	if (last == slash || last[1] || slash == text)
		return rs_err_set(
		    err, -EINVAL,
		    "event '%s': the form is PMU/TERM=VALUE,.../ with :u, "
		    ":k or :uk behind it",
		    text);
	char name[RS_EVENT_TEXT];
	char terms[RS_EVENT_TEXT];
	snprintf(name, sizeof(name), "%.*s", (int)(slash - text), text);
	snprintf(terms, sizeof(terms), "%.*s", (int)(last - slash - 1), slash + 1);
	rs_text_copy(event->chosen, sizeof(event->chosen), text);
	rs_text_copy(event->source, sizeof(event->source), name);
	if (!reads_sysfs) {
		event->type = machine->pmu.type;
		return 1;
	}
	struct rs_pmu pmu;
	if (rs_pmu_find(name, &pmu)) {
		set_missing_pmu(event, name);
		return 1;
	}
	uint64_t config[3];
	const int ret = rs_pmu_encode(&pmu, terms, config, err);
	if (ret)
		return ret;
	event->type = pmu.type;
	event->config = config[0];
	event->config1 = config[1];
	event->config2 = config[2];
	event->has_config = true;
	check_cpu(event, &pmu, machine);
	return 1;
}
