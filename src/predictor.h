#ifndef SRC_PREDICTOR_H
#define SRC_PREDICTOR_H

/*
 * Presets of the link-stack model: one row a processor, each with its source. Built in
 * from arch/predictors.ini; a folder of the user's may add to them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"
#include "src/linkstack.h"

/* One [section]. The strings belong to the table. */
struct rs_predictor {
	char *name;   /* "power9" */
	char *text;   /* "POWER9, one thread of an SMT4 core" */
	char *cpus;   /* globs of CPU identities, separated by spaces; NULL: none */
	char *source; /* where the rules come from */
	char *note;   /* what of it is assumed or left out; NULL: nothing */
	struct rs_linkstack_rules rules;
	bool is_user; /* from the user's own folder */
};

struct rs_predictors {
	struct rs_predictor *rows; /* the user's first */
	size_t n_rows;
};

/*
 * All presets: DATA_DIR/predictors.ini, where data_dir is not NULL and it exists, then
 * those that are built in. A name of the user's hides the same name built in. Returns 0
 * or a negative errno with file and line in err. Free with rs_predictors_free, which
 * accepts an empty object.
 */
int rs_predictors_load(struct rs_predictors *out, const char *data_dir,
		       struct rs_err *err);
void rs_predictors_free(struct rs_predictors *table);

/* Adds the rows of one text; err has name and line. For the loader and for tests. */
int rs_predictors_add(struct rs_predictors *table, const char *name, const char *text,
		      size_t n_bytes, bool is_user, struct rs_err *err);

/* The preset of that name; NULL after a sentence that names the nearest. */
const struct rs_predictor *rs_predictors_find(const struct rs_predictors *table,
					      const char *name, struct rs_err *err);

/* The row that is used where none fits the processor. */
#define RS_PREDICTOR_DEFAULT "generic"

/*
 * The preset of a CPU by its identity ("POWER9/cpu", rs_cpu_identity of
 * events/events.h); the default where no row has it. NULL when neither is there, which
 * cannot be in a table of rs_predictors_load.
 */
const struct rs_predictor *rs_predictors_choose(const struct rs_predictors *table,
						const char *identity);

/* Whether it is the row that stands for processors that no row names. */
bool rs_predictor_is_default(const struct rs_predictor *preset);

#endif
