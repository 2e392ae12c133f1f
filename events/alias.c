#include "events/alias.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/ini.h"
#include "src/base/text.h"

struct meaning_row {
	const char *alias;
	enum rs_meaning meaning;
};

static const struct meaning_row meanings[] = {
    {"cycles", RS_MEANING_CYCLES},     {"instructions", RS_MEANING_INSTRUCTIONS},
    {"branches", RS_MEANING_BRANCHES}, {"branch-misses", RS_MEANING_BRANCH_MISSES},
    {"returns", RS_MEANING_RETURNS},   {"return-misses", RS_MEANING_RETURN_MISSES},
    {NULL, RS_MEANING_OTHER},
};

enum rs_meaning rs_alias_meaning(const char *alias)
{
	const struct meaning_row *row = meanings;
	while (row->alias && strcmp(row->alias, alias) != 0)
		row++;
	return row->meaning;
}

/* One file on its way into a table. */
struct load {
	struct rs_alias_table *table;
	bool is_user;
	bool has_section;
	char *source; /* of the rows that follow; owned by the table */
};

static int no_memory(struct rs_err *err)
{
	return rs_err_set(err, -ENOMEM, "not enough memory");
}

static void *grown(void *array, size_t n, size_t bytes)
{
	return reallocarray(array, n + 1, bytes);
}

/* The section of a line: the last one, or a new one when the heading changed. */
static struct rs_alias_section *section_of(struct load *load, const char *name)
{
	struct rs_alias_table *const table = load->table;
	if (load->has_section) {
		struct rs_alias_section *const last =
		    &table->sections[table->n_sections - 1];
		if (strcmp(last->name, name) == 0)
			return last;
	}
	struct rs_alias_section *const sections =
	    grown(table->sections, table->n_sections, sizeof(*sections));
	if (!sections)
		return NULL;
	table->sections = sections;
	struct rs_alias_section *const section = &sections[table->n_sections++];
	*section = (struct rs_alias_section){.is_user = load->is_user};
	rs_text_copy(section->name, sizeof(section->name), name);
	load->has_section = true;
	load->source = NULL;
	return section;
}

/* Appends value to a list of globs that are separated by spaces. */
static int add_globs(char **list, const char *value, struct rs_err *err)
{
	if (!*value)
		return rs_err_set(err, -EINVAL, "the list is empty");
	const size_t before = *list ? strlen(*list) : 0;
	char *const longer = realloc(*list, before + strlen(value) + 2);
	if (!longer)
		return no_memory(err);
	*list = longer;
	longer[before] = ' ';
	strcpy(longer + before + (before ? 1 : 0), value);
	return 0;
}

static int set_source(struct load *load, const char *value, struct rs_err *err)
{
	if (!*value)
		return rs_err_set(err, -EINVAL, "the source is empty");
	struct rs_alias_table *const table = load->table;
	char **const sources =
	    grown(table->sources, table->n_sources, sizeof(*sources));
	if (!sources)
		return no_memory(err);
	table->sources = sources;
	char *const copy = strdup(value);
	if (!copy)
		return no_memory(err);
	sources[table->n_sources++] = copy;
	load->source = copy;
	return 0;
}

