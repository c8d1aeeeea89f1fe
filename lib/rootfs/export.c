/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include "../erofs/marks.h"
#include "../tar/writer.h"
#include "../tree/whiteout.h"
#include "export_data.h"
#include "export_order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CAP (1u << 20)
#define OPAQUE_NAME ".wh..wh..opq"

struct exporter {
	struct tree *tree;
	struct tar_writer *writer;
	struct export_data data;
	struct export_order order;
	struct events *events;
	struct buf path, link;	  /* of the entry in work */
	struct tar_xattr *xattrs; /* the same */
	size_t xattr_room;
	uint64_t sockets; /* that were left out */
};

/* ---- Names ---- */

/* The node's path, with prefix in front of its last component. */
static int set_path(struct buf *out, const struct tree *tree, uint32_t node, const char *prefix,
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

static int name_error(const struct exporter *e, struct mkrootfs_error *error)
{
	return error_prefix(error, "file '/%.400s': ", e->path.data ? (char *)e->path.data : "");
}

/* ---- Entries ---- */

static int set_xattrs(struct exporter *e, struct tar_entry *entry, uint32_t set,
		      struct mkrootfs_error *error)
{
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

static struct tar_entry attributes_of(const struct exporter *e, const struct tree_inode *inode)
{
	return (struct tar_entry){
		.path = (const char *)e->path.data,
		.path_len = e->path.len,
		.link = "",
		.mode = inode->mode & 07777,
		.uid = inode->uid,
		.gid = inode->gid,
		.mtime = inode->mtime,
		.mtime_nsec = inode->mtime_nsec,
	};
}

static int put_entry(struct exporter *e, struct tar_entry *entry, enum tar_type type,
		     const struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = set_xattrs(e, entry, inode->xattrs, error);

	entry->type = type;
	return status < 0 ? status : tar_writer_entry(e->writer, entry, NULL, 0, error);
}

static int put_file(struct exporter *e, struct tar_entry *entry, const struct tree_inode *inode,
		    struct mkrootfs_error *error)
{
	int status = set_xattrs(e, entry, inode->xattrs, error);

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
	return put_entry(e, entry, TAR_SYMLINK, inode, error);
}

static int put_device(struct exporter *e, struct tar_entry *entry, const struct tree_inode *inode,
		      struct mkrootfs_error *error)
{
	entry->device_major = (uint32_t)(inode->data >> 32);
	entry->device_minor = (uint32_t)inode->data;
	return put_entry(e, entry, S_ISCHR(inode->mode) ? TAR_CHARACTER : TAR_BLOCK, inode, error);
}

/* A name that is the first of its inode. */
static int put_inode(struct exporter *e, const struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	struct tar_entry entry = attributes_of(e, inode);
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
		return put_entry(e, &entry, TAR_FIFO, inode, error);
	default:
		e->sockets++;
		return 0;
	}
}

static int put_name(struct exporter *e, const struct export_name *name,
		    struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(e->tree, name->node);
	struct tar_entry entry;
	int status = set_path(&e->path, e->tree, name->node, "", error);

	if (status == 0 && name->target == 0)
		status = put_inode(e, inode, error);
	else if (status == 0)
		status = set_path(&e->link, e->tree, name->target, "", error);
	if (status == 0 && name->target && !S_ISSOCK(inode->mode)) {
		entry = attributes_of(e, inode);
		status = put_link(e, &entry, (const char *)e->link.data, e->link.len, error);
	}
	return status < 0 ? name_error(e, error) : 0;
}

/* ---- Directories, and what a layer deletes ---- */

static int put_deletion(struct exporter *e, uint32_t node, struct mkrootfs_error *error)
{
	struct tar_entry entry;
	int status = set_path(&e->path, e->tree, node, WHITEOUT_PREFIX, error);

	if (status < 0)
		return status;
	entry = attributes_of(e, tree_inode_of(e->tree, node));
	entry.type = TAR_FILE;
	return tar_writer_entry(e->writer, &entry, NULL, 0, error);
}

static int put_opaque(struct exporter *e, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode plain = { 0 };
	struct tar_entry entry;
	int status = set_path(&e->path, e->tree, node, "", error);

	if (status == 0 && e->path.len > 0)
		status = buf_append(&e->path, "/", 1, error);
	if (status == 0)
		status = buf_append_string(&e->path, OPAQUE_NAME, error);
	if (status < 0)
		return status;
	entry = attributes_of(e, &plain);
	entry.type = TAR_FILE;
	return tar_writer_entry(e->writer, &entry, NULL, 0, error);
}

static int put_directory(struct exporter *e, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(e->tree, node);
	struct tar_entry entry;
	int status = set_path(&e->path, e->tree, node, "", error);

	if (status == 0 && !(inode->flags & TREE_IMPLIED)) {
		entry = attributes_of(e, inode);
		status = put_entry(e, &entry, TAR_DIRECTORY, inode, error);
	}
	if (status == 0 && (inode->flags & TREE_OPAQUE))
		status = put_opaque(e, node, error);
	for (uint32_t child = tree_first_child(e->tree, node); status == 0 && child;
	     child = tree_next_child(e->tree, child))
		if (export_is_deletion(e->tree, child))
			status = put_deletion(e, child, error);
	return status < 0 ? name_error(e, error) : 0;
}

/* ---- The whole ---- */

static uint64_t size_of_data(const struct exporter *e)
{
	uint64_t total = 0;

	for (size_t i = 0; i < e->order.count; i++) {
		const struct tree_inode *inode = tree_inode_of(e->tree, e->order.names[i].node);

		if (e->order.names[i].target == 0 && e->order.names[i].address &&
		    !(inode->flags & TREE_CHUNKED))
			total += inode->size;
	}
	return total;
}

static int put_next_name(struct exporter *e, size_t *done, struct mkrootfs_error *error)
{
	int status = put_name(e, &e->order.names[*done], error);

	if (status == 0 && *done % 1024 == 0)
		status = events_report(e->events, MKROOTFS_EVENT_EXPORT_PROGRESS, e->data.done,
				       error);
	++*done;
	return status;
}

static int put_all(struct exporter *e, struct mkrootfs_error *error)
{
	size_t done = 0;
	int status = 0;

	for (uint32_t node = TREE_ROOT; status == 0 && node; node = tree_walk(e->tree, node)) {
		if (tree_is_directory(tree_inode_of(e->tree, node)))
			status = put_directory(e, node, error);
		else if (e->order.is_walk && export_takes_part(e->tree, node))
			status = put_next_name(e, &done, error);
	}
	while (status == 0 && done < e->order.count)
		status = put_next_name(e, &done, error);
	return status < 0 ? status : tar_writer_finish(e->writer, error);
}

static void warn_sockets(const struct exporter *e)
{
	struct mkrootfs_error text;

	if (e->sockets == 0)
		return;
	error_set(&text, 0, "sockets were left out, no tar can hold them: %" PRIu64, e->sockets);
	events_warn(e->events, text.message);
}

static int open_all(struct exporter *e, const struct mkrootfs_tree *tree, struct sink *sink,
		    struct mkrootfs_error *error)
{
	/* A layer image has its metadata behind the data. */
	bool is_layer = erofs_reader_superblock(tree->reader)->meta_block != 0;
	int status = erofs_read_tree(&e->tree, tree->reader, UINT32_MAX - 2, error);

	if (status == 0)
		status = erofs_marks_take(e->tree, error);
	if (status == 0)
		status = export_order_make(&e->order, e->tree, is_layer, error);
	if (status == 0)
		status = export_data_init(&e->data, e->tree, erofs_reader_extents(tree->reader),
					  e->events, error);
	return status < 0 ? status : tar_writer_create(&e->writer, sink, error);
}

static void close_all(struct exporter *e)
{
	tar_writer_close(e->writer);
	export_data_free(&e->data);
	export_order_free(&e->order);
	tree_free(e->tree);
	buf_free(&e->path);
	buf_free(&e->link);
	free(e->xattrs);
}

int tree_export(const struct mkrootfs_tree *tree, struct sink *sink, struct events *events,
		struct mkrootfs_error *error)
{
	struct exporter e = { .events = events,
			      .path = BUF_INIT(PATH_CAP),
			      .link = BUF_INIT(PATH_CAP) };
	int status;

	if (tree->metadata_only)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				 "'%s' has names but no file data: export the disk.vmdk that it "
				 "belongs to",
				 extents_path(erofs_reader_extents(tree->reader), 0));
	status = open_all(&e, tree, sink, error);
	events->total = status == 0 ? size_of_data(&e) : 0;
	if (status == 0)
		status = put_all(&e, error);
	if (status == 0)
		warn_sockets(&e);
	if (status == 0)
		status = events_check(events, error);
	close_all(&e);
	return status;
}
