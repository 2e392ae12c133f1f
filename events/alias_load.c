#include "events/alias.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/file.h"
#include "src/base/text.h"

#define ALIAS_FILE_MAX (1u << 20)

/* Written by the build from events/alias/, in alphabetical order. */
extern const struct rs_alias_text rs_alias_text_rows[];

const struct rs_alias_text *rs_alias_texts(void)
{
	return rs_alias_text_rows;
}

static int ends_in_ini(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && rs_text_glob("*.ini", entry->d_name);
}

static int load_file(struct rs_alias_table *table, const char *path, struct rs_err *err)
{
	char *text = NULL;
	size_t n_bytes = 0;
	const int ret = rs_file_read_all(path, ALIAS_FILE_MAX, &text, &n_bytes);
	if (ret)
		return rs_err_set(err, ret, "cannot read alias table %s: %s", path,
				  strerror(-ret));
	int code = 0;
	if (memchr(text, '\0', n_bytes))
		code = rs_err_set(err, -EINVAL, "%s: not a text file", path);
	else
		code = rs_alias_table_add(table, path, text, n_bytes, true, err);
	free(text);
	return code;
}

/* A folder without alias/ is one that holds other tables only. */
static int load_folder(struct rs_alias_table *table, const char *data_dir,
		       struct rs_err *err)
{
	char folder[PATH_MAX];
	if (snprintf(folder, sizeof(folder), "%s/alias", data_dir) >=
	    (int)sizeof(folder))
		return rs_err_set(err, -ENAMETOOLONG,
				  "the data folder's name is too long");
	struct dirent **entries = NULL;
	const int n = scandir(folder, &entries, ends_in_ini, alphasort);
	if (n < 0 && errno == ENOENT && access(data_dir, F_OK) == 0)
		return 0;
	if (n < 0)
		return rs_err_set(err, -errno, "cannot list %s: %s", folder,
				  strerror(errno));
	int ret = 0;
	for (int i = 0; i < n; i++) {
		char path[PATH_MAX + 256];
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (!ret)
			ret = load_file(table, path, err);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

/* generic.ini fits every machine, so its sections must come last. */
static bool is_last(const char *name)
{
	return strcmp(name, "generic.ini") == 0;
}

static int load_built_in(struct rs_alias_table *table, bool last, struct rs_err *err)
{
	for (const struct rs_alias_text *text = rs_alias_texts(); text->name; text++) {
		if (is_last(text->name) != last)
			continue;
		const int ret =
		    rs_alias_table_add(table, text->name, text->start,
				       (size_t)(text->end - text->start), false, err);
		if (ret)
			return ret;
	}
	return 0;
}

int rs_alias_table_load(const char *data_dir, struct rs_alias_table **out,
			struct rs_err *err)
{
	*out = NULL;
	struct rs_alias_table *const table = calloc(1, sizeof(*table));
	if (!table)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory for the alias tables");
	int ret = data_dir ? load_folder(table, data_dir, err) : 0;
	if (!ret)
		ret = load_built_in(table, false, err);
	if (!ret)
		ret = load_built_in(table, true, err);
	if (ret) {
		rs_alias_table_free(table);
		return ret;
	}
	*out = table;
	return 0;
}

void rs_alias_table_free(struct rs_alias_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n_sections; i++) {
		free(table->sections[i].pmus);
		free(table->sections[i].cpus);
	}
	for (size_t i = 0; i < table->n_sources; i++)
		free(table->sources[i]);
	free(table->sections);
	free(table->rows);
	free(table->sources);
	free(table);
}
