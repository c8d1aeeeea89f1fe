/* SPDX-License-Identifier: Apache-2.0 */
/* From an image's metadata to a tree. */
#include "../base/bytes.h"
#include "dirent.h"
#include "load_tree.h"

#include <stdlib.h>
#include <string.h>

/* Byte offsets in struct erofs_dirent. */
enum { DIRENT_NID = 0, DIRENT_NAMEOFF = 8, DIRENT_FILE_TYPE = 10 };

struct loader {
	struct erofs_reader *reader;
	struct tree *tree;
	uint32_t max_nodes;
	const struct erofs_watch *watch; /* NULL: none */
	uint64_t dots[2];		 /* of the directory in work */
	/* Inodes that may come up again: directories, and files with several links. */
	struct intern known;	/* their nids */
	uint32_t *known_inodes; /* of the tree, by number of known */
	uint32_t known_room;
};

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", what);
}

/* What a watcher learns is no error. */
static int tolerate(struct loader *l, uint32_t directory, const uint8_t *name, size_t len,
		    int status, struct mkrootfs_error *error)
{
	if (!l->watch || (status != MKROOTFS_ERROR_MALFORMED &&
			  status != MKROOTFS_ERROR_UNSUPPORTED && status != MKROOTFS_ERROR_LIMIT))
		return status;
	return l->watch->problem(l->watch->user, l->tree, directory, name, len, error);
}

/* ---- Inodes ---- */

static int remember(struct loader *l, uint64_t nid, uint32_t id, struct mkrootfs_error *error)
{
	uint32_t number;
	int status = intern_add(&l->known, &number, &nid, sizeof(nid), error);

	if (status == 0 && number >= l->known_room) {
		uint32_t room = l->known_room ? 2 * l->known_room : 256;
		uint32_t *inodes = realloc(l->known_inodes, room * sizeof(*inodes));

		if (!inodes)
			return error_no_memory(error);
		l->known_inodes = inodes;
		l->known_room = room;
	}
	if (status == 0)
		l->known_inodes[number] = id;
	return status;
}

/* A directory keeps its nid in data until its entries were read; nlink is the image's. */
static int load_inode(struct loader *l, uint32_t *id, uint64_t nid, struct mkrootfs_error *error)
{
	struct erofs_placed_inode inode;
	int status = erofs_read_head(&inode, l->reader, nid, error);

	if (status == 0)
		status = erofs_read_inode(l->tree, id, &inode, l->reader, error);
	if (status == 0 && l->watch)
		status = l->watch->inode(l->watch->user, l->tree, *id, nid, &inode, error);
	if (status < 0)
		return status;
	l->tree->inodes[*id].nlink = inode.head.nlink;
	if (S_ISDIR(inode.head.mode))
		l->tree->inodes[*id].data = nid;
	if (S_ISDIR(inode.head.mode) || inode.head.nlink != 1)
		status = remember(l, nid, *id, error);
	return status;
}

/* The tree's inode for a nid, loaded at its first name. */
static int inode_for(struct loader *l, uint32_t *id, uint64_t nid, uint8_t file_type,
		     struct mkrootfs_error *error)
{
	uint32_t number = intern_find(&l->known, &nid, sizeof(nid));
	int status = 0;

	*id = number ? l->known_inodes[number] : 0;
	if (number && S_ISDIR(l->tree->inodes[*id].mode))
		return malformed(error, "a directory has two names");
	if (number == 0)
		status = load_inode(l, id, nid, error);
	if (status == 0 && erofs_file_type(l->tree->inodes[*id].mode) != file_type)
		return malformed(error, "a directory entry's type is not its inode's");
	return status;
}

/* ---- Directories ---- */

/* The name before: names must ascend strictly, over block borders too. */
struct last_name {
	uint8_t bytes[EROFS_NAME_LEN];
	size_t len;
};

static int check_name(struct last_name *last, const uint8_t *name, size_t len,
		      struct mkrootfs_error *error)
{
	int order;

	if (len == 0 || len > EROFS_NAME_LEN || memchr(name, '/', len) || memchr(name, '\0', len))
		return malformed(error, "a directory entry's name is not possible");
	order = memcmp(last->bytes, name, len < last->len ? len : last->len);
	if (order > 0 || (order == 0 && last->len >= len))
		return malformed(error, "a directory's names are out of order");
	memcpy(last->bytes, name, len);
	last->len = len;
	return 0;
}

static bool is_dot(const uint8_t *name, size_t len)
{
	return (len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.');
}

static int load_entry(struct loader *l, uint32_t directory, const uint8_t *dirent,
		      const uint8_t *name, size_t len, struct mkrootfs_error *error)
{
	uint32_t id, node;
	int status;

	if (is_dot(name, len)) {
		l->dots[len - 1] = get_le64(dirent + DIRENT_NID);
		if (dirent[DIRENT_FILE_TYPE] != EROFS_FT_DIR)
			return malformed(error, "a directory entry's type is not its inode's");
		return 0;
	}
	if (l->tree->node_count > l->max_nodes)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the image has more than %u names",
				 l->max_nodes);
	status = inode_for(l, &id, get_le64(dirent + DIRENT_NID), dirent[DIRENT_FILE_TYPE], error);
	return status < 0 ? status
			  : tree_put(l->tree, &node, directory, (const char *)name, len, id, error);
}

