/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile images, read with all that can be asked of an open root filesystem. What it answers does
 * not matter, that it comes back does.
 *
 *	size_t seen = tree_visit_image(bytes, size);
 */
#ifndef TESTS_SUPPORT_TREE_VISIT_H
#define TESTS_SUPPORT_TREE_VISIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "rootfs/tree_file.h"
#include "rootfs/tree_list.h"
#include "rootfs/tree_stat.h"

#define TREE_VISIT_DEPTH 5u
#define TREE_VISIT_MAX 400u /* names: a hostile image can have very many */

struct tree_visit {
	struct mkrootfs_tree *tree;
	const char *path; /* of the directory in work */
	unsigned depth;
	size_t seen, bytes;
};

static inline void tree_visit_path(struct tree_visit *visit, const char *path);

static inline int tree_visit_xattr(void *user, const char *name, const void *value, size_t size)
{
	struct tree_visit *visit = user;

	visit->bytes += strlen(name) + (size ? ((const uint8_t *)value)[size - 1] : 0);
	return 0;
}

static inline int tree_visit_entry(void *user, const struct mkrootfs_entry *entry)
{
	struct tree_visit *visit = user;
	const char *directory = visit->path;
	char *path = malloc(strlen(directory) + strlen(entry->name) + 2);

	sprintf(path, "%s/%s", directory, entry->name);
	visit->depth++;
	if (visit->depth < TREE_VISIT_DEPTH && visit->seen++ < TREE_VISIT_MAX)
		tree_visit_path(visit, path);
	visit->depth--;
	visit->path = directory;
	free(path);
	return visit->seen >= TREE_VISIT_MAX;
}

static inline void tree_visit_file(struct tree_visit *visit, const char *path)
{
	static const uint64_t offsets[] = { 0, 1, 4095, 4096, 1u << 20, INT64_MAX, UINT64_MAX };
	struct mkrootfs_error error;
	struct mkrootfs_file *file;
	uint8_t buffer[10000];
	size_t got;

	if (tree_file_open(&file, visit->tree, path, &error) < 0)
		return;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		if (tree_file_read(&got, file, offsets[i], buffer, sizeof(buffer), &error) == 0)
			visit->bytes += got ? buffer[got - 1] : 0;
	tree_file_close(file);
}

static inline void tree_visit_path(struct tree_visit *visit, const char *path)
{
	char target[MKROOTFS_LINK_SIZE];
	struct mkrootfs_error error;
	struct mkrootfs_stat stat;

	tree_stat(&stat, visit->tree, path, true, &error);
	tree_stat(&stat, visit->tree, path, false, &error);
	tree_readlink(target, visit->tree, path, &error);
	tree_xattrs(visit->tree, path, false, tree_visit_xattr, visit, &error);
	tree_visit_file(visit, path);
	visit->path = path;
	tree_list(visit->tree, path, tree_visit_entry, visit, &error);
}

/* Returns the names that were seen. */
static inline size_t tree_visit_file_at(const char *path)
{
	struct tree_visit visit = { .depth = 0 };
	struct mkrootfs_error error;

	if (tree_open(&visit.tree, path, &error) < 0)
		return 0;
	tree_visit_path(&visit, "");
	tree_visit_path(&visit, "/etc/../usr/share/./hello.txt/");
	tree_close(visit.tree);
	return visit.seen;
}

/* The same with an image in memory, whose superblock gets a right checksum. */
static inline size_t tree_visit_image(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	uint8_t *copy = malloc(size);
	char path[64];
	size_t seen;

	memcpy(copy, bytes, size);
	put_le32(copy + EROFS_SUPER_OFFSET + 4, 0);
	put_le32(copy + EROFS_SUPER_OFFSET + 4,
		 crc32c(~0u, copy + EROFS_SUPER_OFFSET, EROFS_BLOCK_SIZE - EROFS_SUPER_OFFSET));
	if (fd < 0 || write(fd, copy, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	seen = tree_visit_file_at(path);
	close(fd);
	free(copy);
	return seen;
}

#endif
