/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tars from recipes in C tests: runs tar_recipe.py (Python 3), which explains the recipes.
 *
 *	char folder[] = RECIPE_FOLDER;
 *	recipe_build_all(folder, FIXTURES "/tar/good-names.recipe", ...);
 *	data = recipe_read(&len, folder, "NAME");	free(data)
 *	recipe_remove(folder);
 */
#ifndef MKROOTFS_TEST_TAR_RECIPE_H
#define MKROOTFS_TEST_TAR_RECIPE_H

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECIPE_FOLDER "/tmp/mkrootfs-recipe-XXXXXX"
#define RECIPE_TOOL FIXTURES "/../tests/support/tar_recipe.py"

/* Whether the tests can run at all; says so when not. */
static inline int recipe_available(void)
{
	if (system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'") == 0)
		return 1;
	fprintf(stderr, "SKIPPED: these tests need python3, 3.8 or later\n");
	return 0;
}

/* Makes the folder and builds the archives of all recipes (a shell pattern) into it. */
static inline void recipe_build_all(char *folder, const char *recipes)
{
	char command[4096];

	assert(mkdtemp(folder));
	snprintf(command, sizeof(command), "python3 '%s' %s -o '%s'", RECIPE_TOOL, recipes, folder);
	if (system(command) != 0) {
		fprintf(stderr, "failed: %s\n", command);
		abort();
	}
}

/* The whole of a file; the caller frees it. NULL when there is none. */
static inline uint8_t *recipe_read_file(size_t *len, const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long size;

	*len = 0;
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	data = malloc((size_t)size + 1);
	assert(data);
	*len = fread(data, 1, (size_t)size, file);
	data[*len] = '\0';
	fclose(file);
	return data;
}

static inline uint8_t *recipe_read(size_t *len, const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.tar", folder, name);
	return recipe_read_file(len, path);
}

static inline void recipe_remove(const char *folder)
{
	char command[4096];

	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	if (system(command) != 0)
		fprintf(stderr, "failed: %s\n", command);
}

#endif
