/* SPDX-License-Identifier: Apache-2.0 */
/* Owner, time and xattrs of a tree's inodes. */
#include "tree.h"

int tree_set_attributes(struct tree *tree, struct tree_inode *inode,
			const struct tree_attributes *attributes, struct mkrootfs_error *error)
{
	return attribute_pool_add(&tree->attributes, &inode->attributes, attributes, error);
}

int tree_set_xattrs(struct tree *tree, struct tree_inode *inode, uint32_t set,
		    struct mkrootfs_error *error)
{
	struct tree_attributes attributes = *tree_attributes_of(tree, inode);

	attributes.xattrs = set;
	return tree_set_attributes(tree, inode, &attributes, error);
}

int tree_copy_attributes(struct tree *tree, struct tree_inode *to, const struct tree *from_tree,
			 const struct tree_inode *from, struct mkrootfs_error *error)
{
	struct tree_attributes attributes = *tree_attributes_of(from_tree, from);

	tree_copy_mode(to, from);
	attributes.xattrs = tree_attributes_of(tree, to)->xattrs;
	return tree_set_attributes(tree, to, &attributes, error);
}
