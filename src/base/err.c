#include "src/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int rs_err_set(struct rs_err *err, int code, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	return code;
}

const char *rs_err_name(int errnum)
{
	static _Thread_local char unknown[24];
	const char *const name = strerrorname_np(errnum);
	if (name)
		return name;
	snprintf(unknown, sizeof(unknown), "errno %d", errnum);
	return unknown;
}
