#include "src/differ.h"

#include <math.h>
#include <string.h>

#include "src/base/text.h"

/* Facts that are not of this list only need a note. */
static const struct {
	const char *name;
	enum rs_differ differ;
} graded[] = {
    {"cpu_model", RS_DIFFER_MACHINE}, {"isa", RS_DIFFER_MACHINE},
    {"emulator", RS_DIFFER_MACHINE},  {"hypervisor", RS_DIFFER_MACHINE},
    {"tick_clock", RS_DIFFER_TICKS},  {"tick_hz", RS_DIFFER_TICKS},
    {"clocksource", RS_DIFFER_VDSO},  {"clocksource_after", RS_DIFFER_VDSO},
};

/* They differ between any two runs, and nothing follows from it. */
static const char *const passing[] = {
    "steal_before",        "steal_after",        "throttled_before", "throttled_after",
    "load_average_before", "load_average_after", "libpfm_version",
};

static bool is_passing(const char *name)
{
	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++) {
		if (strcmp(passing[i], name) == 0)
			return true;
	}
	return false;
}

static enum rs_differ grade_of(const char *name)
{
	for (size_t i = 0; i < sizeof(graded) / sizeof(graded[0]); i++) {
		if (strcmp(graded[i].name, name) == 0)
			return graded[i].differ;
	}
	return RS_DIFFER_NOTE;
}

/* A tick rate is calibrated anew by each run; 1 % is another rate. */
#define SAME_RATE 0.01

static bool is_same_value(const char *name, const char *a, const char *b)
{
	double x;
	double y;
	if (strcmp(name, "tick_hz") == 0 && rs_text_double(a, 1, 1e12, &x) == 0 &&
	    rs_text_double(b, 1, 1e12, &y) == 0)
		return fabs(x - y) <= SAME_RATE * x;
	return strcmp(a, b) == 0;
}

void rs_differ_facts(const struct rs_loaded *base, const struct rs_loaded *file,
		     void (*tell)(void *user, enum rs_differ, const char *name,
				  const char *base_value, const char *value),
		     void *user)
{
	for (size_t i = 0; i < base->results.n_facts; i++) {
		const struct rs_fact *const fact = &base->results.facts[i];
		const char *const value = rs_loaded_fact(file, fact->name);
		if (fact->value && value && !is_passing(fact->name) &&
		    !is_same_value(fact->name, fact->value, value))
			tell(user, grade_of(fact->name), fact->name, fact->value,
			     value);
	}
}

/* What a file does not tell does not differ. */
static bool may_be_same(const char *a, const char *b)
{
	return !a || !b || strcmp(a, b) == 0;
}

bool rs_differ_is_same_event(const struct rs_metric *a, const struct rs_metric *b)
{
	return may_be_same(a->config, b->config) && may_be_same(a->source, b->source) &&
	       may_be_same(a->chosen, b->chosen) && may_be_same(a->unit, b->unit);
}
