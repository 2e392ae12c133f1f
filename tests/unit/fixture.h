#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

/*
 * A machine described by files below a temporary folder. Included by a test after
 * cmocka.h; every function of it is used by each test that includes it.
 */

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/hostfs.h"

/* A file of a described machine; "->TARGET" is a symbolic link. */
struct fixture_file {
	const char *path; /* NULL ends a list */
	const char *text;
};

#define FIXTURE(where, what)                                                           \
	{                                                                              \
		.path = (where), .text = (what)                                        \
	}
#define END_OF_FIXTURES FIXTURE(NULL, NULL)

static char root[PATH_MAX];

static void remove_tree(void)
{
	char command[PATH_MAX + 32];
	snprintf(command, sizeof(command), "rm -rf -- '%s'", root);
	assert_int_equal(system(command), 0);
}

static void make_folders(char *path)
{
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

static void write_fixture(const struct fixture_file *file)
{
	char path[2 * PATH_MAX];
	snprintf(path, sizeof(path), "%s%s", root, file->path);
	make_folders(path);
	unlink(path);
	if (strncmp(file->text, "->", 2) == 0) {
		assert_int_equal(symlink(file->text + 2, path), 0);
		return;
	}
	FILE *const out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(file->text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void make_root(const struct fixture_file *files)
{
	const char *const folder = getenv("TMPDIR");
	snprintf(root, sizeof(root), "%s/rs-host-XXXXXX", folder ? folder : "/tmp");
	assert_non_null(mkdtemp(root));
	for (; files->path; files++)
		write_fixture(files);
	rs_hostfs_set_root(root);
}

#endif
