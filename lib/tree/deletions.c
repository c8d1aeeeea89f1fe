/* SPDX-License-Identifier: Apache-2.0 */
#include "deletions.h"

#include "../base/array.h"
#include "find.h"

#include <stdlib.h>
#include <string.h>

int deletions_add(struct deletions *deletions, struct tree *tree, enum whiteout_kind kind,
		  const char *path, const struct tree_inode *entry, struct mkrootfs_error *error)
{
	const struct tree_attributes *shown = tree_attributes_of(tree, entry);
	const struct tree_attributes time = { .mtime = shown->mtime,
					      .mtime_nsec = shown->mtime_nsec };
	struct deletion deletion = { .kind = kind };
	int status = array_reserve(&deletions->list, &deletions->room, deletions->count,
				   sizeof(*deletions->list), error);

	if (status == 0)
		status = attribute_pool_add(&tree->attributes, &deletion.attributes, &time, error);
	if (status == 0)
		status = tree_new_string(tree, &deletion.path, path, strlen(path), error);
	if (status == 0)
		deletions->list[deletions->count++] = deletion;
	return status;
}

/* Whether a directory was only made on the way to whiteouts: then nothing in it is to be shown. */
static bool has_only_whiteouts(const struct tree *tree, uint32_t directory)
{
	uint32_t end = tree_walk_past(tree, directory), node = directory;

	for (; node != end; node = tree_walk(tree, node)) {
		const struct tree_inode *inode = tree_inode_of(tree, node);

		if (tree_is_directory(inode) ? !(inode->flags & TREE_IMPLIED)
					     : !tree_is_whiteout(inode))
			return false;
	}
	return true;
}

/* The entry wins over the whiteout of its name; a directory then hides the lower layers'. */
static bool yields_to(struct tree *tree, uint32_t node)
{
	struct tree_inode *inode = tree_inode_of(tree, node);

	if (!tree_is_directory(inode))
		return true;
	if (has_only_whiteouts(tree, node))
		return false;
	inode->flags &= (uint16_t)~TREE_IMPLIED;
	inode->flags |= TREE_OPAQUE;
	return true;
}

static int add_whiteout(struct tree *tree, uint32_t directory, const char *name, size_t len,
			const struct deletion *deletion, struct mkrootfs_error *error)
{
	const struct tree_inode whiteout = { .mode = S_IFCHR, .attributes = deletion->attributes };
	uint32_t node = tree_lookup(tree, directory, name, len), id;
	int status;

	if (node && yields_to(tree, node))
		return 0;
	status = tree_new_inode(tree, &id, &whiteout, error);
	return status < 0 ? status : tree_put(tree, &node, directory, name, len, id, error);
}

/* Where the layer has something else in the folder's place, that hides all below it already. */
static int apply(struct tree *tree, const struct deletion *deletion, uint32_t max_depth,
		 struct mkrootfs_error *error)
{
	const char *path = (const char *)arena_at(&tree->arena, deletion->path), *name;
	uint32_t directory;
	size_t len;
	int status = tree_make_parent(tree, &directory, &name, &len, path, max_depth,
				      TREE_ONLY_DIRECTORIES, error);

	if (status < 0)
		return error_prefix(error, "tar entry '%.400s': ", path);
	if (directory == 0)
		return 0;
	if (deletion->kind == WHITEOUT_NAME)
		return add_whiteout(tree, directory, name + WHITEOUT_PREFIX_LEN,
				    len - WHITEOUT_PREFIX_LEN, deletion, error);
	tree_inode_of(tree, directory)->flags |= TREE_OPAQUE;
	return 0;
}

int deletions_apply(const struct deletions *deletions, struct tree *tree, uint32_t max_depth,
		    struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < deletions->count; i++)
		status = apply(tree, &deletions->list[i], max_depth, error);
	return status;
}

void deletions_free(struct deletions *deletions)
{
	free(deletions->list);
	*deletions = (struct deletions){ 0 };
}
