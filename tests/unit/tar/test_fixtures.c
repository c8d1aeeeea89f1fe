/* SPDX-License-Identifier: Apache-2.0 */
/* Builds every archive of fixtures/tar and compares what the reader makes of it with the recipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>

#include "tar_listing.h"
#include "tar_recipe.h"

static char folder[] = RECIPE_FOLDER;

/* One byte at a time, around the block size, a page, and everything at once. */
static const size_t chunks[] = { 1, 7, 511, 512, 513, 1000, 4096, SIZE_MAX };

static int compare(const char *recipe, const char *name, const struct buf *expected)
{
	struct buf text = BUF_INIT(64 << 20);
	size_t len;
	uint8_t *data = recipe_read(&len, folder, name);
	int differ = 0;

	if (!data) {
		print_error("%s: no archive '%s' was built\n", recipe, name);
		return 1;
	}
	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		struct buf got = BUF_INIT(64 << 20);

		if (chunks[i] < 100 && len > 1 << 20)
			continue; /* nothing new, only slow */
		tar_listing(&got, data, len, chunks[i]);
		differ = listing_differs(&text, (char *)expected->data, (char *)got.data);
		buf_free(&got);
		if (differ) {
			print_error("%s, '%s', in chunks of %zu\n%s", recipe, name, chunks[i],
				    (char *)text.data);
			break;
		}
	}
	buf_free(&text);
	free(data);
	return differ;
}

/* "folder/good-names.recipe" is the archive good-names until a line "== NAME" says otherwise. */
static void name_of(char name[256], const char *recipe)
{
	const char *base = strrchr(recipe, '/') + 1;

	snprintf(name, 256, "%.*s", (int)(strlen(base) - strlen(".recipe")), base);
}

static int compare_recipe(const char *recipe)
{
	struct buf expected = BUF_INIT(64 << 20);
	struct mkrootfs_error error;
	char name[256], *line, *rest;
	size_t len;
	char *text = (char *)recipe_read_file(&len, recipe);
	int differ = 0, archives = 0;

	assert_non_null(text);
	assert_int_equal(buf_append(&expected, "", 0, &error), 0);
	name_of(name, recipe);
	for (rest = text; (line = strsep(&rest, "\n"));) {
		if (!strncmp(line, "#= ", 3))
			assert_int_equal(buf_printf(&expected, &error, "%s\n", line + 3), 0);
		if (strncmp(line, "== ", 3) != 0)
			continue;
		if (archives > 0 || expected.len > 0)
			differ |= compare(recipe, name, &expected);
		archives++;
		snprintf(name, sizeof(name), "%s", line + 3);
		buf_clear(&expected);
	}
	differ |= compare(recipe, name, &expected);
	buf_free(&expected);
	free(text);
	return differ;
}

static void every_archive_reads_as_its_recipe_says(void **state)
{
	int differ = 0;
	glob_t found;

	(void)state;
	if (!recipe_available())
		skip();
	recipe_build_all(folder, "'" FIXTURES "'/tar/*.recipe");
	assert_int_equal(glob(FIXTURES "/tar/*.recipe", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 15);
	for (size_t i = 0; i < found.gl_pathc; i++)
		differ |= compare_recipe(found.gl_pathv[i]);
	globfree(&found);
	recipe_remove(folder);
	assert_int_equal(differ, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_archive_reads_as_its_recipe_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
