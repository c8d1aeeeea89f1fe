/* SPDX-License-Identifier: Apache-2.0 */
#include "dirent.h"

#include "../base/bytes.h"

#include <string.h>

/* Byte offsets in struct erofs_dirent. */
enum { DIRENT_NID = 0, DIRENT_NAMEOFF = 8, DIRENT_FILE_TYPE = 10 };

/* With the shortest names, and the one that no longer fits. */
#define MAX_ENTRIES (EROFS_BLOCK_SIZE / (EROFS_DIRENT_SIZE + 1) + 1)

/* One entry of a directory; the name is borrowed. */
struct entry {
	const char *name;
	size_t len;
	uint32_t node;
};

/* Steps through a directory's entries in order, with "." and ".." merged into the children. */
struct cursor {
	const struct tree *tree;
	uint32_t directory;
	uint32_t child;
	int dots; /* how many of "." and ".." are done */
};

static void cursor_start(struct cursor *c, const struct tree *tree, uint32_t directory)
{
	*c = (struct cursor){ tree, directory, tree_first_child(tree, directory), 0 };
}

static int compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

static bool cursor_next(struct cursor *c, struct entry *entry)
{
	struct entry dot = { "..", (size_t)c->dots + 1, c->directory };

	if (c->child)
		entry->name = tree_name(c->tree, c->child, &entry->len);
	if (c->dots < 2 && (!c->child || compare(dot.name, dot.len, entry->name, entry->len) < 0)) {
		if (c->dots++ == 1 && c->directory != TREE_ROOT)
			dot.node = c->tree->nodes[c->directory].parent;
		*entry = dot;
		return true;
	}
	if (!c->child)
		return false;
	entry->node = c->child;
	c->child = tree_next_child(c->tree, c->child);
	return true;
}

uint64_t erofs_directory_size(const struct tree *tree, uint32_t node)
{
	uint64_t full = 0;
	uint32_t used = 0;
	struct cursor c;
	struct entry entry;

	cursor_start(&c, tree, node);
	while (cursor_next(&c, &entry)) {
		uint32_t need = EROFS_DIRENT_SIZE + (uint32_t)entry.len;

		if (used + need > EROFS_BLOCK_SIZE) {
			full += EROFS_BLOCK_SIZE;
			used = 0;
		}
		used += need;
	}
	return full + used;
}

uint8_t erofs_file_type(uint16_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return EROFS_FT_REG_FILE;
	case S_IFDIR:
		return EROFS_FT_DIR;
	case S_IFCHR:
		return EROFS_FT_CHRDEV;
	case S_IFBLK:
		return EROFS_FT_BLKDEV;
	case S_IFIFO:
		return EROFS_FT_FIFO;
	case S_IFSOCK:
		return EROFS_FT_SOCK;
	case S_IFLNK:
		return EROFS_FT_SYMLINK;
	default:
		return EROFS_FT_UNKNOWN;
	}
}

static size_t encode_block(uint8_t *block, const struct tree *tree, const uint32_t *nids,
			   const struct entry *entries, size_t count)
{
	size_t name_at = count * EROFS_DIRENT_SIZE;

	for (size_t i = 0; i < count; i++) {
		uint8_t *dirent = block + i * EROFS_DIRENT_SIZE;

		put_le64(dirent + DIRENT_NID, nids[tree->nodes[entries[i].node].inode]);
		put_le16(dirent + DIRENT_NAMEOFF, (uint16_t)name_at);
		dirent[DIRENT_FILE_TYPE] =
			erofs_file_type(tree_inode_of(tree, entries[i].node)->mode);
		memcpy(block + name_at, entries[i].name, entries[i].len);
		name_at += entries[i].len;
	}
	return name_at;
}

int erofs_directory_encode(const struct tree *tree, uint32_t node, const uint32_t *nids,
			   erofs_block_fn emit, void *user, struct mkrootfs_error *error)
{
	struct entry entries[MAX_ENTRIES];
	uint8_t block[EROFS_BLOCK_SIZE] = { 0 };
	size_t count = 0, used = 0;
	struct cursor c;
	int status = 0;

	cursor_start(&c, tree, node);
	while (status == 0 && cursor_next(&c, &entries[count])) {
		struct entry next = entries[count];

		if (used + EROFS_DIRENT_SIZE + next.len > EROFS_BLOCK_SIZE) {
			encode_block(block, tree, nids, entries, count);
			status = emit(user, block, EROFS_BLOCK_SIZE, error);
			memset(block, 0, sizeof(block));
			entries[0] = next;
			count = used = 0;
		}
		used += EROFS_DIRENT_SIZE + next.len;
		count++;
	}
	if (status < 0)
		return status;
	return emit(user, block, encode_block(block, tree, nids, entries, count), error);
}
