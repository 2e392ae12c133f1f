#include "events/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/explain.h"
#include "events/form.h"
#include "events/pfm.h"
#include "events/pmu.h"
#include "events/set.h"
#include "src/base/text.h"

/* Types and codes of the kernel's ABI (include/uapi/linux/perf_event.h). */
enum {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	TYPE_HW_CACHE = 3,
	TYPE_RAW = 4,
	SOFTWARE_CONTEXT_SWITCHES = 3,
	SOFTWARE_CPU_MIGRATIONS = 4,
};

struct generic_meaning {
	uint64_t code; /* PERF_COUNT_HW_* */
	enum rs_meaning meaning;
};

static const struct generic_meaning generic_meanings[] = {
    {0, RS_MEANING_CYCLES},
    {1, RS_MEANING_INSTRUCTIONS},
    {4, RS_MEANING_BRANCHES},
    {5, RS_MEANING_BRANCH_MISSES},
};

static enum rs_meaning meaning_of_generic(uint64_t code)
{
	const size_t n = sizeof(generic_meanings) / sizeof(generic_meanings[0]);
	for (size_t i = 0; i < n; i++)
		if (generic_meanings[i].code == code)
			return generic_meanings[i].meaning;
	return RS_MEANING_OTHER;
}

/*
 * These fire inside the kernel only: user mode alone would always read 0, which says
 * nothing.
 */
static void widen_kernel_event(struct rs_event *event, struct rs_scope scope)
{
	if (event->type != TYPE_SOFTWARE ||
	    (event->config != SOFTWARE_CONTEXT_SWITCHES &&
	     event->config != SOFTWARE_CPU_MIGRATIONS))
		return;
	if (!scope.is_given) {
		event->is_kernel_too = true;
		rs_text_copy(event->note, sizeof(event->note),
			     "happens in the kernel, so kernel mode is counted too");
	} else if (!scope.kernel) {
		event->status = RS_STATUS_NOT_SUPPORTED;
		snprintf(event->reason, sizeof(event->reason),
			 "event '%s' happens in kernel mode only, so that ':u' would "
			 "always read 0; leave ':u' out",
			 event->name);
	}
}

/* The kernel's own events: hardware, cache and software ones, tracepoints. */
static void set_generic(struct rs_event *event, const struct rs_pfm_code *code,
			const struct rs_machine *machine)
{
	event->type = code->type;
	event->config = code->config;
	event->has_config = true;
	const bool is_hardware =
	    code->type == TYPE_HARDWARE || code->type == TYPE_HW_CACHE;
	if (code->type == TYPE_HARDWARE)
		event->meaning = meaning_of_generic(code->config);
	/* Cores of several kinds: the kernel takes the PMU's type in the upper half. */
	if (is_hardware && machine->is_hybrid && machine->has_pmu)
		event->config |= (uint64_t)machine->pmu.type << 32;
	const char *source = "software";
	if (is_hardware)
		source = machine->has_pmu ? machine->pmu.name : "core PMU";
	else if (code->type != TYPE_SOFTWARE)
		source = "tracepoint";
	rs_text_copy(event->source, sizeof(event->source), source);
}

static void set_pfm(struct rs_event *event, const struct rs_pfm_code *code,
		    const struct rs_machine *machine)
{
	const uint64_t config[3] = {code->config, code->config1, code->config2};
	rs_text_copy(event->chosen, sizeof(event->chosen), code->full);
	if (code->is_generic && code->type != TYPE_RAW) {
		set_generic(event, code, machine);
		return;
	}
	rs_form_set_core(event, machine, config);
	if (!code->is_core && !code->is_generic) {
		event->type = code->type;
		rs_text_copy(event->source, sizeof(event->source), code->pmu);
	}
}

