/* SPDX-License-Identifier: Apache-2.0 */
/* From an image's metadata to a tree. */
#include "../base/array.h"
#include "../base/intern.h"
#include "dirent.h"
#include "dirent_block.h"
#include "load_tree.h"

#include <stdlib.h>

struct loader {
	struct erofs_reader *reader;
	struct tree *tree;
	uint32_t max_nodes;
	const struct erofs_watch *watch; /* NULL: none */
	uint64_t dots[2];		 /* of the directory in work */
	/* Inodes that may come up again: directories, and files with several links. */
	struct intern known;	/* their nids */
	uint32_t *known_inodes; /* of the tree, by number of known */
	size_t known_room;
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

	/* Numbers rise by one. */
	if (status == 0)
		status = array_reserve(&l->known_inodes, &l->known_room, number,
				       sizeof(*l->known_inodes), error);
	if (status == 0)
		l->known_inodes[number] = id;
	return status;
}

/* What has one name by its own account comes up once, or is taken for two inodes. */
static bool may_come_again(const struct erofs_inode *head)
{
	return S_ISDIR(head->mode) || head->nlink != 1;
}

/* A directory keeps its nid in size until its entries were read; nlink is the image's. */
static int load_inode(struct loader *l, uint32_t *id, uint64_t nid,
		      const struct erofs_placed_inode *inode, struct mkrootfs_error *error)
{
	int status = erofs_read_inode(l->tree, id, inode, l->reader, error);

	if (status == 0 && l->watch)
		status = l->watch->inode(l->watch->user, l->tree, *id, nid, inode, error);
	if (status < 0)
		return status;
	l->tree->inodes[*id].nlink = inode->head.nlink;
	if (S_ISDIR(inode->head.mode))
		l->tree->inodes[*id].size = nid;
	if (may_come_again(&inode->head))
		status = remember(l, nid, *id, error);
	return status;
}

/* The tree's inode for a nid, loaded at its first name. */
static int inode_for(struct loader *l, uint32_t *id, uint64_t nid, uint8_t file_type,
		     struct mkrootfs_error *error)
{
	struct erofs_placed_inode inode;
	uint32_t number = 0;
	int status = erofs_read_head(&inode, l->reader, nid, error);

	if (status == 0 && may_come_again(&inode.head))
		number = intern_find(&l->known, &nid, sizeof(nid));
	*id = number ? l->known_inodes[number] : 0;
	if (number && S_ISDIR(l->tree->inodes[*id].mode))
		return malformed(error, "a directory has two names");
	if (status == 0 && number == 0)
		status = load_inode(l, id, nid, &inode, error);
	if (status == 0 && erofs_file_type(l->tree->inodes[*id].mode) != file_type)
		return malformed(error, "a directory entry's type is not its inode's");
	return status;
}

/* ---- Directories ---- */

static int load_entry(struct loader *l, uint32_t directory, const struct erofs_entry *entry,
		      struct mkrootfs_error *error)
{
	struct tree_place place = { .is_last = true }; /* dirent_follow has seen to it */
	uint32_t id;
	int status;

	if (erofs_is_dot(entry->name, entry->len)) {
		l->dots[entry->len - 1] = entry->nid;
		if (entry->file_type != EROFS_FT_DIR)
			return malformed(error, "a directory entry's type is not its inode's");
		return 0;
	}
	if (l->tree->node_count > l->max_nodes)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the image has more than %u names",
				 l->max_nodes);
	status = inode_for(l, &id, entry->nid, entry->file_type, error);
	return status < 0 ? status
			  : tree_put_at(l->tree, &place, directory, entry->name, entry->len, id,
					error);
}

static int load_block(struct loader *l, uint32_t directory, const struct dirent_block *block,
		      struct dirent_last *last, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < block->count; i++) {
		struct erofs_entry entry;

		status = dirent_block_get(&entry, block, i, error);
		if (!entry.name)
			break;
		if (status == 0)
			status = dirent_follow(last, &entry, error);
		if (status == 0)
			status = load_entry(l, directory, &entry, error);
		status = tolerate(l, directory, (const uint8_t *)entry.name, entry.len, status,
				  error);
	}
	dirent_keep(last);
	return status;
}

static int load_blocks(struct loader *l, uint32_t node, const struct erofs_placed_inode *inode,
		       struct mkrootfs_error *error)
{
	struct dirent_last last = { .len = 0 };
	struct dirent_block block;
	uint64_t count;
	int status = dirent_block_count(&count, inode, error);

	for (uint64_t i = 0; status == 0 && i < count; i++) {
		status = dirent_block_read(&block, inode, l->reader, i, error);
		if (status == 0)
			status = load_block(l, node, &block, &last, error);
	}
	return status;
}

/* The directory's node keeps the nid in its inode's size until now. */
static int load_entries(struct loader *l, uint32_t node, struct mkrootfs_error *error)
{
	struct tree_inode *directory = tree_inode_of(l->tree, node);
	struct erofs_placed_inode inode;
	uint64_t nid = directory->size;
	int status;

	directory->size = 0;
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

int erofs_fill_tree(struct tree *tree, struct erofs_reader *reader, uint32_t max_nodes,
		    const struct erofs_watch *watch, struct mkrootfs_error *error)
{
	struct loader l = {
		.reader = reader, .tree = tree, .max_nodes = max_nodes, .watch = watch
	};
	int status = load_all(&l, error);

	intern_free(&l.known);
	free(l.known_inodes);
	return status;
}

int erofs_load_tree(struct tree **out, struct erofs_reader *reader, uint32_t max_nodes,
		    const struct erofs_watch *watch, struct mkrootfs_error *error)
{
	int status = tree_create(out, error);

	if (status < 0)
		return status;
	status = erofs_fill_tree(*out, reader, max_nodes, watch, error);
	if (status < 0) {
		tree_free(*out);
		*out = NULL;
	}
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
