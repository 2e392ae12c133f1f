#ifndef SRC_FACT_LIST_H
#define SRC_FACT_LIST_H

#include <stddef.h>

#include "src/model.h"

/* Facts that own their strings. Start from an empty object. */
struct rs_facts {
	struct rs_fact *rows;
	size_t n_rows;
	int code; /* 0, or -ENOMEM once a fact could not be kept */
};

/* Copies the three strings. value NULL: unknown, and note says why. */
void rs_facts_add(struct rs_facts *facts, const char *name, const char *value,
		  const char *note);

/* A known value, printed; note may be NULL. */
void rs_facts_print(struct rs_facts *facts, const char *name, const char *note,
		    const char *value_fmt, ...) __attribute__((format(printf, 4, 5)));

/* The value of a fact; NULL when it is unknown or not there. */
const char *rs_facts_value(const struct rs_facts *facts, const char *name);

void rs_facts_free(struct rs_facts *facts);

#endif
