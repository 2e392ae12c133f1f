#include "src/fact_list.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fields are const for their readers; their owner alone casts that away. */
static void free_string(const char *text)
{
	free((void *)(uintptr_t)text);
}

static bool copy_string(const char **out, const char *text)
{
	*out = text ? strdup(text) : NULL;
	return !text || *out;
}

static void free_fact(const struct rs_fact *fact)
{
	free_string(fact->name);
	free_string(fact->value);
	free_string(fact->note);
}

void rs_facts_add(struct rs_facts *facts, const char *name, const char *value,
		  const char *note)
{
	struct rs_fact *const rows =
	    realloc(facts->rows, (facts->n_rows + 1) * sizeof(*rows));
	if (!rows) {
		facts->code = -ENOMEM;
		return;
	}
	facts->rows = rows;
	struct rs_fact fact = {0};
	const bool is_copied = copy_string(&fact.name, name) &&
			       copy_string(&fact.value, value) &&
			       copy_string(&fact.note, note);
	if (!is_copied) {
		free_fact(&fact);
		facts->code = -ENOMEM;
		return;
	}
	rows[facts->n_rows++] = fact;
}

void rs_facts_print(struct rs_facts *facts, const char *name, const char *note,
		    const char *value_fmt, ...)
{
	char value[512];
	va_list args;
	va_start(args, value_fmt);
	vsnprintf(value, sizeof(value), value_fmt, args);
	va_end(args);
	rs_facts_add(facts, name, value, note);
}

const char *rs_facts_value(const struct rs_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n_rows; i++) {
		if (strcmp(facts->rows[i].name, name) == 0)
			return facts->rows[i].value;
	}
	return NULL;
}

void rs_facts_free(struct rs_facts *facts)
{
	for (size_t i = 0; i < facts->n_rows; i++)
		free_fact(&facts->rows[i]);
	free(facts->rows);
	*facts = (struct rs_facts){0};
}
