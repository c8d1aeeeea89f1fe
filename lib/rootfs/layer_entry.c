/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_entry.h"

#include "../erofs/marks.h"
#include "../erofs/xattr_name.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static uint16_t type_bits(enum tar_type type)
{
	switch (type) {
	case TAR_DIRECTORY:
		return S_IFDIR;
	case TAR_SYMLINK:
		return S_IFLNK;
	case TAR_CHARACTER:
		return S_IFCHR;
	case TAR_BLOCK:
		return S_IFBLK;
	case TAR_FIFO:
		return S_IFIFO;
	case TAR_FILE:
	case TAR_HARDLINK:
		break;
	}
	return S_IFREG;
}

static void note_dropped(struct dropped_xattrs *dropped, const struct tar_xattr *xattr,
			 const struct tar_entry *entry)
{
	if (dropped->count++ > 0)
		return;
	snprintf(dropped->name, sizeof(dropped->name), "%s", xattr->name);
	snprintf(dropped->path, sizeof(dropped->path), "%s", entry->path);
}

static int reserve_xattrs(struct layer_entry *work, size_t count, struct mkrootfs_error *error)
{
	struct xattr_entry *xattrs;

	if (count <= work->xattr_room)
		return 0;
	xattrs = realloc(work->xattrs, count * sizeof(*xattrs));
	if (!xattrs)
		return error_no_memory(error);
	work->xattrs = xattrs;
	work->xattr_room = count;
	return 0;
}

/* Overlay-private names go without a word, unsupported ones are noted. */
static int add_xattrs(struct layer_entry *work, uint32_t *set, const struct tar_entry *entry,
		      struct mkrootfs_error *error)
{
	struct erofs_xattr_name split;
	size_t kept = 0;
	int status = reserve_xattrs(work, entry->xattr_count, error);

	*set = 0;
	for (size_t i = 0; status == 0 && i < entry->xattr_count; i++) {
		const struct tar_xattr *xattr = &entry->xattrs[i];

		if (erofs_mark_is_private(xattr->name, xattr->name_len))
			continue;
		if (!erofs_xattr_split(&split, xattr->name, xattr->name_len)) {
			note_dropped(&work->dropped, xattr, entry);
			continue;
		}
		work->xattrs[kept++] = (struct xattr_entry){ xattr->name, xattr->name_len,
							     xattr->value, xattr->value_len };
	}
	if (status < 0 || kept == 0)
		return status;
	return xattr_pool_add(&work->layer->tree->xattrs, set, work->xattrs, kept, error);
}

/* The kernel reads at most a page of a target, and cannot make an empty one. */
static int set_target(struct layer_entry *work, struct tree_inode *inode,
		      const struct tar_entry *entry, struct mkrootfs_error *error)
{
	if (entry->link_len == 0 || entry->link_len >= PATH_MAX)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "a symbolic link's target of %zu bytes, 1 to %d are possible",
				 entry->link_len, PATH_MAX - 1);
	inode->size = entry->link_len;
	return tree_new_string(work->layer->tree, &inode->data, entry->link, entry->link_len,
			       error);
}

int layer_entry_inode(struct layer_entry *work, struct tree_inode *inode,
		      const struct tar_entry *entry, struct mkrootfs_error *error)
{
	struct tree_attributes attributes = {
		.mtime = entry->mtime,
		.mtime_nsec = entry->mtime_nsec,
		.uid = entry->uid,
		.gid = entry->gid,
	};
	int status = 0;

	*inode = (struct tree_inode){
		.mode = (uint16_t)(type_bits(entry->type) | (entry->mode & 07777)),
	};
	if (entry->type == TAR_CHARACTER || entry->type == TAR_BLOCK)
		inode->data = tree_device(entry->device_major, entry->device_minor);
	if (entry->type != TAR_HARDLINK)
		status = add_xattrs(work, &attributes.xattrs, entry, error);
	return status < 0 ? status
			  : tree_set_attributes(work->layer->tree, inode, &attributes, error);
}

static int put_link(struct layer_entry *work, const struct tar_entry *entry,
		    const struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = path_normalise(&work->link, entry->link, entry->link_len,
				    work->layer->max_depth, error);

	if (status < 0)
		return error_prefix(error, "hard link to '%.400s': ", entry->link);
	return layer_tree_link(work->layer, (const char *)work->path.normal.data,
			       (const char *)work->link.data, inode, error);
}

int layer_entry_put(struct layer_entry *work, const struct tar_entry *entry,
		    struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = entry_path_set(&work->path, entry->path, entry->path_len,
				    work->layer->max_depth, error);

	if (status == 0 && entry->type == TAR_SYMLINK)
		status = set_target(work, inode, entry, error);
	if (status == 0 && entry->type == TAR_HARDLINK)
		return put_link(work, entry, inode, error);
	return status < 0 ? status
			  : layer_tree_add(work->layer, (const char *)work->path.normal.data, inode,
					   error);
}

void layer_entry_free(struct layer_entry *work)
{
	entry_path_free(&work->path);
	buf_free(&work->link);
	free(work->xattrs);
}
