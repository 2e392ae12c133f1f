#include "src/predictor.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "src/base/file.h"
#include "src/base/ini.h"
#include "src/base/text.h"

#define FILE_MAX_BYTES (1U << 20)

/* One file on its way into a table. */
struct load {
	struct rs_predictors *table;
	size_t first;      /* of this file's rows */
	unsigned int seen; /* bit i: keys[i] was given in this section */
	bool is_user;
};

struct key {
	const char *name;
	int (*take)(struct rs_predictor *row, const char *value, struct rs_err *err);
	bool is_needed;
	bool may_go_on; /* given again, the text goes on */
};

static int no_memory(struct rs_err *err)
{
	return rs_err_set(err, -ENOMEM, "not enough memory");
}

static int go_on(char **text, const char *value, struct rs_err *err)
{
	if (!*value)
		return rs_err_set(err, -EINVAL, "the text is empty");
	char *longer = NULL;
	if (asprintf(&longer, "%s%s%s", *text ? *text : "", *text ? " " : "", value) <
	    0)
		return no_memory(err);
	free(*text);
	*text = longer;
	return 0;
}

static int take_text(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	return go_on(&row->text, value, err);
}

static int take_cpus(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	return go_on(&row->cpus, value, err);
}

static int take_source(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	return go_on(&row->source, value, err);
}

static int take_note(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	return go_on(&row->note, value, err);
}

static int take_number(const char *value, uint32_t *out, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	uint64_t number = 0;
	if (rs_text_u64(value, 1, RS_LINKSTACK_MAX_ENTRIES, &number))
		return rs_err_set(err, -EINVAL, "'%s' is not a number from 1 to %u",
				  rs_text_clip(clip, value), RS_LINKSTACK_MAX_ENTRIES);
	*out = (uint32_t)number;
	return 0;
}

static int take_entries(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	return take_number(value, &row->rules.entries, err);
}

static int take_merge(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	return take_number(value, &row->rules.merge, err);
}

/* A word of an enum by its names, which end in NULL; its value, or -EINVAL. */
static int word_of(const char *value, const char *(*name)(unsigned int),
		   struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	unsigned int i = 0;
	for (; name(i); i++) {
		if (strcmp(value, name(i)) == 0)
			return (int)i;
	}
	rs_err_set(err, -EINVAL, "'%s' is none of", rs_text_clip(clip, value));
	for (i = 0; name(i); i++)
		rs_text_append(err->text, sizeof(err->text), " %s", name(i));
	return -EINVAL;
}

static const char *overflow_word(unsigned int i)
{
	return rs_overflow_name((enum rs_overflow)i);
}

static const char *underflow_word(unsigned int i)
{
	return rs_underflow_name((enum rs_underflow)i);
}

static const char *linkreg_word(unsigned int i)
{
	return rs_linkreg_name((enum rs_linkreg)i);
}

static const char *exempt_word(unsigned int i)
{
	return rs_exempt_name(1U << i);
}

static int take_overflow(struct rs_predictor *row, const char *value,
			 struct rs_err *err)
{
	const int word = word_of(value, overflow_word, err);
	if (word >= 0)
		row->rules.overflow = (enum rs_overflow)word;
	return word < 0 ? word : 0;
}

static int take_underflow(struct rs_predictor *row, const char *value,
			  struct rs_err *err)
{
	const int word = word_of(value, underflow_word, err);
	if (word >= 0)
		row->rules.underflow = (enum rs_underflow)word;
	return word < 0 ? word : 0;
}

static int take_link(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	const int word = word_of(value, linkreg_word, err);
	if (word >= 0)
		row->rules.linkreg = (enum rs_linkreg)word;
	return word < 0 ? word : 0;
}

/* "none", or words of rs_exempt_name. */
static int take_exempt(struct rs_predictor *row, const char *value, struct rs_err *err)
{
	char words[128];
	char *rest = words;
	row->rules.exempt = 0;
	if (!rs_text_copy(words, sizeof(words), value))
		return rs_err_set(err, -EINVAL, "the list is too long");
	if (strcmp(value, "none") == 0)
		return 0;
	if (!*value)
		return rs_err_set(err, -EINVAL, "the list is empty; say 'none'");
	for (const char *word; (word = strsep(&rest, " "));) {
		const int bit = *word ? word_of(word, exempt_word, err) : 0;
		if (bit < 0)
			return bit;
		if (*word)
			row->rules.exempt |= 1U << bit;
	}
	return 0;
}

