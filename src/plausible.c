#include "src/plausible.h"

/*
 * Emulated PMUs of POWER9 guests were seen within 0.5 % of the known counts; the band
 * leaves room for interrupts that return to user mode. Reading the counters itself
 * executes some hundred user instructions, paid once a repetition.
 */
#define BAND          0.02
#define READING_COUNT 3000.0

/* No core retires more a cycle, and none runs faster than 10 GHz. */
#define MAX_PER_CYCLE 16.0
#define MIN_CYCLE_NS  0.1

static bool is_within(double per_call, double known, bool is_exact, double calls)
{
	if (per_call < known * (1 - BAND))
		return false;
	return !is_exact || per_call <= known * (1 + BAND) + READING_COUNT / calls;
}

bool rs_is_plausible(enum rs_meaning meaning, const struct rs_expected *expected,
		     double per_call, double calls)
{
	if (!expected->known)
		return true;
	const double min_cycles = expected->instructions / MAX_PER_CYCLE;
	switch (meaning) {
	case RS_MEANING_INSTRUCTIONS:
		return is_within(per_call, expected->instructions, expected->is_exact,
				 calls);
	case RS_MEANING_BRANCHES:
		return is_within(per_call, expected->branches, expected->is_exact,
				 calls);
	case RS_MEANING_RETURNS:
		return is_within(per_call, expected->returns, expected->is_exact,
				 calls);
	case RS_MEANING_BRANCH_MISSES:
	case RS_MEANING_RETURN_MISSES:
		return !expected->is_exact ||
		       per_call <=
			   expected->branches * (1 + BAND) + READING_COUNT / calls;
	case RS_MEANING_CYCLES:
		return per_call >= min_cycles;
	case RS_MEANING_NS:
		return per_call >= min_cycles * MIN_CYCLE_NS;
	case RS_MEANING_TICKS:
	case RS_MEANING_OTHER:
		break;
	}
	return true;
}
