#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The first row whose limit is above the magnitude gives the digits after the point. */
struct step {
	double below;
	int decimals;
};

static int decimals_for(const struct step *steps, double value)
{
	const double magnitude = fabs(value);
	while (magnitude >= steps->below)
		steps++;
	return steps->decimals;
}

/* Limits sit where rounding would add a digit: 99.995 is shown as 100.0. */
static const struct step brief_steps[] = {
    {0.0995, 3},
    {99.995, 2},
    {999.95, 1},
    {INFINITY, 0},
};

const char *rs_number_brief(char out[RS_NUMBER_BYTES], double value)
{
	const int decimals = value == 0 ? 2 : decimals_for(brief_steps, value);
	if (fabs(value) >= 1e9)
		snprintf(out, RS_NUMBER_BYTES, "%.3e", value);
	else
		snprintf(out, RS_NUMBER_BYTES, "%.*f", decimals, value);
	return out;
}

static const struct step signed_steps[] = {
    {99.95, 1},
    {INFINITY, 0},
};

const char *rs_number_signed(char out[RS_NUMBER_BYTES], double value)
{
	if (fabs(value) >= 1e9)
		snprintf(out, RS_NUMBER_BYTES, "%+.3e", value);
	else
		snprintf(out, RS_NUMBER_BYTES, "%+.*f",
			 decimals_for(signed_steps, value), value);
	return out;
}

/*
 * %g drops trailing zeros, so 15 digits give the short form of every value that has
 * one; 17 always read back. Fewer than 15 would turn 100 into 1e+02.
 */
const char *rs_number_exact(char out[RS_NUMBER_BYTES], double value)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, RS_NUMBER_BYTES, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	return out;
}
