#include "src/base/ini.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

struct walk {
	rs_ini_take *take;
	void *user;
	int code;
	struct rs_err why;
};

static int on_line(void *user, const char *section, const char *key, const char *value)
{
	struct walk *const walk = user;
	if (walk->code)
		return 1;
	const struct rs_ini_line line = {
	    .section = section,
	    .key = key,
	    .value = value ? value : "",
	};
	walk->code = walk->take(walk->user, &line, &walk->why);
	return walk->code == 0;
}

/* inih reports the first line that did not parse or that the handler refused. */
int rs_ini_parse(const char *name, const char *text, size_t n_bytes, rs_ini_take *take,
		 void *user, struct rs_err *err)
{
	struct walk walk = {.take = take, .user = user};
	char *const copy = strndup(text, n_bytes);
	if (!copy)
		return rs_err_set(err, -ENOMEM, "%s: not enough memory", name);
	const int line = ini_parse_string(copy, on_line, &walk);
	free(copy);
	if (line == 0)
		return 0;
	if (line < 0)
		return rs_err_set(err, -ENOMEM, "%s: not enough memory", name);
	if (walk.code)
		return rs_err_set(err, walk.code, "%s line %d: %s", name, line,
				  walk.why.text);
	return rs_err_set(err, -EINVAL,
			  "%s line %d: neither a [section] nor key = value", name,
			  line);
}
