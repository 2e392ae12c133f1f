#include "src/base/ini.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

/* Refuses one key, so that the sentence about a bad line is written too. */
static int take(void *user, const struct rs_ini_line *line, struct rs_err *err)
{
	size_t *const n_lines = user;
	assert(line->section && line->key && line->value);
	(*n_lines)++;
	if (strcmp(line->key, "refuse") == 0)
		return rs_err_set(err, -EINVAL, "refused '%s'", line->value);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	struct rs_err err = {.text = ""};
	size_t n_lines = 0;
	const int ret =
	    rs_ini_parse("input", (const char *)data, n_bytes, take, &n_lines, &err);
	assert(ret <= 0);
	assert(ret == 0 || strncmp(err.text, "input", strlen("input")) == 0);
	return 0;
}
