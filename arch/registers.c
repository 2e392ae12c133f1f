#include <stddef.h>

#include "arch/rows.h"

static const struct rs_registers *find(enum rs_touch touch)
{
	for (const struct rs_registers *r = rs_registers; r->touch; r++) {
		if (r->touch == touch)
			return r;
	}
	return NULL;
}

const char *rs_touch_missing(enum rs_touch touch)
{
	if (touch == RS_TOUCH_VDSO)
		return NULL;
	const struct rs_registers *const found = find(touch);
	if (!found)
		return "this instruction set has no such registers";
	return found->missing ? found->missing() : NULL;
}

const char *rs_fp_missing(void)
{
	return rs_touch_missing(RS_TOUCH_FP);
}

const char *rs_altivec_missing(void)
{
	return rs_touch_missing(RS_TOUCH_ALTIVEC);
}

const char *rs_vector_missing(void)
{
	return rs_touch_missing(RS_TOUCH_VECTOR);
}

void rs_touch(unsigned int touches)
{
	for (const struct rs_registers *r = rs_registers; r->touch; r++) {
		if (touches & r->touch)
			r->write();
	}
}