/* An event of another CPU's table: it exists, but not here. */
static void check_pmu(struct rs_event *event, const struct rs_pfm_code *code,
		      const struct rs_machine *machine)
{
	if (code->is_generic || strcmp(code->pmu, machine->pfm_pmu) == 0 ||
	    (!code->is_core && code->is_present))
		return;
	event->status = RS_STATUS_NOT_SUPPORTED;
	snprintf(
	    event->reason, sizeof(event->reason),
	    "event '%s' belongs to PMU %s of libpfm4, and cpu %u has %s; choose one "
	    "of 'retstack list events'",
	    event->name, code->pmu, machine->cpu,
	    *machine->pfm_pmu ? machine->pfm_pmu : "none that libpfm4 knows");
}

int rs_resolve_pfm_in(const char *pmu, const char *text,
		      const struct rs_machine *machine, struct rs_event *event,
		      struct rs_scope *scope, const char **why)
{
	char full[2 * RS_EVENT_TEXT];
	snprintf(full, sizeof(full), "%s%s%s", pmu, *pmu ? "::" : "", text);
	struct rs_pfm_code code;
	const int ret = rs_pfm_encode(full, &code, why);
	if (ret)
		return ret;
	set_pfm(event, &code, machine);
	check_pmu(event, &code, machine);
	if (!scope->is_given && (code.counts_kernel || !code.counts_user))
		*scope = (struct rs_scope){.is_given = true,
					   .user = code.counts_user,
					   .kernel = code.counts_kernel};
	return 0;
}

/*
 * The table of the pinned CPU's PMU comes first: one name has different codes on the
 * cores of a hybrid chip. Last come the uncore PMUs that libpfm4 detected.
 */
static int resolve_pfm(const struct rs_resolver *resolver, const char *text,
		       struct rs_event *event, struct rs_scope *scope, const char **why)
{
	const struct rs_machine *const machine = resolver->machine;
	if (strstr(text, "::"))
		return rs_resolve_pfm_in("", text, machine, event, scope, why);
	int ret = -ENOENT;
	if (*machine->pfm_pmu) {
		ret = rs_resolve_pfm_in(machine->pfm_pmu, text, machine, event, scope,
					why);
		if (ret == 0)
			return 0;
	}
	const char *generic_why;
	const int generic =
	    rs_resolve_pfm_in("perf", text, machine, event, scope, &generic_why);
	if (generic == 0)
		return 0;
	if (ret == -ENOENT) {
		ret = generic;
		*why = generic_why;
	}
	return ret;
}

static bool is_alias(const struct rs_alias_table *table, const char *name)
{
	for (size_t i = 0; i < table->n_rows; i++)
		if (strcmp(table->rows[i].alias, name) == 0)
			return true;
	return false;
}

/* A name from the events/ folder of the core PMU, as perf takes it. */
static bool resolve_sysfs(const struct rs_resolver *resolver, const char *text,
			  struct rs_event *event)
{
	const struct rs_machine *const machine = resolver->machine;
	uint64_t config[3];
	struct rs_err unused;
	if (!resolver->reads_sysfs || !machine->has_pmu || strpbrk(text, "=,/:") ||
	    rs_pmu_encode(&machine->pmu, text, config, &unused))
		return false;
	rs_form_set_core(event, machine, config);
	snprintf(event->chosen, sizeof(event->chosen), "%.60s/%.60s/",
		 machine->pmu.name, text);
	return true;
}

/* perf's modifiers that mean nothing here: precision, hypervisor, guest, pinning. */
static bool is_foreign_modifier(const char *text)
{
	const char *const colon = strrchr(text, ':');
	return colon && colon[1] &&
	       colon[1 + strspn(colon + 1, "ukhIGHpPSDWeb")] == '\0';
}

/*
 * libpfm4 takes hypervisor, guest and host as modes of its own; counting user mode
 * instead would drop them silently.
 */
static bool asks_other_mode(const char *text)
{
	static const char *const modes[] = {"h", "mg", "mh"};
	for (const char *c = strchr(text, ':'); c; c = strchr(c + 1, ':')) {
		const size_t length = strcspn(c + 1, ":=");
		for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
			if (length == strlen(modes[i]) &&
			    strncmp(c + 1, modes[i], length) == 0)
				return true;
	}
	return false;
}

