#ifndef SRC_PROBE_SHEET_H
#define SRC_PROBE_SHEET_H

#include "src/probe.h"

/* What a probe found, for report/. */

#define RS_PROBE_COLUMNS    10
#define RS_PROBE_TEXT_BYTES 128
#define RS_PROBE_MAX_NOTES  4

struct rs_probe_sheet {
	struct rs_sheet sheet; /* one row a chain; points into the rest */
	const char *cells[RS_PROBE_MAX_CHAINS * RS_PROBE_COLUMNS];
	char texts[RS_PROBE_MAX_CHAINS][RS_PROBE_COLUMNS][RS_PROBE_TEXT_BYTES];
	char note_texts[RS_PROBE_MAX_NOTES][512];
	const char *notes[RS_PROBE_MAX_NOTES];
};

void rs_probe_sheet_make(struct rs_probe_sheet *out, const struct rs_probe *probe);

/* The medians over the processes of the first chain, in ticks per iteration. */
struct rs_probe_curve {
	double levels[RS_PROBE_MAX_LEVELS];
	double ticks[RS_PROBE_MAX_LEVELS];
	struct rs_curve curve; /* points into the rest */
};

void rs_probe_curve_make(struct rs_probe_curve *out, const struct rs_probe *probe);

/*
 * The points as results of a workload "probe.depth", so that its dumps are like those
 * of `run`: a row a chain and level, whose depth is the level; a block a process.
 * Returns 0 or -ENOMEM; free with rs_probe_results_free. Facts are the caller's.
 */
int rs_probe_results_make(struct rs_results *out, const struct rs_probe *probe,
			  struct rs_err *err);
void rs_probe_results_free(struct rs_results *results);

#endif