/* Cuts the next field, up to a '|', off *rest and trims it. */
static char *next_field(char **rest)
{
	char *const field = *rest;
	char *const bar = strchr(field, '|');
	*rest = bar ? bar + 1 : field + strlen(field);
	char *end = bar ? bar : *rest;
	while (end > field && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	char *start = field;
	while (isspace((unsigned char)*start))
		start++;
	return start;
}

static bool is_raw(const char *event)
{
	const size_t digits =
	    strspn(event + (*event != '\0'), "0123456789abcdefABCDEF");
	return event[0] == 'r' && digits > 0 && digits <= 16 &&
	       event[1 + digits] == '\0';
}

static enum rs_alias_kind kind_of(const char *event)
{
	if (event[0] == '@')
		return RS_ALIAS_OTHER;
	if (strcmp(event, "none") == 0)
		return RS_ALIAS_NONE;
	return is_raw(event) ? RS_ALIAS_RAW : RS_ALIAS_EVENT;
}

static int fill_row(struct rs_alias_row *row, char *text, struct rs_err *err)
{
	char *const event = next_field(&text);
	char *code = next_field(&text);
	const char *note = next_field(&text);
	if (!*event)
		return rs_err_set(err, -EINVAL, "'%s' has no event", row->alias);
	row->kind = kind_of(event);
	if (*code && strncmp(code, "0x", 2) != 0 && !*note) {
		note = code;
		code = text;
	}
	if (*code && rs_text_u64(code, 0, UINT64_MAX, &row->code))
		return rs_err_set(err, -EINVAL, "'%s' is not a code such as 0x08c5",
				  code);
	row->has_code = *code != '\0';
	if (row->kind == RS_ALIAS_RAW) {
		row->code = strtoull(event + 1, NULL, 16);
		row->has_code = true;
	}
	if (row->kind == RS_ALIAS_NONE && !*note)
		return rs_err_set(err, -EINVAL, "'none' needs a reason: none | REASON");
	const char *const name = row->kind == RS_ALIAS_OTHER ? event + 1 : event;
	if (!rs_text_copy(row->event, sizeof(row->event), name) ||
	    !rs_text_copy(row->note, sizeof(row->note), note))
		return rs_err_set(err, -EINVAL, "the event or its note is too long");
	return 0;
}

static int add_row(struct load *load, const struct rs_ini_line *line,
		   struct rs_err *err)
{
	struct rs_alias_table *const table = load->table;
	struct rs_alias_row row = {
	    .source = load->source,
	    .section = table->n_sections - 1,
	};
	if (!load->source)
		return rs_err_set(err, -EINVAL, "'%s' has no 'source =' line above it",
				  line->key);
	if (!rs_text_copy(row.alias, sizeof(row.alias), line->key))
		return rs_err_set(err, -EINVAL, "the name is too long");
	char text[256];
	if (!rs_text_copy(text, sizeof(text), line->value))
		return rs_err_set(err, -EINVAL, "the line is too long");
	const int ret = fill_row(&row, text, err);
	if (ret)
		return ret;
	struct rs_alias_row *const rows =
	    grown(table->rows, table->n_rows, sizeof(*rows));
	if (!rows)
		return no_memory(err);
	table->rows = rows;
	rows[table->n_rows++] = row;
	return 0;
}

static int take(void *user, const struct rs_ini_line *line, struct rs_err *err)
{
	struct load *const load = user;
	if (!*line->section)
		return rs_err_set(err, -EINVAL, "'%s' stands before any [section]",
				  line->key);
	struct rs_alias_section *const section = section_of(load, line->section);
	if (!section)
		return no_memory(err);
	if (strcmp(line->key, "pmu") == 0)
		return add_globs(&section->pmus, line->value, err);
	if (strcmp(line->key, "cpu") == 0)
		return add_globs(&section->cpus, line->value, err);
	if (strcmp(line->key, "source") == 0)
		return set_source(load, line->value, err);
	if (!section->pmus && !section->cpus)
		return rs_err_set(err, -EINVAL,
				  "section [%s] has no 'pmu =' or 'cpu =' line above "
				  "its first event",
				  section->name);
	return add_row(load, line, err);
}

int rs_alias_table_add(struct rs_alias_table *table, const char *name, const char *text,
		       size_t n_bytes, bool is_user, struct rs_err *err)
{
	struct load load = {.table = table, .is_user = is_user};
	return rs_ini_parse(name, text, n_bytes, take, &load, err);
}

/* Whether any of the globs, separated by white space, matches text. */
static bool any_glob(const char *globs, const char *text)
{
	if (!globs)
		return false;
	while (*globs) {
		globs += strspn(globs, " \t");
		const size_t length = strcspn(globs, " \t");
		char glob[128];
		if (length > 0 && length < sizeof(glob)) {
			memcpy(glob, globs, length);
			glob[length] = '\0';
			if (rs_text_glob(glob, text))
				return true;
		}
		globs += length;
	}
	return false;
}

bool rs_alias_section_has_pmu(const struct rs_alias_section *section,
			      const char *pfm_pmu)
{
	return any_glob(section->pmus, pfm_pmu);
}

bool rs_alias_section_fits(const struct rs_alias_section *section,
			   const struct rs_machine *machine)
{
	return any_glob(section->pmus, machine->pfm_pmu) ||
	       any_glob(section->cpus, machine->identity);
}

/* A collection of candidates under way. */
struct search {
	const struct rs_alias_table *table;
	const struct rs_machine *machine;
	const struct rs_alias_row **rows;
	const struct rs_alias_row **stands_in;
	size_t max;
	size_t n;
	const struct rs_alias_row *none;
};

/*
 * The first section that speaks of the alias decides: a general section must not add
 * candidates behind what a specific one lists. Stand-ins nest one level: a row "@x"
 * found while looking up a stand-in is passed over.
 */
static void collect(struct search *search, const char *alias,
		    const struct rs_alias_row *stand_in)
{
	const struct rs_alias_table *const table = search->table;
	size_t section = SIZE_MAX;
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct rs_alias_row *const row = &table->rows[i];
		if (strcmp(row->alias, alias) != 0 ||
		    (section != SIZE_MAX && row->section != section) ||
		    !rs_alias_section_fits(&table->sections[row->section],
					   search->machine))
			continue;
		section = row->section;
		if (row->kind == RS_ALIAS_NONE) {
			search->none = row;
			return;
		}
		if (row->kind == RS_ALIAS_OTHER) {
			if (!stand_in)
				collect(search, row->event, row);
			continue;
		}
		if (search->n == search->max)
			return;
		search->rows[search->n] = row;
		search->stands_in[search->n++] = stand_in;
	}
}

size_t rs_alias_candidates(const struct rs_alias_table *table, const char *alias,
			   const struct rs_machine *machine,
			   const struct rs_alias_row **rows,
			   const struct rs_alias_row **stands_in, size_t max,
			   const struct rs_alias_row **none)
{
	struct search search = {
	    .table = table,
	    .machine = machine,
	    .rows = rows,
	    .stands_in = stands_in,
	    .max = max,
	};
	collect(&search, alias, NULL);
	*none = search.none;
	return search.n;
}

static bool is_listed(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

const char **rs_alias_names(const struct rs_alias_table *table)
{
	const char **const names = calloc(table->n_rows + 1, sizeof(*names));
	if (!names)
		return NULL;
	size_t n = 0;
	for (size_t i = 0; i < table->n_rows; i++)
		if (!is_listed(names, n, table->rows[i].alias))
			names[n++] = table->rows[i].alias;
	return names;
}