static int unknown(const struct rs_resolver *resolver, const char *name,
		   const char *text, int code, const char *why, struct rs_err *err)
{
	if (is_foreign_modifier(text))
		return rs_err_set(err, -EINVAL,
				  "event '%s': the modifier '%s' is not one of :u, :k "
				  "and :uk",
				  name, strrchr(text, ':'));
	if (code != -ENOENT)
		return rs_err_set(err, -EINVAL, "event '%s': libpfm4 says: %s", name,
				  why);
	const char **const names = rs_alias_names(resolver->aliases);
	const char *const near =
	    names ? rs_text_nearest(text, (const char *const *)names) : NULL;
	if (near)
		rs_err_set(err, -EINVAL,
			   "unknown event '%s': did you mean '%s'? 'retstack list "
			   "events' shows all",
			   name, near);
	else
		rs_err_set(err, -EINVAL,
			   "unknown event '%s': neither an alias, nor an event of "
			   "libpfm4 for this PMU (%s), nor one of the kernel; "
			   "'retstack list events' shows the aliases",
			   name,
			   *resolver->machine->pfm_pmu ? resolver->machine->pfm_pmu
						       : "none detected");
	free(names);
	return -EINVAL;
}

/* Tries the event as it is now, so that the row says whether it opens here. */
static void check_opens(const struct rs_resolver *resolver, struct rs_event *event)
{
	if (!resolver->backend || event->status != RS_STATUS_OK)
		return;
	uint32_t attr_bytes = 0;
	const int ret = rs_event_probe(event, resolver->backend, &attr_bytes);
	if (ret == 0)
		return;
	struct rs_perf_facts facts;
	resolver->backend->ops->facts(resolver->backend, &facts);
	const struct rs_failure failure = {
	    .event = event,
	    .cpu = resolver->machine->cpu,
	    .errnum = -ret,
	    .doing = "open",
	    .n_descriptors = 1,
	    .kernel_attr_bytes = attr_bytes,
	};
	char reason[sizeof(event->reason)];
	event->status = rs_explain(reason, sizeof(reason), &failure, &facts);
	rs_text_copy(event->reason, sizeof(event->reason), reason);
}

static int resolve_form(const struct rs_resolver *resolver, const char *text,
			struct rs_event *event, struct rs_err *err)
{
	int ret = rs_form_breakpoint(text, event, err);
	if (ret == 0)
		ret = rs_form_pmu(text, resolver->machine, resolver->reads_sysfs, event,
				  err);
	if (ret == 0)
		ret = rs_form_raw(text, resolver->machine, event, err);
	return ret;
}

int rs_resolve(const struct rs_resolver *resolver, const char *name,
	       struct rs_event *event, struct rs_err *err)
{
	memset(event, 0, sizeof(*event));
	rs_text_copy(event->name, sizeof(event->name), name);
	char text[RS_EVENT_TEXT];
	rs_text_copy(text, sizeof(text), name);
	struct rs_scope scope = rs_form_cut_scope(text);
	const int form = resolve_form(resolver, text, event, err);
	if (form < 0)
		return form;
	if (form == 0 && is_alias(resolver->aliases, text)) {
		rs_resolve_alias(resolver, text, event, scope);
	} else if (form == 0 && asks_other_mode(text)) {
		return rs_err_set(
		    err, -EINVAL,
		    "event '%s': hypervisor, guest and host modes cannot be "
		    "asked for; the modifiers are :u, :k and :uk",
		    name);
	} else if (form == 0) {
		const char *why = NULL;
		const int ret = resolve_pfm(resolver, text, event, &scope, &why);
		if (ret && !resolve_sysfs(resolver, text, event))
			return unknown(resolver, name, text, ret, why, err);
	}
	rs_form_set_scope(event, scope);
	widen_kernel_event(event, scope);
	check_opens(resolver, event);
	return 0;
}