static const struct key keys[] = {
    {.name = "text", .take = take_text, .is_needed = true, .may_go_on = true},
    {.name = "cpus", .take = take_cpus, .may_go_on = true},
    {.name = "entries", .take = take_entries, .is_needed = true},
    {.name = "overflow", .take = take_overflow, .is_needed = true},
    {.name = "underflow", .take = take_underflow, .is_needed = true},
    {.name = "merge", .take = take_merge},
    {.name = "exempt", .take = take_exempt},
    {.name = "link", .take = take_link},
    {.name = "source", .take = take_source, .is_needed = true, .may_go_on = true},
    {.name = "note", .take = take_note, .may_go_on = true},
    {0},
};

static void free_row(struct rs_predictor *row)
{
	free(row->name);
	free(row->text);
	free(row->cpus);
	free(row->source);
	free(row->note);
}

static struct rs_predictor *row_of(const struct rs_predictors *table, size_t first,
				   const char *name)
{
	for (size_t i = first; i < table->n_rows; i++) {
		if (strcmp(table->rows[i].name, name) == 0)
			return &table->rows[i];
	}
	return NULL;
}

/* Whether the section that ends has all that it needs. */
static int check_complete(const struct load *load, struct rs_err *err)
{
	const struct rs_predictors *const table = load->table;
	if (table->n_rows == load->first)
		return 0;
	for (size_t i = 0; keys[i].name; i++) {
		if (keys[i].is_needed && !(load->seen & 1U << i))
			return rs_err_set(err, -EINVAL, "[%s] has no '%s =' line",
					  table->rows[table->n_rows - 1].name,
					  keys[i].name);
	}
	return 0;
}

static int begin_row(struct load *load, const char *name, struct rs_err *err)
{
	struct rs_predictors *const table = load->table;
	char clip[RS_CLIP_BYTES];
	const int ret = check_complete(load, err);
	if (ret)
		return ret;
	if (row_of(table, load->first, name))
		return rs_err_set(err, -EINVAL, "there is a section [%s] already",
				  rs_text_clip(clip, name));
	struct rs_predictor *const rows =
	    reallocarray(table->rows, table->n_rows + 1, sizeof(*rows));
	if (!rows)
		return no_memory(err);
	table->rows = rows;
	char *const copy = strdup(name);
	if (!copy)
		return no_memory(err);
	rows[table->n_rows++] = (struct rs_predictor){
	    .name = copy,
	    .is_user = load->is_user,
	    .rules = {.merge = 1, .exempt = RS_EXEMPT_ISA},
	};
	load->seen = 0;
	return 0;
}

static int take_line(void *user, const struct rs_ini_line *line, struct rs_err *err)
{
	struct load *const load = user;
	const struct rs_predictors *const table = load->table;
	char clip[RS_CLIP_BYTES];
	if (!*line->section)
		return rs_err_set(err, -EINVAL, "'%s' stands before any [section]",
				  rs_text_clip(clip, line->key));
	int ret = 0;
	if (table->n_rows == load->first ||
	    strcmp(table->rows[table->n_rows - 1].name, line->section) != 0)
		ret = begin_row(load, line->section, err);
	if (ret)
		return ret;
	for (size_t i = 0; keys[i].name; i++) {
		if (strcmp(keys[i].name, line->key) != 0)
			continue;
		if (load->seen & 1U << i && !keys[i].may_go_on)
			return rs_err_set(err, -EINVAL, "[%s] has a '%s' already",
					  line->section, line->key);
		load->seen |= 1U << i;
		return keys[i].take(&table->rows[table->n_rows - 1], line->value, err);
	}
	return rs_err_set(err, -EINVAL, "a preset has no '%s'",
			  rs_text_clip(clip, line->key));
}

/* The user's row of a name stands for the one that is built in. */
static void drop_hidden(struct rs_predictors *table, size_t first)
{
	const struct rs_predictors users = {.rows = table->rows, .n_rows = first};
	size_t n = first;
	for (size_t i = first; i < table->n_rows; i++) {
		struct rs_predictor *const row = &table->rows[i];
		if (row_of(&users, 0, row->name))
			free_row(row);
		else
			table->rows[n++] = *row;
	}
	table->n_rows = n;
}

