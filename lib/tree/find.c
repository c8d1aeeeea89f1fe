/* SPDX-License-Identifier: Apache-2.0 */
#include "find.h"

#include <string.h>

#define MAX_LINKS 40	    /* followed in one path; Linux's MAXSYMLINKS */
#define PATH_CAP (1u << 20) /* bytes of a path with its links' targets in it */

/* Where a walk stands: a directory, and the path that is left from there. */
struct walk {
	const struct tree *tree;
	uint32_t directory;
	uint32_t depth;
	uint32_t links;
	struct buf pending; /* holds rest once a link was followed */
	const char *rest;
};

static bool is_last(const struct walk *walk)
{
	return *walk->rest == '\0';
}

/* Takes the next component, which is empty only in front of a leading slash. */
static size_t take(struct walk *walk, const char **name)
{
	size_t len = strcspn(walk->rest, "/");

	*name = walk->rest;
	walk->rest += len;
	walk->rest += strspn(walk->rest, "/");
	return len;
}

/* True for "", "." and "..", which lead to no child; ".." stops at the root. */
static bool step_dots(struct walk *walk, const char *name, size_t len)
{
	if (len == 0 || (len == 1 && name[0] == '.'))
		return true;
	if (len != 2 || name[0] != '.' || name[1] != '.')
		return false;
	if (walk->directory != TREE_ROOT) {
		walk->directory = walk->tree->nodes[walk->directory].parent;
		walk->depth--;
	}
	return true;
}

/* Puts a link's target, any bytes of an archive, in front of what is left. */
static int follow(struct walk *walk, const struct tree_inode *link, struct mkrootfs_error *error)
{
	const char *target = tree_string(walk->tree, link);
	struct buf joined = BUF_INIT(PATH_CAP);
	int status;

	if (++walk->links > MAX_LINKS)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "more than %d symbolic links on the way", MAX_LINKS);
	if (*target == '/') {
		walk->directory = TREE_ROOT;
		walk->depth = 0;
	}
	status = buf_printf(&joined, error, "%s%s%s", target, is_last(walk) ? "" : "/", walk->rest);
	if (status < 0) {
		buf_free(&joined);
		return status;
	}
	buf_free(&walk->pending);
	walk->pending = joined;
	walk->rest = (const char *)joined.data;
	return 0;
}

int tree_make_directory(struct tree *tree, uint32_t *node, uint32_t parent, const char *name,
			size_t len, struct mkrootfs_error *error)
{
	struct tree_inode inode = { .mode = S_IFDIR | 0755, .flags = TREE_IMPLIED };
	uint32_t id;
	int status;

	*node = tree_lookup(tree, parent, name, len);
	if (*node && tree_is_directory(tree_inode_of(tree, *node)))
		return 0;
	if (*node && tree_is_whiteout(tree_inode_of(tree, *node)))
		inode.flags = TREE_OPAQUE;
	status = tree_new_inode(tree, &id, &inode, error);
	return status < 0 ? status : tree_put(tree, node, parent, name, len, id, error);
}

static int too_deep(uint32_t max_depth, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_LIMIT,
			 "the path has more than %u components (limits.path_depth)", max_depth);
}

static int descend(struct walk *walk, struct tree *tree, const char *name, size_t len,
		   uint32_t max_depth, struct mkrootfs_error *error)
{
	if (len > PATH_NAME_MAX)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "a symbolic link's component has %zu bytes, the limit is %d", len,
				 PATH_NAME_MAX);
	if (++walk->depth >= max_depth)
		return too_deep(max_depth, error);
	return tree_make_directory(tree, &walk->directory, walk->directory, name, len, error);
}

static int step_make(struct walk *walk, struct tree *tree, uint32_t max_depth, unsigned flags,
		     struct mkrootfs_error *error)
{
	const char *name;
	size_t len = take(walk, &name);
	uint32_t node;

	if (step_dots(walk, name, len))
		return 0;
	node = tree_lookup(tree, walk->directory, name, len);
	if (node && (flags & TREE_ONLY_DIRECTORIES) &&
	    !tree_is_directory(tree_inode_of(tree, node))) {
		walk->directory = 0;
		return 0;
	}
	if (node && S_ISLNK(tree_inode_of(tree, node)->mode))
		return follow(walk, tree_inode_of(tree, node), error);
	return descend(walk, tree, name, len, max_depth, error);
}

int tree_make_parent(struct tree *tree, uint32_t *directory, const char **name, size_t *len,
		     const char *path, uint32_t max_depth, unsigned flags,
		     struct mkrootfs_error *error)
{
	const char *slash = strrchr(path, '/');
	struct walk walk = { .tree = tree, .directory = TREE_ROOT, .pending = BUF_INIT(PATH_CAP) };
	int status;

	*name = slash ? slash + 1 : path;
	*len = strlen(*name);
	if (max_depth == 0)
		return too_deep(max_depth, error);
	status = buf_append(&walk.pending, path, slash ? (size_t)(slash - path) : 0, error);
	walk.rest = (const char *)walk.pending.data;
	while (status == 0 && walk.directory && !is_last(&walk))
		status = step_make(&walk, tree, max_depth, flags, error);
	*directory = walk.directory;
	buf_free(&walk.pending);
	return status;
}

/* *node is where the step led, 0 when it led nowhere. */
static int step_find(struct walk *walk, uint32_t *node, unsigned flags,
		     struct mkrootfs_error *error)
{
	const char *name;
	size_t len = take(walk, &name);
	const struct tree_inode *inode;

	*node = walk->directory;
	if (step_dots(walk, name, len)) {
		*node = walk->directory;
		return 0;
	}
	*node = tree_lookup(walk->tree, walk->directory, name, len);
	if (*node == 0)
		return 0;
	inode = tree_inode_of(walk->tree, *node);
	if (S_ISLNK(inode->mode) && (!is_last(walk) || (flags & TREE_FOLLOW_LAST)))
		return follow(walk, inode, error);
	if (!is_last(walk) && !tree_is_directory(inode))
		*node = 0;
	walk->directory = *node;
	return 0;
}

int tree_find(const struct tree *tree, uint32_t *node, const char *path, unsigned flags,
	      struct mkrootfs_error *error)
{
	struct walk walk = {
		.tree = tree, .directory = TREE_ROOT, .pending = BUF_INIT(PATH_CAP), .rest = path
	};
	int status = 0;

	*node = TREE_ROOT;
	while (status == 0 && *node && !is_last(&walk))
		status = step_find(&walk, node, flags, error);
	if (status < 0)
		*node = 0;
	buf_free(&walk.pending);
	return status;
}
