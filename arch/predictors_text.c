#include "arch/arch.h"

/* Assembled from arch/predictors.ini; ends in a NUL. */
extern const char rs_predictors_bytes[];

const char *rs_predictors_text(void)
{
	return rs_predictors_bytes;
}
