/* SPDX-License-Identifier: Apache-2.0 */
#include "export_entry.h"

#include <stdlib.h>
#include <string.h>

int export_set_path(struct buf *out, const struct tree *tree, uint32_t node, const char *prefix,
		    struct mkrootfs_error *error)
{
	size_t len = tree_path_length(tree, node), name_len;
	uint8_t *bytes;
	int status;

	buf_clear(out);
	status = buf_grow(out, &bytes, len + strlen(prefix) + 1, error);
	if (status < 0)
		return status;
	tree_path(tree, node, (char *)bytes, len + 1);
	tree_name(tree, node, &name_len);
	memmove(bytes + len - name_len + strlen(prefix), bytes + len - name_len, name_len + 1);
	memcpy(bytes + len - name_len, prefix, strlen(prefix));
	out->len--;
	return 0;
}

static int set_xattrs(struct exporter *e, struct tar_entry *entry, const struct tree_inode *inode,
		      struct mkrootfs_error *error)
{
	uint32_t set = tree_attributes_of(e->tree, inode)->xattrs;
	uint32_t count = xattr_set_count(&e->tree->xattrs, set);

	if (count > e->xattr_room) {
		struct tar_xattr *xattrs = realloc(e->xattrs, count * sizeof(*xattrs));

		if (!xattrs)
			return error_no_memory(error);
		e->xattrs = xattrs;
		e->xattr_room = count;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct xattr_entry xattr;

		xattr_set_get(&e->tree->xattrs, set, i, &xattr);
		e->xattrs[i] = (struct tar_xattr){ xattr.name, xattr.name_len, xattr.value,
						   xattr.value_len };
	}
	entry->xattrs = e->xattrs;
	entry->xattr_count = count;
	return 0;
}

struct tar_entry export_attributes(const struct exporter *e, const struct tree_inode *inode)
{
	const struct tree_attributes *attributes = tree_attributes_of(e->tree, inode);

	return (struct tar_entry){
		.path = (const char *)e->path.data,
		.path_len = e->path.len,
		.link = "",
		.mode = inode->mode & 07777,
		.uid = attributes->uid,
		.gid = attributes->gid,
		.mtime = attributes->mtime,
		.mtime_nsec = attributes->mtime_nsec,
	};
}

int export_put_entry(struct exporter *e, struct tar_entry *entry, enum tar_type type,
		     const struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = set_xattrs(e, entry, inode, error);

	entry->type = type;
	return status < 0 ? status : tar_writer_entry(e->writer, entry, NULL, 0, error);
}

static int put_file(struct exporter *e, struct tar_entry *entry, const struct tree_inode *inode,
		    struct mkrootfs_error *error)
{
	int status = set_xattrs(e, entry, inode, error);

	entry->type = TAR_FILE;
	entry->size = inode->size;
	entry->sparse = inode->flags & TREE_CHUNKED;
	if (status == 0 && entry->sparse)
		status = export_data_ranges(&e->data, inode, error);
	if (status == 0)
		status = tar_writer_entry(e->writer, entry, e->data.ranges, e->data.count, error);
	if (status == 0 && inode->size > 0)
		status = export_data_copy(&e->data, e->writer, inode, error);
	return status;
}

static int put_link(struct exporter *e, struct tar_entry *entry, const char *target, size_t len,
		    struct mkrootfs_error *error)
{
	entry->type = TAR_HARDLINK;
	entry->link = target;
	entry->link_len = len;
	return tar_writer_entry(e->writer, entry, NULL, 0, error);
}

static int put_symlink(struct exporter *e, struct tar_entry *entry, const struct tree_inode *inode,
		       struct mkrootfs_error *error)
{
	entry->link = tree_string(e->tree, inode);
	entry->link_len = strlen(entry->link);
	return export_put_entry(e, entry, TAR_SYMLINK, inode, error);
}

static int put_device(struct exporter *e, struct tar_entry *entry, const struct tree_inode *inode,
		      struct mkrootfs_error *error)
{
	entry->device_major = tree_major(inode);
	entry->device_minor = tree_minor(inode);
	return export_put_entry(e, entry, S_ISCHR(inode->mode) ? TAR_CHARACTER : TAR_BLOCK, inode,
				error);
}

/* A name that is the first of its inode. */
static int put_inode(struct exporter *e, const struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	struct tar_entry entry = export_attributes(e, inode);
	const char *target;

	switch (inode->mode & S_IFMT) {
	case S_IFREG:
		if (!(inode->flags & TREE_LINK))
			return put_file(e, &entry, inode, error);
		target = tree_string(e->tree, inode);
		return put_link(e, &entry, target, strlen(target), error);
	case S_IFLNK:
		return put_symlink(e, &entry, inode, error);
	case S_IFCHR:
	case S_IFBLK:
		return put_device(e, &entry, inode, error);
	case S_IFIFO:
		return export_put_entry(e, &entry, TAR_FIFO, inode, error);
	default:
		e->sockets++;
		return 0;
	}
}

int export_put_name(struct exporter *e, const struct export_name *name,
		    struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(e->tree, name->node);
	struct tar_entry entry;
	int status = export_set_path(&e->path, e->tree, name->node, "", error);

	if (status == 0 && name->target == 0)
		status = put_inode(e, inode, error);
	else if (status == 0)
		status = export_set_path(&e->link, e->tree, name->target, "", error);
	if (status == 0 && name->target && !S_ISSOCK(inode->mode)) {
		entry = export_attributes(e, inode);
		status = put_link(e, &entry, (const char *)e->link.data, e->link.len, error);
	}
	return status < 0 ? export_name_error(e, error) : 0;
}

int export_name_error(const struct exporter *e, struct mkrootfs_error *error)
{
	return error_prefix(error, "file '/%.400s': ", e->path.data ? (char *)e->path.data : "");
}
