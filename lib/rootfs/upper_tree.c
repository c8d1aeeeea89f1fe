/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_tree.h"

#include "../erofs/marks.h"

#include <stdlib.h>

static int add_directory(struct upper_tree *upper, uint32_t *node, const char *name, size_t len,
			 struct mkrootfs_error *error)
{
	const struct tree_inode made = { .mode = S_IFDIR | 0755, .attributes = upper->plain };
	uint32_t inode;
	int status = tree_new_inode(upper->tree, &inode, &made, error);

	return status < 0 ? status
			  : tree_put(upper->tree, node, TREE_ROOT, name, len, inode, error);
}

/* The overlay's root shows what upper/ has. */
static int copy_root(struct upper_tree *upper, struct mkrootfs_error *error)
{
	struct erofs_reader *reader = upper->image->reader;
	struct erofs_placed_inode root;
	uint32_t id;

	if (erofs_read_head(&root, reader, erofs_reader_superblock(reader)->root_nid, error) < 0 ||
	    erofs_read_inode(upper->tree, &id, &root, reader, error) < 0)
		return error_prefix(error, "the image's root: ");
	upper->tree->inodes[id].flags = 0;
	upper->tree->nodes[upper->upper].inode = id;
	return upper_public_xattrs(upper->tree, &upper->tree->inodes[id], error);
}

static int fill(struct upper_tree *upper, struct mkrootfs_error *error)
{
	const struct tree_attributes plain = { .mtime = upper->time };
	struct tree_inode *root;
	uint32_t node;

	if (tree_create(&upper->tree, error) < 0)
		return error->status;
	root = tree_inode_of(upper->tree, TREE_ROOT);
	root->flags = 0;
	if (tree_set_attributes(upper->tree, root, &plain, error) < 0)
		return error->status;
	upper->plain = root->attributes;
	if (add_directory(upper, &upper->upper, "upper", 5, error) < 0 ||
	    add_directory(upper, &node, "work", 4, error) < 0)
		return error->status;
	return upper->image ? copy_root(upper, error) : 0;
}

int upper_tree_create(struct upper_tree **out, const struct mkrootfs_tree *image, int64_t time,
		      struct mkrootfs_error *error)
{
	struct upper_tree *upper = calloc(1, sizeof(*upper));

	*out = NULL;
	if (!upper)
		return error_no_memory(error);
	upper->image = image;
	upper->time = time;
	if (fill(upper, error) < 0) {
		upper_tree_free(upper);
		return error->status;
	}
	*out = upper;
	return 0;
}

/* The flags of new directories become what overlayfs reads. */
int upper_tree_finish(struct upper_tree *upper, struct mkrootfs_error *error)
{
	int status = tree_seal(upper->tree, error);

	return status < 0 ? status : erofs_marks_add(upper->tree, error);
}

void upper_tree_free(struct upper_tree *upper)
{
	if (!upper)
		return;
	tree_free(upper->tree);
	free(upper);
}

int upper_public_xattrs(struct tree *tree, struct tree_inode *inode, struct mkrootfs_error *error)
{
	uint32_t from = tree_attributes_of(tree, inode)->xattrs, set = 0, kept = 0;
	uint32_t count = xattr_set_count(&tree->xattrs, from);
	struct xattr_entry *list = calloc(count ? count : 1, sizeof(*list));
	int status;

	if (!list)
		return error_no_memory(error);
	for (uint32_t i = 0; i < count; i++) {
		xattr_set_get(&tree->xattrs, from, i, &list[kept]);
		kept += !erofs_mark_is_private(list[kept].name, list[kept].name_len);
	}
	status = xattr_pool_add(&tree->xattrs, &set, list, kept, error);
	free(list);
	return status < 0 ? status : tree_set_xattrs(tree, inode, set, error);
}
