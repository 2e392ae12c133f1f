#ifndef SRC_LOAD_H
#define SRC_LOAD_H

/* Result files back into what `run` had: CSV dumps, JSON, and the files of perf stat.
 */

#include "src/base/err.h"
#include "src/model.h"

/*
 * One file. results has rows, metrics, repetitions, and of JSON also facts, settings,
 * summaries and notes.
 */
struct rs_loaded {
	const char *path;
	const char *kind; /* "CSV dump", "JSON", "perf stat" */
	struct rs_results results;
	struct rs_metric_text *metric_texts; /* of summaries that were made here */
	size_t *empties; /* by row: the row of its workload's empty loop, or SIZE_MAX */
	char **texts;    /* every string of results */
	size_t n_texts;
};

/*
 * Reads the file at path ("-" is standard input), whichever kind it is. Columns and
 * keys go by name; columns that are not known are passed over. A control's variant is
 * "NAME again". Returns 0, or a negative errno with a sentence that names the file, and
 * the line where there is one. Free with rs_loaded_free, which takes zeroed objects.
 */
int rs_load(struct rs_loaded *out, const char *path, struct rs_err *err);
void rs_loaded_free(struct rs_loaded *loaded);

/*
 * Gives a file that has no summaries, such as a dump, those that `run` would have made
 * of its repetitions; a control names its table's baseline. Nothing is known there of
 * what the code executes, so no counter is distrusted. Returns 0 or a negative errno.
 */
int rs_loaded_summarise(struct rs_loaded *loaded, struct rs_err *err);

/* A fact of the host; NULL where the file does not tell it. */
const char *rs_loaded_fact(const struct rs_loaded *loaded, const char *name);

#endif
