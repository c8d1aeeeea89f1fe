/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random trees, written as images, judged by fsck.erofs and read back. The seed is printed with a
 * failure; MKROOTFS_TEST_SEED=N runs that one alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "erofs/reader.h"
#include "erofs/verify.h"
#include "random_tree.h"
#include "tree/chunk_map.h"

#define ROUNDS 60u

/* ---- Comparing ---- */

static void assert_same_xattrs(const struct tree *a, uint32_t a_set, const struct tree *b,
			       uint32_t b_set)
{
	assert_int_equal(xattr_set_count(&a->xattrs, a_set), xattr_set_count(&b->xattrs, b_set));
	for (uint32_t i = 0; i < xattr_set_count(&a->xattrs, a_set); i++) {
		struct xattr_entry left, right;

		xattr_set_get(&a->xattrs, a_set, i, &left);
		xattr_set_get(&b->xattrs, b_set, i, &right);
		assert_int_equal(left.name_len, right.name_len);
		assert_memory_equal(left.name, right.name, left.name_len);
		assert_int_equal(left.value_len, right.value_len);
		assert_memory_equal(left.value, right.value, left.value_len);
	}
}

static void assert_same_attributes(const struct tree *a, const struct tree_inode *a_inode,
				   const struct tree *b, const struct tree_inode *b_inode)
{
	const struct tree_attributes *left = tree_attributes_of(a, a_inode);
	const struct tree_attributes *right = tree_attributes_of(b, b_inode);

	assert_int_equal(left->uid, right->uid);
	assert_int_equal(left->gid, right->gid);
	assert_int_equal(left->mtime, right->mtime);
	assert_int_equal(left->mtime_nsec, right->mtime_nsec);
	assert_same_xattrs(a, left->xattrs, b, right->xattrs);
}

static void assert_same_inode(const struct tree *a, uint32_t a_node, const struct tree *b,
			      uint32_t b_node)
{
	const struct tree_inode *left = tree_inode_of(a, a_node), *right = tree_inode_of(b, b_node);

	assert_int_equal(left->mode, right->mode);
	assert_same_attributes(a, left, b, right);
	assert_int_equal(left->nlink, right->nlink);
	assert_int_equal(left->size, right->size);
	assert_int_equal(left->flags & TREE_CHUNKED, right->flags & TREE_CHUNKED);
	if (S_ISLNK(left->mode))
		assert_string_equal(tree_string(a, left), tree_string(b, right));
	else if (left->flags & TREE_CHUNKED)
		assert_memory_equal(chunk_map_of(a, left), chunk_map_of(b, right),
				    sizeof(struct chunk_map) +
					    chunk_map_of(a, left)->count * sizeof(uint32_t));
	else if (!S_ISDIR(left->mode))
		assert_int_equal(left->data, right->data);
}

static void assert_same_tree(const struct tree *a, const struct tree *b)
{
	uint32_t left = TREE_ROOT, right = TREE_ROOT;

	while (left && right) {
		size_t left_len, right_len;
		const char *left_name = tree_name(a, left, &left_len);
		const char *right_name = tree_name(b, right, &right_len);

		assert_int_equal(left_len, right_len);
		assert_memory_equal(left_name, right_name, left_len);
		assert_same_inode(a, left, b, right);
		left = tree_walk(a, left);
		right = tree_walk(b, right);
	}
	assert_int_equal(left, right);
}

/* ---- The test ---- */

static void run_fsck(const char *path)
{
	char command[256];

	snprintf(command, sizeof(command), "fsck.erofs %s >/dev/null", path);
	if (system("command -v fsck.erofs >/dev/null") != 0) {
		print_message("SKIPPED fsck.erofs: it is not installed\n");
		return;
	}
	assert_int_equal(system(command), 0);
}

static int say(void *user, const struct erofs_problem *problem)
{
	(void)user;
	print_error("%s: %s\n", problem->path ? problem->path : "-", problem->text);
	return 0;
}

static void assert_verified(struct erofs_reader *reader)
{
	const struct erofs_verify_options options = { .problem = say, .needs_seal = true };
	struct erofs_verify_result result;

	OK(erofs_verify(&result, reader, &options, &error));
	assert_int_equal(result.problems, 0);
}

static void round_trip(uint64_t seed)
{
	char path[] = "/tmp/mkrootfs-image.XXXXXX";
	struct erofs_reader *reader;
	struct tree *tree, *again;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	state = seed;
	print_message("seed %llu\n", (unsigned long long)seed);
	OK(tree_create(&tree, &error));
	write_image(path, tree, NULL, seed % 10 == 0 ? 3000 : (unsigned)below(300));
	OK(erofs_reader_open(&reader, path, &error));
	OK(erofs_read_tree(&again, reader, UINT32_MAX - 2, &error));
	/* What the root's flags say is no part of an image without marks. */
	assert_same_tree(tree, again);
	assert_verified(reader);
	erofs_reader_close(reader);
	run_fsck(path);
	tree_free(tree);
	tree_free(again);
	unlink(path);
}

static void what_is_written_is_read_back(void **unused)
{
	const char *seed = getenv("MKROOTFS_TEST_SEED");

	(void)unused;
	if (seed)
		round_trip(strtoull(seed, NULL, 10));
	for (uint64_t i = 0; !seed && i < ROUNDS; i++)
		round_trip(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(what_is_written_is_read_back) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
