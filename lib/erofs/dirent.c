/* SPDX-License-Identifier: Apache-2.0 */
#include "dirent.h"

#include "../base/bytes.h"

#include <string.h>

/* Byte offsets in struct erofs_dirent. */
enum { DIRENT_NID = 0, DIRENT_NAMEOFF = 8, DIRENT_FILE_TYPE = 10, DIRENT_RESERVED = 11 };

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
	struct erofs_directory_place at;
	const char *name; /* of the child at which it is */
	size_t len;
};

static inline void go_to_child(struct cursor *c, uint32_t child)
{
	c->at.child = child;
	if (child)
		c->name = tree_name(c->tree, child, &c->len);
}

static void cursor_start(struct cursor *c, const struct tree *tree, uint32_t directory,
			 struct erofs_directory_place at)
{
	*c = (struct cursor){ .tree = tree, .directory = directory, .at = at };
	go_to_child(c, at.child);
}

static struct erofs_directory_place front(const struct tree *tree, uint32_t directory)
{
	return (struct erofs_directory_place){ .child = tree_directory_of(tree, directory)->first };
}

static int compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

/* "." and ".." mostly come first, but "-" and "+" come before them. */
static inline bool is_at_dot(const struct cursor *c)
{
	return c->at.dots < 2 &&
	       (c->at.child == 0 || compare("..", c->at.dots + 1, c->name, c->len) < 0);
}

static void next_dot(struct cursor *c, struct entry *entry)
{
	*entry = (struct entry){ "..", c->at.dots + 1, c->directory };
	if (c->at.dots++ == 1 && c->directory != TREE_ROOT)
		entry->node = c->tree->nodes[c->directory].parent;
}

static inline bool cursor_next(struct cursor *c, struct entry *entry)
{
	if (is_at_dot(c)) {
		next_dot(c, entry);
		return true;
	}
	if (c->at.child == 0)
		return false;
	*entry = (struct entry){ c->name, c->len, c->at.child };
	go_to_child(c, c->tree->nodes[c->at.child].next);
	return true;
}

struct erofs_directory_extent erofs_directory_measure(const struct tree *tree, uint32_t node)
{
	struct erofs_directory_extent extent = { .last = front(tree, node) };
	struct erofs_directory_place before = extent.last;
	uint64_t full = 0;
	uint32_t used = 0;
	struct cursor c;
	struct entry entry;

	for (cursor_start(&c, tree, node, before); cursor_next(&c, &entry); before = c.at) {
		uint32_t need = EROFS_DIRENT_SIZE + (uint32_t)entry.len;

		if (used + need > EROFS_BLOCK_SIZE) {
			full += EROFS_BLOCK_SIZE;
			used = 0;
			extent.last = before;
		}
		used += need;
	}
	extent.size = full + used;
	return extent;
}

uint8_t erofs_file_type(uint16_t mode)
{
	static const uint8_t types[16] = {
		[S_IFREG >> 12] = EROFS_FT_REG_FILE, [S_IFDIR >> 12] = EROFS_FT_DIR,
		[S_IFCHR >> 12] = EROFS_FT_CHRDEV,   [S_IFBLK >> 12] = EROFS_FT_BLKDEV,
		[S_IFIFO >> 12] = EROFS_FT_FIFO,     [S_IFSOCK >> 12] = EROFS_FT_SOCK,
		[S_IFLNK >> 12] = EROFS_FT_SYMLINK,
	};

	return types[mode >> 12];
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
		dirent[DIRENT_RESERVED] = 0;
		memcpy(block + name_at, entries[i].name, entries[i].len);
		name_at += entries[i].len;
	}
	return name_at;
}

/* What is done with the entries of a directory. */
struct block_encoder {
	const struct tree *tree;
	const uint32_t *nids;
	erofs_block_fn emit;
	void *user;
};

/* Encodes and emits a block's entries; a full block is filled up with zeros. */
static int emit_entries(const struct block_encoder *e, const struct entry *entries, size_t count,
			bool is_full, struct mkrootfs_error *error)
{
	uint8_t block[EROFS_BLOCK_SIZE];
	size_t len = encode_block(block, e->tree, e->nids, entries, count);

	if (is_full) {
		memset(block + len, 0, EROFS_BLOCK_SIZE - len);
		len = EROFS_BLOCK_SIZE;
	}
	return e->emit(e->user, block, len, error);
}

int erofs_directory_encode(const struct tree *tree, uint32_t node, const uint32_t *nids,
			   const struct erofs_directory_extent *extent,
			   enum erofs_directory_part part, erofs_block_fn emit, void *user,
			   struct mkrootfs_error *error)
{
	const struct block_encoder encoder = { tree, nids, emit, user };
	struct entry entries[MAX_ENTRIES];
	size_t count = 0, used = 0;
	struct cursor c;
	int status = 0;

	cursor_start(&c, tree, node,
		     part == EROFS_DIRECTORY_LAST ? extent->last : front(tree, node));
	while (status == 0 && cursor_next(&c, &entries[count])) {
		struct entry next = entries[count];

		if (used + EROFS_DIRENT_SIZE + next.len > EROFS_BLOCK_SIZE) {
			status = emit_entries(&encoder, entries, count, true, error);
			entries[0] = next;
			count = used = 0;
		}
		used += EROFS_DIRENT_SIZE + next.len;
		count++;
	}
	if (status == 0 && part != EROFS_DIRECTORY_REST)
		status = emit_entries(&encoder, entries, count, false, error);
	return status;
}