int rs_predictors_add(struct rs_predictors *table, const char *name, const char *text,
		      size_t n_bytes, bool is_user, struct rs_err *err)
{
	struct load load = {
	    .table = table,
	    .first = table->n_rows,
	    .is_user = is_user,
	};
	struct rs_err why;
	if (memchr(text, '\0', n_bytes))
		return rs_err_set(err, -EINVAL, "%s: not a text file", name);
	int ret = rs_ini_parse(name, text, n_bytes, take_line, &load, err);
	if (ret)
		return ret;
	ret = check_complete(&load, &why);
	if (ret)
		return rs_err_set(err, ret, "%s: %s", name, why.text);
	drop_hidden(table, load.first);
	return 0;
}

/* A folder without predictors.ini is one that holds other tables only. */
static int load_user(struct rs_predictors *table, const char *data_dir,
		     struct rs_err *err)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof(path), "%s/predictors.ini", data_dir) >=
	    (int)sizeof(path))
		return rs_err_set(err, -ENAMETOOLONG,
				  "the data folder's name is too long");
	char *text = NULL;
	size_t n_bytes = 0;
	int ret = rs_file_read_all(path, FILE_MAX_BYTES, &text, &n_bytes);
	if (ret == -ENOENT && access(data_dir, F_OK) == 0)
		return 0;
	if (ret)
		return rs_err_set(err, ret, "cannot read the presets in %s: %s", path,
				  strerror(-ret));
	ret = rs_predictors_add(table, path, text, n_bytes, true, err);
	free(text);
	return ret;
}

int rs_predictors_load(struct rs_predictors *out, const char *data_dir,
		       struct rs_err *err)
{
	*out = (struct rs_predictors){0};
	int ret = data_dir ? load_user(out, data_dir, err) : 0;
	const char *const text = rs_predictors_text();
	if (!ret)
		ret = rs_predictors_add(out, "predictors.ini", text, strlen(text),
					false, err);
	if (ret)
		rs_predictors_free(out);
	return ret;
}

void rs_predictors_free(struct rs_predictors *table)
{
	for (size_t i = 0; i < table->n_rows; i++)
		free_row(&table->rows[i]);
	free(table->rows);
	*table = (struct rs_predictors){0};
}

const struct rs_predictor *rs_predictors_find(const struct rs_predictors *table,
					      const char *name, struct rs_err *err)
{
	const struct rs_predictor *const row = row_of(table, 0, name);
	if (row)
		return row;
	char clip[RS_CLIP_BYTES];
	const char **const names = calloc(table->n_rows + 1, sizeof(*names));
	for (size_t i = 0; names && i < table->n_rows; i++)
		names[i] = table->rows[i].name;
	const char *const nearest = names ? rs_text_nearest(name, names) : NULL;
	rs_err_set(err, -EINVAL,
		   "there is no preset '%s'%s%s%s; `retstack list presets' shows them",
		   rs_text_clip(clip, name), nearest ? "; did you mean '" : "",
		   nearest ? nearest : "", nearest ? "'" : "");
	free(names);
	return NULL;
}

static bool is_for(const struct rs_predictor *row, const char *identity)
{
	const char *glob = row->cpus;
	while (glob && *glob) {
		char one[256];
		const size_t length = strcspn(glob, " ");
		snprintf(one, sizeof(one), "%.*s", (int)length, glob);
		if (*one && rs_text_glob(one, identity))
			return true;
		glob += length + strspn(glob + length, " ");
	}
	return false;
}

const struct rs_predictor *rs_predictors_choose(const struct rs_predictors *table,
						const char *identity)
{
	for (size_t i = 0; i < table->n_rows; i++) {
		if (is_for(&table->rows[i], identity))
			return &table->rows[i];
	}
	return row_of(table, 0, RS_PREDICTOR_DEFAULT);
}

bool rs_predictor_is_default(const struct rs_predictor *preset)
{
	return strcmp(preset->name, RS_PREDICTOR_DEFAULT) == 0;
}
