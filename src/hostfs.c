#include "src/hostfs.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/file.h"
#include "src/base/text.h"

#define MAX_BYTES ((size_t)16 << 20) /* /proc/cpuinfo of 8192 CPUs fits */

static const char *root = "";

void rs_hostfs_set_root(const char *new_root)
{
	root = new_root;
}

int rs_hostfs_text(char *out, size_t size, const char *path_fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	va_start(args, path_fmt);
	const int wanted = vsnprintf(path, sizeof(path), path_fmt, args);
	va_end(args);
	out[0] = '\0';
	if (wanted < 0 || (size_t)wanted >= sizeof(path))
		return -ENAMETOOLONG;
	return rs_file_read_text(out, size, "%s%s", root, path);
}

static bool rooted(char path[PATH_MAX], const char *name)
{
	return rs_text_copy(path, PATH_MAX, root) &&
	       rs_text_append(path, PATH_MAX, "%s", name);
}

char *rs_hostfs_all(const char *path)
{
	char full[PATH_MAX];
	char *text = NULL;
	size_t n_bytes = 0;
	if (!rooted(full, path) || rs_file_read_all(full, MAX_BYTES, &text, &n_bytes))
		return NULL;
	return text;
}

int rs_hostfs_link(char *out, size_t size, const char *path)
{
	char full[PATH_MAX];
	out[0] = '\0';
	if (!rooted(full, path))
		return -ENAMETOOLONG;
	const ssize_t n = readlink(full, out, size - 1);
	if (n < 0)
		return -errno;
	out[n] = '\0';
	return (int)n;
}

#define BLANKS " \t"

/* Where the value of a line starts, NULL when the line has another key. */
static const char *value_of_line(const char *line, const char *key)
{
	const size_t length = strlen(key);
	if (strncmp(line, key, length) != 0)
		return NULL;
	line += length;
	line += strspn(line, BLANKS);
	if (*line != ':')
		return NULL;
	line++;
	return line + strspn(line, BLANKS);
}

bool rs_hostfs_field(const char *text, const char *key, char *out, size_t size)
{
	for (const char *line = text; line && *line;) {
		const char *const value = value_of_line(line, key);
		if (value) {
			size_t length = strcspn(value, "\n");
			while (length > 0 && strchr(BLANKS, value[length - 1]))
				length--;
			snprintf(out, size, "%.*s", (int)length, value);
			return true;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	out[0] = '\0';
	return false;
}

bool rs_hostfs_has_word(const char *list, const char *word, const char *separators)
{
	const size_t length = strlen(word);
	for (const char *at = list; *at;) {
		at += strspn(at, separators);
		const size_t found = strcspn(at, separators);
		if (found == length && strncmp(at, word, length) == 0)
			return true;
		at += found;
	}
	return false;
}
