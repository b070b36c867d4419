/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a made-up machine, below the scratch directory (see unit.h and util/root.h). */
#ifndef LT_TESTS_TREE_H
#define LT_TESTS_TREE_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "unit.h"
#include "util/root.h"

static char tree_root[600];

static inline void tree_name(char *name, const char *path)
{
	assert_true(snprintf(name, PATH_MAX, "%s%s", tree_root, path) < PATH_MAX);
}

/* Makes the directories that lead to a name of the tree. */
static inline void tree_make_directories(const char *path)
{
	char name[PATH_MAX];

	tree_name(name, path);
	for (char *slash = name + strlen(tree_root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		assert_true(!mkdir(name, 0777) || errno == EEXIST);
		*slash = '/';
	}
}

static inline void tree_put_bytes(const char *path, const void *bytes, size_t n)
{
	char name[PATH_MAX];
	FILE *file;

	tree_make_directories(path);
	tree_name(name, path);
	file = fopen(name, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
}

/* A file with that text and a newline, made or replaced. */
static inline void tree_put(const char *path, const char *text)
{
	char line[8192];
	int n = snprintf(line, sizeof(line), "%s\n", text);

	assert_true(n > 0 && n < (int)sizeof(line));
	tree_put_bytes(path, line, (size_t)n);
}

static inline void tree_link(const char *path, const char *target)
{
	char name[PATH_MAX];

	tree_make_directories(path);
	tree_name(name, path);
	assert_int_equal(symlink(target, name), 0);
}

static inline void tree_remove(const char *path)
{
	char name[PATH_MAX];

	tree_name(name, path);
	assert_int_equal(unlink(name), 0);
}

static inline int tree_remove_entry(const char *name, const struct stat *st, int type,
				    struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(name);
}

/* For cmocka: an empty machine before a test, nothing of it after. */
static inline int tree_set_up(void **state)
{
	(void)state;
	snprintf(tree_root, sizeof(tree_root), "%s/root", unit_dir);
	if (mkdir(tree_root, 0777))
		return -1;
	root_set(tree_root);
	return 0;
}

static inline int tree_tear_down(void **state)
{
	(void)state;
	root_set(NULL);
	return nftw(tree_root, tree_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
