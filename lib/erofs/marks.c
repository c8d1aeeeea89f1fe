/* SPDX-License-Identifier: Apache-2.0 */
#include "marks.h"

#include <stdlib.h>
#include <string.h>

#define OPAQUE "trusted.overlay.opaque"
#define IMPLIED "trusted.mkrootfs.implied"
#define HARDLINK "trusted.mkrootfs.hardlink"

static int add_mark(struct tree *tree, struct tree_inode *inode, const char *name,
		    const char *value, struct mkrootfs_error *error)
{
	const struct xattr_entry entry = { name, strlen(name), (const uint8_t *)value,
					   strlen(value) };
	uint32_t set;
	int status = xattr_pool_with(&tree->xattrs, &set, tree_attributes_of(tree, inode)->xattrs,
				     &entry, error);

	return status < 0 ? status : tree_set_xattrs(tree, inode, set, error);
}

int erofs_marks_add(struct tree *tree, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 1; status == 0 && i < tree->inode_count; i++) {
		struct tree_inode *inode = &tree->inodes[i];

		if (!(inode->flags & (TREE_OPAQUE | TREE_IMPLIED | TREE_LINK)) || inode->nlink == 0)
			continue;
		if (inode->flags & TREE_OPAQUE)
			status = add_mark(tree, inode, OPAQUE, "y", error);
		if (status == 0 && (inode->flags & TREE_IMPLIED))
			status = add_mark(tree, inode, IMPLIED, "y", error);
		if (status == 0 && (inode->flags & TREE_LINK))
			status = add_mark(tree, inode, HARDLINK, tree_string(tree, inode), error);
	}
	return status;
}

/* Sets the flag that an entry stands for; 0 when it is an ordinary one. */
static uint16_t flag_of(const struct xattr_entry *entry)
{
	if (xattr_entry_is(entry, OPAQUE))
		return TREE_OPAQUE;
	if (xattr_entry_is(entry, IMPLIED))
		return TREE_IMPLIED;
	return xattr_entry_is(entry, HARDLINK) ? TREE_LINK : 0;
}

/* What a set says: the flags, the link's target, and the set that is left. */
struct set_marks {
	uint16_t flags;
	uint32_t rest;
	uint32_t target; /* arena reference */
};

static int split_set(struct tree *tree, struct set_marks *marks, uint32_t set,
		     struct mkrootfs_error *error)
{
	uint32_t count = xattr_set_count(&tree->xattrs, set), kept = 0;
	struct xattr_entry *list = calloc(count + 1u, sizeof(*list));
	int status = list ? 0 : error_no_memory(error);

	*marks = (struct set_marks){ 0 };
	for (uint32_t i = 0; status == 0 && i < count; i++) {
		uint16_t flag;

		xattr_set_get(&tree->xattrs, set, i, &list[kept]);
		flag = flag_of(&list[kept]);
		marks->flags |= flag;
		if (flag == TREE_LINK)
			status = tree_new_string(tree, &marks->target,
						 (const char *)list[kept].value,
						 list[kept].value_len, error);
		kept += flag == 0;
	}
	if (status == 0)
		status = xattr_pool_add(&tree->xattrs, &marks->rest, list, kept, error);
	free(list);
	return status;
}

static int take_marks(struct tree *tree, struct tree_inode *inode, const struct set_marks *marks,
		      struct mkrootfs_error *error)
{
	bool directory = S_ISDIR(inode->mode);

	if ((!directory && (marks->flags & (TREE_OPAQUE | TREE_IMPLIED))) ||
	    ((marks->flags & TREE_LINK) && (!S_ISREG(inode->mode) || inode->size > 0)))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "a layer's mark on a file of the wrong type");
	inode->flags |= marks->flags;
	if (marks->flags & TREE_LINK)
		inode->data = marks->target;
	return tree_set_xattrs(tree, inode, marks->rest, error);
}

int erofs_marks_take(struct tree *tree, struct mkrootfs_error *error)
{
	uint32_t set_count = tree->xattrs.sets.count;
	struct set_marks *marks = calloc(set_count + 1u, sizeof(*marks));
	int status = marks ? 0 : error_no_memory(error);

	for (uint32_t set = 1; status == 0 && set <= set_count; set++)
		status = split_set(tree, &marks[set], set, error);
	for (uint32_t i = 1; status == 0 && set_count > 0 && i < tree->inode_count; i++) {
		uint32_t set = tree_attributes_of(tree, &tree->inodes[i])->xattrs;

		if (set)
			status = take_marks(tree, &tree->inodes[i], &marks[set], error);
	}
	free(marks);
	return status;
}

static bool starts_with(const char *name, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && !memcmp(name, prefix, strlen(prefix));
}

bool erofs_mark_is_private(const char *name, size_t len)
{
	return starts_with(name, len, "trusted.overlay.") ||
	       starts_with(name, len, "user.overlay.") ||
	       starts_with(name, len, "trusted.mkrootfs.");
}
