#ifndef SRC_LOAD_PARTS_H
#define SRC_LOAD_PARTS_H

/* What the readers of the kinds of files share: results that grow entry by entry. */

#include <stdint.h>
#include <stdio.h>

#include "src/load.h"

/* One valid reading, with the repetition that it is of. */
struct rs_observation {
	uint32_t row;
	uint32_t metric;
	uint32_t placement;
	uint32_t block;
	uint32_t order;
	uint32_t
	    nth; /* among those that agree in all of the above; filled at the end */
	const char *rejected; /* NULL: kept */
	uint64_t calls;
	uint64_t value;
	size_t sequence;
};

struct rs_loading {
	struct rs_loaded *out;
	struct rs_observation *observations;
	size_t n_observations;
	size_t observation_capacity;
	size_t row_capacity;
	size_t metric_capacity;
	size_t summary_capacity;
	size_t text_capacity;
};

/* Each returns 0 or -ENOMEM or, where there are too many, -E2BIG. */

/* A copy of text that lives as long as the results; NULL for NULL. */
int rs_loading_text(struct rs_loading *loading, const char *text, const char **copy);

/* The row of that key: found, or added as role says. */
int rs_loading_row(struct rs_loading *loading, const struct rs_row *key, size_t *index);

/* The metric of that name: found, or added. */
int rs_loading_metric(struct rs_loading *loading, const struct rs_metric *key,
		      size_t *index);

/* summary's texts are borrowed. */
int rs_loading_summary(struct rs_loading *loading, const struct rs_summary *summary);

int rs_loading_observe(struct rs_loading *loading,
		       const struct rs_observation *observation);

/* What a CSV file leaves to the variant's name. */
enum rs_row_role rs_role_of_variant(const char *variant);

/* "rejected:WHY" and the names of statuses; -EINVAL for any other word. */
int rs_status_parse(const char *word, enum rs_status *status);

/* The readers. file is at its first byte; name is for sentences. */
int rs_load_csv(struct rs_loading *loading, FILE *file, const char *name,
		struct rs_err *err);
int rs_load_json(struct rs_loading *loading, FILE *file, const char *name,
		 struct rs_err *err);
int rs_load_perf_csv(struct rs_loading *loading, FILE *file, const char *name,
		     struct rs_err *err);

/*
 * One event of a perf stat run. value and running_pct are as perf writes them. Returns
 * 0 or a negative errno, -EINVAL where value is no count.
 */
struct rs_perf_line {
	const char *event;
	const char *value;
	const char *unit;
	const char *running_pct; /* "" or NULL: all of the time */
};

int rs_loading_perf(struct rs_loading *loading, const struct rs_perf_line *line);

#endif
