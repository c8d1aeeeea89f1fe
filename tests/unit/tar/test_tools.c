/* SPDX-License-Identifier: Apache-2.0 */
/* Tars of a real tree by GNU tar, bsdtar and busybox, in every format, against the tree itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>

#include "tar_listing.h"
#include "tar_recipe.h"

#define TREE_TOOL FIXTURES "/../tests/support/tar_tree.py"

static char folder[] = RECIPE_FOLDER;

static int compare(const char *listing, size_t chunk)
{
	struct buf got = BUF_INIT(64 << 20), text = BUF_INIT(64 << 20);
	size_t expected_len, len;
	char *expected = (char *)recipe_read_file(&expected_len, listing);
	const char *name = strrchr(listing, '/') + 1;
	char stem[256];
	uint8_t *data;
	int differ;

	snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(name) - strlen(".listing")), name);
	data = recipe_read(&len, folder, stem);
	assert_non_null(expected);
	assert_non_null(data);
	tar_listing_by(&got, data, len, chunk, 1);
	differ = listing_differs(&text, expected, (char *)got.data);
	if (differ)
		print_error("%s, in chunks of %zu\n%s", stem, chunk, (char *)text.data);
	buf_free(&text);
	buf_free(&got);
	free(expected);
	free(data);
	return differ;
}

static void every_tool_and_format_reads_as_the_tree(void **state)
{
	char command[4096];
	int differ = 0;
	glob_t found;

	(void)state;
	if (!recipe_available())
		skip();
	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof(command), "python3 '%s' '%s'", TREE_TOOL, folder);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof(command), "%s/*.listing", folder);
	assert_int_equal(glob(command, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		differ |= compare(found.gl_pathv[i], 1000);
		differ |= compare(found.gl_pathv[i], 256 << 10);
	}
	globfree(&found);
	recipe_remove(folder);
	assert_int_equal(differ, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_and_format_reads_as_the_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
