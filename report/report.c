#include "report/report.h"

#include <string.h>

static const struct rs_format formats[] = {{0}};

const struct rs_format *rs_formats(void)
{
	return formats;
}

const struct rs_format *rs_format_find(const char *name)
{
	for (const struct rs_format *format = formats; format->name; format++) {
		if (strcmp(format->name, name) == 0)
			return format;
	}
	return NULL;
}
