#include "report/report.h"

/* Assembled from report/schema/results.schema.json; ends in a NUL. */
extern const char rs_schema_bytes[];

const char *rs_schema_text(void)
{
	return rs_schema_bytes;
}
