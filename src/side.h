#ifndef SRC_SIDE_H
#define SRC_SIDE_H

/* One side of a comparison: a file's values per call, and how far they wander. */

#include "src/load.h"
#include "src/slots.h"

struct rs_side {
	const struct rs_loaded *file;
	struct rs_slots slots;
	double *values; /* of the last rs_side_gather; room for every slot */
};

/* Returns 0 or -ENOMEM; close in either case. */
int rs_side_open(struct rs_side *side, const struct rs_loaded *file,
		 struct rs_err *err);
void rs_side_close(struct rs_side *side);

/* The row with the workload, variant and depth of like; SIZE_MAX for none. */
size_t rs_row_find(const struct rs_results *results, const struct rs_row *like);

/*
 * The row that a control repeats: of its name without " again", in its workload;
 * SIZE_MAX for rows that are no control.
 */
size_t rs_row_repeated(const struct rs_results *results, size_t control);

/*
 * Puts into values what the row costs per call, net where the file has an empty loop;
 * returns how many they are.
 */
size_t rs_side_gather(const struct rs_side *side, size_t row, size_t metric);

/* Of the same, and of the gross values; NAN where there are none. */
double rs_side_median(const struct rs_side *side, size_t row, size_t metric);
double rs_side_gross_median(const struct rs_side *side, size_t row, size_t metric);

/* |difference| in per cent of base; 0 where base is not above 0. */
double rs_share_pct(double difference, double base);

/* The range of the placements' medians, in per cent of the row's median. */
double rs_side_spread_pct(const struct rs_side *side, size_t row, size_t metric);

/* How far the workload's baseline is from itself: the greatest of its controls. */
double rs_side_floor_pct(const struct rs_side *side, size_t row, size_t metric);

#endif
