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

#include "erofs/data.h"
#include "erofs/layout.h"
#include "erofs/metadata.h"
#include "erofs/reader.h"
#include "io/image_file.h"
#include "tree/chunk_map.h"

#define ROUNDS 60u

static struct mkrootfs_error error;
static uint64_t state;

/* splitmix64 */
static uint64_t next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t below(uint64_t limit)
{
	return next() % limit;
}

#define OK(call)                                                  \
	do {                                                      \
		if ((call) < 0)                                   \
			fail_msg("%s: %s", #call, error.message); \
	} while (0)

/* ---- Making a tree ---- */

static void random_bytes(uint8_t *out, size_t len)
{
	for (size_t i = 0; i < len; i++)
		out[i] = (uint8_t)(below(255) + 1);
}

static size_t random_name(char *out)
{
	size_t len = below(8) == 0 ? below(255) + 1 : below(12) + 1;

	random_bytes((uint8_t *)out, len);
	for (size_t i = 0; i < len; i++)
		if (out[i] == '/')
			out[i] = '_';
	if ((len == 1 && out[0] == '.') || (len == 2 && out[0] == '.' && out[1] == '.'))
		out[0] = 'x';
	return len;
}

static uint32_t random_xattrs(struct tree *tree)
{
	static const char *const prefixes[] = { "user.", "trusted.", "security." };
	struct xattr_entry entries[6];
	char names[6][64];
	uint8_t values[6][300];
	size_t count = below(6);
	uint32_t set;

	for (size_t i = 0; i < count; i++) {
		size_t len = (size_t)snprintf(names[i], sizeof(names[i]), "%s%u",
					      prefixes[below(3)], (unsigned)below(20));
		size_t value_len = below(4) ? below(24) : below(300);

		memset(values[i], (int)below(3), value_len);
		entries[i] = (struct xattr_entry){ names[i], len, values[i], value_len };
	}
	OK(xattr_pool_add(&tree->xattrs, &set, entries, count, &error));
	return set;
}

static struct tree_inode random_attributes(struct tree *tree, uint16_t type)
{
	static const int64_t times[] = { 1700000000, 1700000000, 1700000000, 0, -5, 1ll << 34 };

	return (struct tree_inode){
		.mode = (uint16_t)(type | below(010000)),
		.uid = below(5) ? (uint32_t)below(2000) : (uint32_t)next(),
		.gid = below(5) ? (uint32_t)below(2000) : (uint32_t)next(),
		.mtime = times[below(6)],
		.mtime_nsec = below(4) ? 0 : (uint32_t)below(1000000000),
		.xattrs = below(4) ? 0 : random_xattrs(tree),
	};
}

static void add_content(struct erofs_data *data, struct tree_inode *inode)
{
	bool sparse = below(6) == 0;
	uint64_t size = sparse ? below(1 << 22) : below(3 * EROFS_BLOCK_SIZE);
	uint8_t bytes[3 * EROFS_BLOCK_SIZE];

	if (below(8) == 0)
		size = EROFS_BLOCK_SIZE * below(3) + below(3);
	OK(erofs_data_begin(data, size, sparse, &error));
	memset(bytes, (int)below(4), sizeof(bytes));
	for (uint64_t at = 0; at < size;) {
		size_t len =
			(size_t)(size - at < sizeof(bytes) ? size - at : below(sizeof(bytes)) + 1);

		OK(erofs_data_append(data, at, bytes, len, &error));
		at += len;
		if (sparse)
			at += below(1 << 20);
	}
	OK(erofs_data_end(data, inode, &error));
}

static uint32_t random_inode(struct tree *tree, struct erofs_data *data)
{
	static const uint16_t types[] = { S_IFREG, S_IFREG, S_IFREG, S_IFLNK,
					  S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK };
	struct tree_inode inode = random_attributes(tree, types[below(8)]);
	char target[4096];
	uint32_t id;

	if (S_ISREG(inode.mode))
		add_content(data, &inode);
	if (S_ISCHR(inode.mode) || S_ISBLK(inode.mode))
		inode.data = tree_device((uint32_t)below(4096), (uint32_t)below(1 << 20));
	if (S_ISLNK(inode.mode)) {
		inode.size = below(4) ? below(60) + 1 : below(4095) + 1;
		random_bytes((uint8_t *)target, inode.size);
		OK(tree_new_string(tree, &inode.data, target, inode.size, &error));
	}
	OK(tree_new_inode(tree, &id, &inode, &error));
	return id;
}

static uint32_t random_directory(const struct tree *tree)
{
	uint32_t node = (uint32_t)below(tree->node_count);

	while (node == 0 || tree->nodes[node].inode == 0 ||
	       !tree_is_directory(tree_inode_of(tree, node)))
		node = (uint32_t)below(tree->node_count);
	return node;
}

static void grow(struct tree *tree, struct erofs_data *data)
{
	uint32_t parent = random_directory(tree), id, node;
	char name[256];
	size_t len = random_name(name);

	switch (below(6)) {
	case 0: {
		struct tree_inode directory = random_attributes(tree, S_IFDIR);

		OK(tree_new_inode(tree, &id, &directory, &error));
		break;
	}
	case 1:
		/* One more name of something that is no directory. */
		node = (uint32_t)below(tree->node_count);
		id = node ? tree->nodes[node].inode : 0;
		if (id == 0 || tree_is_directory(&tree->inodes[id]))
			return;
		break;
	default:
		id = random_inode(tree, data);
	}
	OK(tree_put(tree, &node, parent, name, len, id, &error));
	if (below(20) == 0)
		tree_remove(tree, node);
}

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

static void assert_same_inode(const struct tree *a, uint32_t a_node, const struct tree *b,
			      uint32_t b_node)
{
	const struct tree_inode *left = tree_inode_of(a, a_node), *right = tree_inode_of(b, b_node);

	assert_int_equal(left->mode, right->mode);
	assert_int_equal(left->uid, right->uid);
	assert_int_equal(left->gid, right->gid);
	assert_int_equal(left->mtime, right->mtime);
	assert_int_equal(left->mtime_nsec, right->mtime_nsec);
	assert_int_equal(left->nlink, right->nlink);
	assert_int_equal(left->size, right->size);
	assert_int_equal(left->flags & TREE_CHUNKED, right->flags & TREE_CHUNKED);
	assert_same_xattrs(a, left->xattrs, b, right->xattrs);
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

static void write_image(const char *path, struct tree *tree, unsigned entries)
{
	static const uint8_t uuid[UUID_SIZE] = { 1 };
	const struct erofs_metadata_options options = { .uuid = uuid };
	struct image_file *file;
	struct erofs_data *data;
	struct erofs_layout plan;

	OK(image_file_create(&file, "/tmp", &error));
	OK(erofs_data_create(&data, file, tree, &error));
	while (entries-- > 0)
		grow(tree, data);
	OK(tree_seal(tree, &error));
	OK(erofs_layout_plan(&plan, tree, erofs_data_end_block(data), &error));
	OK(erofs_metadata_write(file, &plan, &options, &error));
	OK(image_file_commit(file, path, IMAGE_FILE_REPLACE, &error));
	erofs_layout_free(&plan);
	erofs_data_free(data);
	image_file_close(file);
}

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
	write_image(path, tree, seed % 10 == 0 ? 3000 : (unsigned)below(300));
	OK(erofs_reader_open(&reader, path, &error));
	OK(erofs_read_tree(&again, reader, UINT32_MAX - 2, &error));
	/* What the root's flags say is no part of an image without marks. */
	assert_same_tree(tree, again);
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
