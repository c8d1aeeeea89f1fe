/* SPDX-License-Identifier: Apache-2.0 */
/* Reading root filesystems through the public API, on the image of fixtures/images/hello. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mkrootfs.h>

#define HELLO "oci:" FIXTURES "/images/hello"

static struct mkrootfs_error error;
static char folder[64];
static struct mkrootfs_image *image;

static int prepare(void **state)
{
	static char store[128];
	const struct mkrootfs_pull_options options = { .reference = HELLO,
						       .store = store,
						       .platform = "linux/amd64" };

	(void)state;
	strcpy(folder, "/tmp/mkrootfs-api.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(store, sizeof(store), "%s/store", folder);
	return mkrootfs_pull(&image, &options, &error);
}

static int clean(void **state)
{
	char command[128];

	(void)state;
	mkrootfs_image_free(image);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

/* Runs a shell command with printf's arguments. */
__attribute__((format(printf, 1, 2))) static void shell(const char *format, ...)
{
	char command[4096];
	va_list list;

	va_start(list, format);
	vsnprintf(command, sizeof(command), format, list);
	va_end(list);
	assert_int_equal(system(command), 0);
}

/* A path in the test's folder, valid until the fourth next call. */
static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static struct mkrootfs_tree *open_tree(const char *path)
{
	struct mkrootfs_tree *tree;

	if (mkrootfs_tree_open(&tree, path, &error) < 0)
		fail_msg("%s: %s", path, error.message);
	assert_int_equal(error.status, 0);
	return tree;
}

/* All layers of one file behind fsmeta, as a block device has them. */
static const char *raw_disk(void)
{
	const char *path = in_folder("disk.raw");

	shell("cat '%s' >'%s'", mkrootfs_image_fsmeta(image), path);
	for (size_t i = 0; i < mkrootfs_image_layer_count(image); i++)
		shell("cat '%s' >>'%s'", mkrootfs_image_layer(image, i)->path, path);
	return path;
}

static void opens_all_that_holds_a_tree(void **state)
{
	const char *const paths[] = { mkrootfs_image_directory(image), mkrootfs_image_disk(image),
				      mkrootfs_image_fsmeta(image), raw_disk(),
				      mkrootfs_image_layer(image, 0)->path };
	struct mkrootfs_tree *tree;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		mkrootfs_tree_close(open_tree(paths[i]));
	assert_int_equal(mkrootfs_tree_open_image(&tree, image, &error), 0);
	mkrootfs_tree_close(tree);
	mkrootfs_tree_close(NULL);
}

static void opens_names_without_a_folder(void **state)
{
	(void)state;
	assert_int_equal(chdir(mkrootfs_image_directory(image)), 0);
	mkrootfs_tree_close(open_tree("disk.vmdk"));
	mkrootfs_tree_close(open_tree("fsmeta.erofs"));
	mkrootfs_tree_close(open_tree("."));
	assert_int_equal(chdir("/"), 0);
}

