#include "src/shadow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How far a return looks for its call: beyond, longjmp() and exceptions are rare. */
#define MAX_LOOK 4096U

/*
 * A stack pointer that is farther off is that of another stack: a signal handler's, a
 * coroutine's.
 */
#define MAX_FRAME_BYTES (UINT64_C(1) << 20)

static int make_room(struct rs_shadow *shadow)
{
	if (shadow->n_calls < shadow->max_calls)
		return 0;
	if (shadow->max_calls == RS_SHADOW_MAX_CALLS) {
		const uint32_t half = RS_SHADOW_MAX_CALLS / 2;
		memmove(shadow->calls, shadow->calls + half,
			(shadow->n_calls - half) * sizeof(*shadow->calls));
		shadow->n_calls -= half;
		shadow->n_forgotten += half;
		return 0;
	}
	const uint32_t max = shadow->max_calls ? 2 * shadow->max_calls : 64;
	struct rs_shadow_call *const grown =
	    reallocarray(shadow->calls, max, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	shadow->calls = grown;
	shadow->max_calls = max;
	return 0;
}

/* Takes off the newest call. What was in flight above it was also above the one below;
 * so was itself, n_itself being 1, unless it was no call that is nested in that. */
static struct rs_shadow_call take_top(struct rs_shadow *shadow, uint32_t n_itself)
{
	const struct rs_shadow_call top = shadow->calls[--shadow->n_calls];
	if (shadow->n_calls) {
		struct rs_shadow_call *const below =
		    &shadow->calls[shadow->n_calls - 1];
		if (below->peak < top.peak + n_itself)
			below->peak = top.peak + n_itself;
	}
	return top;
}

static void drop_top(struct rs_shadow *shadow)
{
	const struct rs_shadow_call top = take_top(shadow, 0);
	shadow->drop(shadow->user, top.site);
}

/*
 * A stack grows down, and a call in memory takes room on it: the frame of an older call
 * is gone where the new one is not below it. One that keeps its return address in a
 * register takes none, so the same stack pointer tells only of the same call.
 */
static bool is_gone(const struct rs_shadow *shadow, const struct rs_shadow_call *call,
		    uint64_t address, uint64_t stack)
{
	if (!call->stack || !stack || stack < call->stack ||
	    stack - call->stack > MAX_FRAME_BYTES)
		return false;
	return stack > call->stack || shadow->is_in_memory || call->address == address;
}

int rs_shadow_push(struct rs_shadow *shadow, uint64_t address, uint64_t stack,
		   uint32_t site)
{
	while (shadow->n_calls &&
	       is_gone(shadow, &shadow->calls[shadow->n_calls - 1], address, stack))
		drop_top(shadow);
	const int ret = make_room(shadow);
	if (ret)
		return ret;
	shadow->calls[shadow->n_calls++] =
	    (struct rs_shadow_call){.address = address, .stack = stack, .site = site};
	const uint64_t depth = shadow->n_forgotten + shadow->n_calls;
	if (depth > shadow->deepest)
		shadow->deepest = depth;
	return 0;
}

bool rs_shadow_pop(struct rs_shadow *shadow, uint64_t target,
		   struct rs_shadow_call *out)
{
	uint32_t above = 0;
	while (above < shadow->n_calls && above < MAX_LOOK &&
	       shadow->calls[shadow->n_calls - 1 - above].address != target)
		above++;
	if (above == shadow->n_calls || above == MAX_LOOK)
		return false;
	while (above--)
		drop_top(shadow);
	*out = take_top(shadow, 1);
	return true;
}

void rs_shadow_clear(struct rs_shadow *shadow)
{
	shadow->n_calls = 0;
	shadow->n_forgotten = 0;
}

void rs_shadow_free(struct rs_shadow *shadow)
{
	free(shadow->calls);
	*shadow = (struct rs_shadow){.calls = NULL};
}
