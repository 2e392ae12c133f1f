#ifndef TESTS_UNIT_EVENT_TREE_H
#define TESTS_UNIT_EVENT_TREE_H

/* Made-up /sys and /proc trees for the tests of events/. */

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "events/machine.h"

struct tree_file {
	const char *path; /* "sys/..." or "proc/..."; NULL ends the list */
	const char *text;
};

struct tree {
	char root[64];
	char sys[80];
	char proc[80];
	struct rs_roots roots;
};

static int tree_remove(const char *path, const struct stat *st, int type,
		       struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void tree_write(const char *root, const struct tree_file *file)
{
	char path[512];
	const int n = snprintf(path, sizeof(path), "%s/%s", root, file->path);
	for (int i = (int)strlen(root) + 1; i < n; i++) {
		if (path[i] != '/')
			continue;
		path[i] = '\0';
		mkdir(path, 0700);
		path[i] = '/';
	}
	FILE *const out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(file->text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

/* Makes the trees and puts them in force. */
static void tree_plant(struct tree *tree, const struct tree_file *files)
{
	strcpy(tree->root, "/tmp/rs-tree-XXXXXX");
	assert_non_null(mkdtemp(tree->root));
	snprintf(tree->sys, sizeof(tree->sys), "%s/sys", tree->root);
	snprintf(tree->proc, sizeof(tree->proc), "%s/proc", tree->root);
	mkdir(tree->sys, 0700);
	mkdir(tree->proc, 0700);
	for (; files->path; files++)
		tree_write(tree->root, files);
	tree->roots = (struct rs_roots){.sys = tree->sys, .proc = tree->proc};
	rs_roots_set(&tree->roots);
}

static void tree_fell(struct tree *tree)
{
	rs_roots_set(NULL);
	nftw(tree->root, tree_remove, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
