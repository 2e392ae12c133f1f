#include "src/operand.h"

#include <stddef.h>
#include <string.h>

#include "src/clockid.h"
#include "src/partner.h"

static const struct rs_operand none[] = {{.name = NULL}};

/* The first is what the kernel's own benchmark asks for. */
static const struct rs_operand sizes[] = {
    {"4", 4},
    {"16", 16},
    {"32", 32},
    {"64", 64},
    {"256", 256},
    {"1024", 1024},
    {"4096", RS_MAX_OPERAND_BYTES},
    {.name = NULL},
};

/* Two that yield share a CPU: on two there is nothing to give up. */
static const struct rs_operand ways[] = {
    {"yield", RS_WAY_YIELD},
    {"pipe", RS_WAY_PIPE},
    {"futex", RS_WAY_FUTEX},
    {"pipe-2cpus", RS_WAY_PIPE | RS_WAY_APART},
    {"futex-2cpus", RS_WAY_FUTEX | RS_WAY_APART},
    {.name = NULL},
};

const struct rs_operand *rs_operands(const struct rs_workload *workload)
{
	if (workload->takes_clock)
		return rs_clocks();
	if (workload->takes_way)
		return ways;
	return workload->takes_bytes ? sizes : none;
}

const struct rs_operand *rs_operand_default(const struct rs_workload *workload)
{
	if (workload->takes_clock)
		return rs_clock_find("monotonic");
	const struct rs_operand *const first = rs_operands(workload);
	return first->name ? first : NULL;
}

const struct rs_operand *rs_operand_find(const struct rs_workload *workload,
					 const char *text)
{
	if (workload->takes_clock)
		return rs_clock_find(text);
	for (const struct rs_operand *o = rs_operands(workload); o->name; o++) {
		if (strcmp(o->name, text) == 0)
			return o;
	}
	return NULL;
}
