#ifndef SRC_CELLS_H
#define SRC_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"
#include "src/model.h"

#define RS_CELLS_MAX_NOTES 12

/* A sheet that owns its texts. Zero-initialise; read sheet once it is finished. */
struct rs_cells {
	struct rs_sheet sheet;
	bool is_short; /* of memory: something could not be put */
	const char *notes[RS_CELLS_MAX_NOTES];
};

/* An empty sheet; columns are borrowed. */
void rs_cells_open(struct rs_cells *cells, const char *title,
		   const struct rs_sheet_column *columns, size_t n_columns,
		   size_t n_rows);
/* Lack of memory is remembered, for rs_cells_finish. One note too many is dropped. */
void rs_cells_put(struct rs_cells *cells, size_t row, size_t column, const char *fmt,
		  ...) __attribute__((format(printf, 4, 5)));
void rs_cells_note(struct rs_cells *cells, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns 0, or -ENOMEM where anything is missing. */
int rs_cells_finish(struct rs_cells *cells, struct rs_err *err);
/* Accepts an empty object and leaves it empty. */
void rs_cells_close(struct rs_cells *cells);

#endif
