/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_stat.h"

#include "../erofs/read_data.h"
#include "../erofs/read_xattrs.h"

#include <string.h>

/* Chunks that are looked at for the first one that is no hole: no file of ours has more. */
#define MAX_HOLES 4096u

/* The first byte that stands somewhere: behind holes at the file's start. */
static void find_first_data(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
			    const struct erofs_placed_inode *inode)
{
	struct mkrootfs_error ignored;
	struct extent_place place;
	struct erofs_piece piece = { .hole = true };

	for (uint64_t at = 0, n = 0; at < stat->size && piece.hole && n < MAX_HOLES;
	     at += piece.left, n++)
		if (erofs_find_data(&piece, inode, tree->reader, at, &ignored) < 0)
			return;
	if (piece.hole || !extents_find(&place, erofs_reader_extents(tree->reader), piece.address))
		return;
	stat->data_file = place.path;
	stat->data_offset = place.offset;
}

int tree_stat_of(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
		 const struct tree_found *found, struct mkrootfs_error *error)
{
	const struct erofs_inode *head = &found->inode.head;
	int status;

	*stat = (struct mkrootfs_stat){ .inode = found->nid,
					.mode = head->mode,
					.links = head->nlink,
					.uid = head->uid,
					.gid = head->gid,
					.size = head->size };
	status = erofs_read_mtime(&stat->mtime, &stat->mtime_nsec, &found->inode, tree->reader,
				  error);
	if (status == 0 && head->size > INT64_MAX)
		status =
			error_set(error, MKROOTFS_ERROR_MALFORMED, "a file's size is out of range");
	if (S_ISCHR(head->mode) || S_ISBLK(head->mode))
		erofs_device_decode(&stat->device_major, &stat->device_minor, head->u);
	if (status == 0 && S_ISREG(head->mode))
		find_first_data(stat, tree, &found->inode);
	return status;
}

int tree_target_of(char *target, const struct mkrootfs_tree *tree, const struct tree_found *found,
		   struct mkrootfs_error *error)
{
	int status = erofs_read_target(target, &found->inode, tree->reader, error);

	target[status < 0 ? 0 : found->inode.head.size] = '\0';
	return status;
}

int tree_stat(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree, const char *path,
	      bool follow, struct mkrootfs_error *error)
{
	struct tree_found found;
	int status = tree_resolve(&found, tree, path, follow, error);

	*stat = (struct mkrootfs_stat){ 0 };
	if (status < 0)
		return status;
	status = tree_stat_of(stat, tree, &found, error);
	return status < 0 ? error_prefix(error, "'%s': ", path) : 0;
}

int tree_readlink(char *target, const struct mkrootfs_tree *tree, const char *path,
		  struct mkrootfs_error *error)
{
	struct tree_found found;
	int status = tree_resolve(&found, tree, path, false, error);

	*target = '\0';
	if (status < 0)
		return status;
	if (!S_ISLNK(found.inode.head.mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' is no symbolic link", path);
	status = tree_target_of(target, tree, &found, error);
	return status < 0 ? error_prefix(error, "'%s': ", path) : 0;
}

/* ---- Extended attributes ---- */

static int report(const struct xattr_pool *pool, uint32_t set, mkrootfs_xattr_fn fn, void *user,
		  struct mkrootfs_error *error)
{
	for (uint32_t i = 0; i < xattr_set_count(pool, set); i++) {
		char name[XATTR_NAME_MAX_BYTES + 1];
		struct xattr_entry entry;

		xattr_set_get(pool, set, i, &entry);
		memcpy(name, entry.name, entry.name_len);
		name[entry.name_len] = '\0';
		if (fn(user, name, entry.value, entry.value_len) != 0)
			return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	}
	return 0;
}

int tree_xattrs(const struct mkrootfs_tree *tree, const char *path, bool follow,
		mkrootfs_xattr_fn fn, void *user, struct mkrootfs_error *error)
{
	struct xattr_pool pool = { 0 };
	struct tree_found found;
	uint32_t set, size;
	int status = tree_resolve(&found, tree, path, follow, error);

	if (status < 0)
		return status;
	size = erofs_xattr_ibody_size(found.inode.head.xattr_count);
	status = erofs_read_xattrs(tree->reader, &pool, &set, found.inode.xattrs, size, error);
	if (status < 0)
		error_prefix(error, "'%s': ", path);
	else
		status = report(&pool, set, fn, user, error);
	xattr_pool_free(&pool);
	return status;
}
