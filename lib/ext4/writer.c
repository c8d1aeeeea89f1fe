/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include "format.h"
#include "tree_writer.h"

_Static_assert(EXT4_MIN_SIZE == MKROOTFS_UPPER_MIN_SIZE, "the public header states the minimum");
_Static_assert(EXT4_MIN_JOURNAL_SIZE == JBD2_MIN_JOURNAL_BLOCKS * EXT4_BLOCK_SIZE,
	       "jbd2 refuses smaller journals");

/* With the root's owner and time. */
static int add_directory(struct tree *tree, const char *name, size_t len,
			 struct mkrootfs_error *error)
{
	const struct tree_inode made = { .mode = S_IFDIR | 0755,
					 .attributes = tree->inodes[TREE_ROOT].attributes };
	uint32_t inode, node;
	int status = tree_new_inode(tree, &inode, &made, error);

	return status < 0 ? status : tree_put(tree, &node, TREE_ROOT, name, len, inode, error);
}

static int make_tree(struct tree **out, int64_t time, struct mkrootfs_error *error)
{
	const struct tree_attributes attributes = { .mtime = time };
	struct tree *tree;
	int status = tree_create(&tree, error);

	*out = NULL;
	if (status < 0)
		return status;
	status = tree_set_attributes(tree, &tree->inodes[TREE_ROOT], &attributes, error);
	if (status == 0)
		status = add_directory(tree, "upper", 5, error);
	if (status == 0)
		status = add_directory(tree, "work", 4, error);
	if (status == 0)
		status = tree_seal(tree, error);
	if (status == 0)
		*out = tree;
	else
		tree_free(tree);
	return status;
}

int ext4_write_upper(struct image_file *file, const struct ext4_options *options,
		     struct mkrootfs_error *error)
{
	const struct ext4_contents nothing = { 0 };
	struct tree *tree;
	int status = make_tree(&tree, options->time, error);

	if (status == 0)
		status = ext4_write_tree(file, tree, &nothing, options, error);
	tree_free(tree);
	return status;
}
