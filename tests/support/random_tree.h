/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random trees with file data, for tests of EROFS images.
 *
 *	state = seed;
 *	grow(tree, data);		one more entry somewhere
 *	write_image(path, tree, NULL, entries);	grows, seals, writes
 */
#ifndef TESTS_SUPPORT_RANDOM_TREE_H
#define TESTS_SUPPORT_RANDOM_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "erofs/data.h"
#include "erofs/layout.h"
#include "erofs/metadata.h"
#include "io/image_file.h"

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

static struct tree_inode new_inode(struct tree *tree, uint16_t type)
{
	static const int64_t times[] = { 1700000000, 1700000000, 1700000000, 0, -5, 1ll << 34 };
	const struct tree_attributes attributes = {
		.uid = below(5) ? (uint32_t)below(2000) : (uint32_t)next(),
		.gid = below(5) ? (uint32_t)below(2000) : (uint32_t)next(),
		.mtime = times[below(6)],
		.mtime_nsec = below(4) ? 0 : (uint32_t)below(1000000000),
		.xattrs = below(4) ? 0 : random_xattrs(tree),
	};
	struct tree_inode inode = { .mode = (uint16_t)(type | below(010000)) };

	OK(tree_set_attributes(tree, &inode, &attributes, &error));
	return inode;
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
	struct tree_inode inode = new_inode(tree, types[below(8)]);
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
		struct tree_inode directory = new_inode(tree, S_IFDIR);

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

/* ---- The image ---- */

/* What fill adds, then so many random entries. */
static void write_image(const char *path, struct tree *tree,
			void (*fill)(struct tree *tree, struct erofs_data *data), unsigned entries)
{
	static const uint8_t uuid[UUID_SIZE] = { 1 };
	struct erofs_metadata_options options = { .uuid = uuid };
	struct image_file *file;
	struct erofs_data *data;
	struct erofs_layout plan;

	OK(image_file_create(&file, "/tmp", &error));
	OK(erofs_data_create(&data, file, tree, &error));
	if (fill)
		fill(tree, data);
	while (entries-- > 0)
		grow(tree, data);
	OK(tree_seal(tree, &error));
	options.contents = erofs_data_contents(data);
	OK(erofs_layout_plan(&plan, tree, erofs_data_end_block(data), &error));
	OK(erofs_metadata_write(file, &plan, &options, &error));
	OK(image_file_commit(file, path, IMAGE_FILE_REPLACE, &error));
	erofs_layout_free(&plan);
	erofs_data_free(data);
	image_file_close(file);
}

#endif
