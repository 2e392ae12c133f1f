#include "src/checks.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The fields are const for their readers; their owner alone casts that away. */
static void free_string(const char *text)
{
	free((void *)(uintptr_t)text);
}

static void free_check(const struct rs_check *check)
{
	free_string(check->name);
	free_string(check->value);
	free_string(check->cause);
	free_string(check->remedy);
}

static const char *copy_string(const char *text, int *code)
{
	const char *const copy = text ? strdup(text) : NULL;
	if (text && !copy)
		*code = -ENOMEM;
	return copy;
}

void rs_checks_add(struct rs_checks *checks, const struct rs_check *check)
{
	struct rs_check *const rows =
	    realloc(checks->rows, (checks->n_rows + 1) * sizeof(*rows));
	if (!rows) {
		checks->code = -ENOMEM;
		return;
	}
	checks->rows = rows;
	int code = 0;
	const struct rs_check copy = {
	    .name = copy_string(check->name, &code),
	    .state = check->state,
	    .value = copy_string(check->value, &code),
	    .cause = copy_string(check->cause, &code),
	    .remedy = copy_string(check->remedy, &code),
	};
	if (code) {
		free_check(&copy);
		checks->code = code;
		return;
	}
	rows[checks->n_rows++] = copy;
}

void rs_checks_free(struct rs_checks *checks)
{
	for (size_t i = 0; i < checks->n_rows; i++)
		free_check(&checks->rows[i]);
	free(checks->rows);
	*checks = (struct rs_checks){0};
}