static void says_what_holds_no_tree(void **state)
{
	static const struct {
		const char *make, *open; /* shell in the test's folder; a path in it */
		int status;
		const char *says;
	} cases[] = {
		{ "true", "none", MKROOTFS_ERROR_NOT_FOUND, "No such file" },
		{ "mkdir -p empty", "empty", MKROOTFS_ERROR_NOT_FOUND, "has no disk.vmdk" },
		{ ": >zero", "zero", MKROOTFS_ERROR_MALFORMED, "neither" },
		{ "head -c 1000 /dev/zero >short", "short", MKROOTFS_ERROR_MALFORMED, "neither" },
		{ "head -c 9000 /dev/zero >zeros", "zeros", MKROOTFS_ERROR_MALFORMED, "neither" },
		{ "mkfifo fifo", "fifo", MKROOTFS_ERROR_MALFORMED, "no regular file" },
		{ "mkdir cut && cp store/images/*/* cut && : >cut/fsmeta.erofs", "cut",
		  MKROOTFS_ERROR_MALFORMED, "fsmeta.erofs' has 0 bytes where" },
		{ "mkdir part && cp store/images/*/disk.vmdk part", "part",
		  MKROOTFS_ERROR_MALFORMED, "fsmeta.erofs': No such file" },
		{ "echo '# Disk DescriptorFile' >bad.vmdk", "bad.vmdk", MKROOTFS_ERROR_MALFORMED,
		  "bad.vmdk': the descriptor lacks version" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mkrootfs_tree *tree;
		int status;

		shell("cd '%s' && %s", folder, cases[i].make);
		status = mkrootfs_tree_open(&tree, in_folder(cases[i].open), &error);
		if (status != cases[i].status || !strstr(error.message, cases[i].says))
			fail_msg("%s: %d, %s", cases[i].open, status, error.message);
		assert_null(tree);
	}
}

static int count_entry(void *user, const struct mkrootfs_entry *entry)
{
	char *names = user;

	strcat(strcat(names, entry->name), entry->target ? "@ " : " ");
	return !strcmp(entry->name, "usr") && names[0] == '!';
}

static void lists_and_reads(void **state)
{
	static const char text[] = "This file came out of an EROFS image.\n";
	struct mkrootfs_tree *tree = open_tree(mkrootfs_image_disk(image));
	char names[256] = "", target[MKROOTFS_LINK_SIZE], buffer[64];
	struct mkrootfs_stat link, file;
	struct mkrootfs_file *open;
	size_t got;

	(void)state;
	assert_int_equal(mkrootfs_tree_list(tree, "", count_entry, names, &error), 0);
	assert_string_equal(names, "etc hello.txt@ tmp usr var ");
	strcpy(names, "!");
	assert_int_equal(mkrootfs_tree_list(tree, "/", count_entry, names, &error),
			 MKROOTFS_ERROR_CANCELLED);
	assert_string_equal(names, "!etc hello.txt@ tmp usr ");
	assert_int_equal(mkrootfs_tree_stat(&link, tree, "hello.txt", MKROOTFS_NO_FOLLOW, &error),
			 0);
	assert_int_equal(link.mode, 0120777);
	assert_null(link.data_file);
	assert_int_equal(mkrootfs_tree_stat(&file, tree, "/hello.txt", 0, &error), 0);
	assert_int_equal(file.mode, 0100644);
	assert_int_equal(file.size, strlen(text));
	assert_int_equal(file.links, 2);
	assert_string_equal(file.data_file, mkrootfs_image_layer(image, 0)->path);
	assert_int_equal(mkrootfs_tree_readlink(target, tree, "hello.txt", &error), 0);
	assert_string_equal(target, "usr/share/hello.txt");
	assert_int_equal(mkrootfs_file_open(&open, tree, "hello.txt", &error), 0);
	assert_int_equal(mkrootfs_file_size(open), strlen(text));
	assert_int_equal(mkrootfs_file_read(&got, open, 5, buffer, sizeof(buffer), &error), 0);
	assert_int_equal(got, strlen(text) - 5);
	assert_memory_equal(buffer, text + 5, got);
	assert_int_equal(mkrootfs_file_read(&got, open, UINT64_MAX, buffer, 1, &error), 0);
	assert_int_equal(got, 0);
	mkrootfs_file_close(open);
	mkrootfs_file_close(NULL);
	mkrootfs_tree_close(tree);
}

static void refuses_what_makes_no_sense(void **state)
{
	struct mkrootfs_tree *tree = open_tree(mkrootfs_image_disk(image));
	char target[MKROOTFS_LINK_SIZE];
	struct mkrootfs_stat stat;
	struct mkrootfs_file *file;

	(void)state;
	assert_int_equal(mkrootfs_tree_stat(&stat, tree, "/none", 0, NULL),
			 MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(mkrootfs_tree_stat(&stat, tree, "/etc", 2, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_stat(&stat, NULL, "/etc", 0, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_readlink(target, tree, "/etc", NULL),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_list(tree, "/etc/hostname", count_entry, target, NULL),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_list(tree, "/", NULL, NULL, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_xattrs(tree, "/", 0, NULL, NULL, NULL),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_file_open(&file, tree, "/etc", NULL), MKROOTFS_ERROR_INVALID);
	assert_null(file);
	mkrootfs_tree_close(tree);
	assert_int_equal(mkrootfs_tree_open(&tree, NULL, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_open_image(&tree, NULL, NULL), MKROOTFS_ERROR_INVALID);
	assert_null(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens_all_that_holds_a_tree),
		cmocka_unit_test(opens_names_without_a_folder),
		cmocka_unit_test(says_what_holds_no_tree),
		cmocka_unit_test(lists_and_reads),
		cmocka_unit_test(refuses_what_makes_no_sense),
	};

	return cmocka_run_group_tests(tests, prepare, clean);
}