/* Where the name of dirent i ends: at the next one's, the last at its padding. */
static size_t name_end(const uint8_t *block, size_t len, size_t i, size_t count, size_t start)
{
	if (i + 1 < count)
		return get_le16(block + (i + 1) * EROFS_DIRENT_SIZE + DIRENT_NAMEOFF);
	return start + strnlen((const char *)block + start, len - start);
}

static int load_block(struct loader *l, uint32_t directory, const uint8_t *block, size_t len,
		      struct last_name *last, struct mkrootfs_error *error)
{
	size_t start = len < EROFS_DIRENT_SIZE ? 0 : get_le16(block + DIRENT_NAMEOFF);
	size_t count = start / EROFS_DIRENT_SIZE;
	int status = 0;

	if (count == 0 || start % EROFS_DIRENT_SIZE || start > len)
		return malformed(error, "a directory block is damaged");
	for (size_t i = 0; status == 0 && i < count; i++) {
		size_t end = name_end(block, len, i, count, start);

		if (end < start || end > len)
			return malformed(error, "a directory block is damaged");
		status = check_name(last, block + start, end - start, error);
		if (status == 0)
			status = load_entry(l, directory, block + i * EROFS_DIRENT_SIZE,
					    block + start, end - start, error);
		status = tolerate(l, directory, block + start, end - start, status, error);
		start = end;
	}
	return status;
}

static int load_blocks(struct loader *l, uint32_t node, const struct erofs_placed_inode *inode,
		       struct mkrootfs_error *error)
{
	struct last_name last = { .len = 0 };
	uint8_t block[EROFS_BLOCK_SIZE];
	int status = 0;

	if (inode->head.size == 0 || inode->head.layout == EROFS_INODE_CHUNK_BASED)
		return malformed(error, "a directory without entries");
	for (uint64_t at = 0; status == 0 && at < inode->head.size; at += EROFS_BLOCK_SIZE) {
		uint64_t left = inode->head.size - at;
		size_t len = left < EROFS_BLOCK_SIZE ? (size_t)left : EROFS_BLOCK_SIZE;

		status = erofs_read_content(inode, l->reader, at, block, len, error);
		if (status == 0)
			status = load_block(l, node, block, len, &last, error);
	}
	return status;
}

/* The directory's node keeps the nid in its inode's data until now. */
static int load_entries(struct loader *l, uint32_t node, struct mkrootfs_error *error)
{
	struct tree_inode *directory = tree_inode_of(l->tree, node);
	struct erofs_placed_inode inode;
	uint64_t nid = directory->data;
	int status;

	directory->data = 0;
	l->dots[0] = l->dots[1] = EROFS_NO_NID;
	status = erofs_read_head(&inode, l->reader, nid, error);
	if (status == 0)
		status = load_blocks(l, node, &inode, error);
	if (status == 0 && l->watch)
		status = l->watch->directory(l->watch->user, l->tree, node, l->dots[0], l->dots[1],
					     error);
	return status;
}

static int load_directory(struct loader *l, uint32_t node, struct mkrootfs_error *error)
{
	char path[512];
	int status = load_entries(l, node, error);

	if (status == 0)
		return 0;
	status = tolerate(l, node, NULL, 0, status, error);
	if (status == 0)
		return 0;
	tree_path(l->tree, node, path, sizeof(path));
	return error_prefix(error, "directory '/%s': ", path);
}

/* ---- The whole ---- */

/* The tree has a root already: it takes over the one of the image. */
static int load_root(struct loader *l, struct mkrootfs_error *error)
{
	uint32_t id;
	int status = inode_for(l, &id, erofs_reader_superblock(l->reader)->root_nid, EROFS_FT_DIR,
			       error);

	if (status == 0)
		l->tree->inodes[TREE_ROOT] = l->tree->inodes[id];
	return status;
}

/* Directories in the order of their nodes: children come behind their parents. */
static int load_all(struct loader *l, struct mkrootfs_error *error)
{
	int status = load_root(l, error);

	if (status < 0)
		return tolerate(l, 0, NULL, 0, status, error);
	for (uint32_t node = TREE_ROOT; status == 0 && node < l->tree->node_count; node++)
		if (tree_is_directory(tree_inode_of(l->tree, node)))
			status = load_directory(l, node, error);
	return status;
}

int erofs_load_tree(struct tree **out, struct erofs_reader *reader, uint32_t max_nodes,
		    const struct erofs_watch *watch, struct mkrootfs_error *error)
{
	struct loader l = { .reader = reader, .max_nodes = max_nodes, .watch = watch };
	int status = tree_create(&l.tree, error);

	*out = NULL;
	if (status == 0)
		status = load_all(&l, error);
	intern_free(&l.known);
	free(l.known_inodes);
	if (status < 0)
		tree_free(l.tree);
	else
		*out = l.tree;
	return status;
}

int erofs_read_tree(struct tree **out, struct erofs_reader *reader, uint32_t max_nodes,
		    struct mkrootfs_error *error)
{
	int status = erofs_load_tree(out, reader, max_nodes, NULL, error);

	if (status == 0)
		status = tree_seal(*out, error);
	if (status < 0) {
		tree_free(*out);
		*out = NULL;
	}
	return status;
}
