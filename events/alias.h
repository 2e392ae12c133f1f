#ifndef EVENTS_ALIAS_H
#define EVENTS_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"
#include "events/machine.h"

enum rs_alias_kind {
	RS_ALIAS_EVENT, /* a name for libpfm4, with the raw code beside it */
	RS_ALIAS_RAW,   /* a raw code alone */
	RS_ALIAS_OTHER, /* the candidates of another alias stand in for this one */
	RS_ALIAS_NONE,  /* no such event here; note is the reason */
};

/* One line of a table: a candidate for an alias on the PMUs of its section. */
struct rs_alias_row {
	enum rs_alias_kind kind;
	char alias[48];
	char event[96]; /* event name, "r08c5", or the other alias */
	char note[RS_EVENT_TEXT];
	bool has_code;
	uint64_t code;
	const char *source; /* where the code comes from */
	size_t section;
};

/* Which PMUs a section is for: lists of globs. */
struct rs_alias_section {
	char name[64];
	char *pmus;   /* of libpfm4 PMU names; NULL: none */
	char *cpus;   /* of machine identities; NULL: none */
	bool is_user; /* from the user's own folder */
};

struct rs_alias_table {
	struct rs_alias_section *sections;
	size_t n_sections;
	struct rs_alias_row *rows;
	size_t n_rows;
	char **sources; /* owned strings that rows point to */
	size_t n_sources;
};

/* A text that was built in. */
struct rs_alias_text {
	const char *name; /* "intel.ini"; NULL ends the list */
	const char *start;
	const char *end;
};
const struct rs_alias_text *rs_alias_texts(void);

/* Adds the rows of one text; err has name and line. For the loader and for tests. */
int rs_alias_table_add(struct rs_alias_table *table, const char *name, const char *text,
		       size_t n_bytes, bool is_user, struct rs_err *err);

/* Whether a section is for this machine; and the same with a given libpfm4 PMU. */
bool rs_alias_section_fits(const struct rs_alias_section *section,
			   const struct rs_machine *machine);
bool rs_alias_section_has_pmu(const struct rs_alias_section *section,
			      const char *pfm_pmu);

/*
 * The rows for alias on this machine, best first, with the rows of stand-in aliases in
 * place: at most max. Each is an EVENT or a RAW row. stands_in[i] is the row that
 * named the other alias, or NULL. Returns how many; 0 with *none set to the row that
 * says why there is none, or NULL where no row names the alias.
 */
size_t rs_alias_candidates(const struct rs_alias_table *table, const char *alias,
			   const struct rs_machine *machine,
			   const struct rs_alias_row **rows,
			   const struct rs_alias_row **stands_in, size_t max,
			   const struct rs_alias_row **none);

/* All names, each once, in the order of the tables; NULL after the last. The caller
 * frees the array but not the names. NULL on lack of memory. */
const char **rs_alias_names(const struct rs_alias_table *table);

/* What the name of an alias promises; OTHER for names without a meaning of that kind.
 */
enum rs_meaning rs_alias_meaning(const char *alias);

#endif
