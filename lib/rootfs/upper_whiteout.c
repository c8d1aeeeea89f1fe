/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_whiteout.h"

#include <string.h>

/* What the archive brought itself stays; a directory of it hides what was there. */
static bool is_own(struct upper_content *content, const char *path, uint32_t first_inode,
		   bool *failed, struct mkrootfs_error *error)
{
	struct tree *tree = content->upper->tree;
	struct upper_walk walk;
	bool own;

	*failed = upper_walk(&walk, content->upper, path, 0, error) < 0;
	if (*failed)
		return false;
	own = walk.kind == UPPER_NEW && walk.depth > 0 &&
	      tree->nodes[walk.found.node].inode >= first_inode;
	if (own && S_ISDIR(walk.mode))
		tree_inode_of(tree, walk.found.node)->flags |= TREE_OPAQUE;
	upper_walk_close(&walk);
	return own;
}

static int hide(struct upper_content *content, const char *path, struct mkrootfs_error *error)
{
	struct upper_walk walk;
	uint32_t node;
	int status = upper_walk(&walk, content->upper, path, UPPER_FOLLOW, error);

	if (status < 0)
		return status;
	if (walk.depth == 0)
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "an opaque mark for the guest's root");
	else
		status = upper_walk_directory(&walk, &node, NULL, error);
	if (status == 0)
		tree_inode_of(content->upper->tree, node)->flags |= TREE_OPAQUE;
	upper_walk_close(&walk);
	return status;
}

/* The whiteout's name gives way to the name that it means. */
static int meant_path(struct buf *out, const struct deletion *deletion, const char *path,
		      struct mkrootfs_error *error)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (buf_printf(out, error, "/%.*s", (int)(name - path), path) < 0)
		return error->status;
	if (deletion->kind == WHITEOUT_OPAQUE)
		return 0;
	return buf_append_string(out, name + WHITEOUT_PREFIX_LEN, error);
}

int upper_whiteout(struct upper_content *content, const struct deletion *deletion,
		   uint32_t first_inode, struct mkrootfs_error *error)
{
	const char *whiteout = (const char *)arena_at(&content->upper->tree->arena, deletion->path);
	struct buf path = BUF_INIT(strlen(whiteout) + 2);
	int status = meant_path(&path, deletion, whiteout, error);
	const char *text = (const char *)path.data;
	bool failed;

	if (status == 0 && deletion->kind == WHITEOUT_OPAQUE)
		status = hide(content, text, error);
	else if (status == 0 && !is_own(content, text, first_inode, &failed, error))
		status = failed ? error->status : upper_content_remove(content, text, false, error);
	buf_free(&path);
	return status;
}
