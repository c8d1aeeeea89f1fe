/* SPDX-License-Identifier: Apache-2.0 */
#include "../tar/reader.h"
#include "../tree/whiteout.h"
#include "layer_entry.h"
#include "limits.h"
#include "upper_archive.h"
#include "upper_content.h"
#include "upper_whiteout.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define ARCHIVE_PATH (128u << 10) /* bytes; a reader's names have half of it at most */

/*
 * An archive over what is there, as tar would unpack it in the guest's root: links in the leading
 * parts of a name are followed, and a directory where the guest has a link to one stays a link. The
 * archive's own root is passed over, so that the guest's keeps its attributes. Whiteouts remove
 * what the archive has not brought itself, wherever they stand in it.
 */
struct unpack {
	struct upper_content *content;
	struct tar_reader *tar;
	struct layer_entry work;
	struct layer_tree layer;  /* what work needs of one: our tree */
	struct buf path, target;  /* "/" and the normal form */
	struct deletions removed; /* names of whiteouts */
	uint32_t first_inode;	  /* of the archive's own */
};

static int normalise(struct buf *out, const char *name, size_t len, uint32_t max_depth,
		     struct mkrootfs_error *error)
{
	struct buf normal = BUF_INIT(ARCHIVE_PATH);
	int status = path_normalise(&normal, name, len, max_depth, error);

	buf_clear(out);
	if (status == 0)
		status = buf_printf(out, error, "/%s", (const char *)normal.data);
	buf_free(&normal);
	return status;
}

static const char *path_of(const struct unpack *u)
{
	return (const char *)u->path.data;
}

static int read_data(struct unpack *u, const struct tar_entry *entry, struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	struct upper_data *data = &u->content->data;
	uint64_t start = data->spool_end;
	struct tar_data piece;
	int status;

	inode->size = entry->size;
	if (entry->size == 0)
		return 0;
	status = upper_data_begin(data, &inode->data, error);
	start = data->spool_end;
	while (status == 0) {
		status = tar_reader_data(u->tar, &piece, error);
		if (status < 0 || piece.len == 0)
			break;
		status = upper_data_append(data, piece.offset, piece.data, piece.len, error);
	}
	if (status == 0)
		status = upper_data_end(data, entry->size, error);
	if (status == 0 && entry->sparse)
		status = upper_find_holes(u->content->upper->tree, inode, data->spool, start,
					  inode->data, error);
	return status;
}

static int find_target(struct unpack *u, const struct tar_entry *entry, uint32_t *id,
		       struct mkrootfs_error *error)
{
	struct upper_walk walk;
	int status = normalise(&u->target, entry->link, entry->link_len, u->layer.max_depth, error);

	if (status < 0 ||
	    upper_walk(&walk, u->content->upper, (const char *)u->target.data, 0, error) < 0)
		return error->status;
	if (walk.kind == UPPER_NEW && !S_ISDIR(walk.mode))
		*id = u->content->upper->tree->nodes[walk.found.node].inode;
	else
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "a hard link to '%.400s', which the archive does not have",
				   entry->link);
	upper_walk_close(&walk);
	return status;
}

static int new_inode(struct unpack *u, const struct tar_entry *entry, struct tree_inode *inode,
		     uint32_t *id, struct mkrootfs_error *error)
{
	struct tree *tree = u->content->upper->tree;

	if (entry->type == TAR_HARDLINK)
		return find_target(u, entry, id, error);
	if (entry->type == TAR_FILE && read_data(u, entry, inode, error) < 0)
		return error->status;
	if (entry->type == TAR_SYMLINK) {
		if (entry->link_len == 0 || entry->link_len >= PATH_MAX)
			return error_set(error, MKROOTFS_ERROR_MALFORMED,
					 "a symbolic link's target of %zu bytes", entry->link_len);
		inode->size = entry->link_len;
		if (tree_new_string(tree, &inode->data, entry->link, entry->link_len, error) < 0)
			return error->status;
	}
	return tree_new_inode(tree, id, inode, error);
}

/* A directory gives way to a file, as one that was removed. */
static int put(struct unpack *u, uint32_t id, struct mkrootfs_error *error)
{
	struct upper_walk walk;
	int status = upper_walk(&walk, u->content->upper, path_of(u), 0, error);

	if (status == 0 && walk.kind != UPPER_ABSENT && S_ISDIR(walk.mode)) {
		upper_walk_close(&walk);
		status = upper_content_remove(u->content, path_of(u), false, error);
		if (status == 0)
			status = upper_walk(&walk, u->content->upper, path_of(u), 0, error);
	}
	if (status < 0)
		return status;
	status = upper_walk_put(&walk, id, error);
	upper_walk_close(&walk);
	return status;
}

static int put_directory(struct unpack *u, const struct tree_inode *inode,
			 struct mkrootfs_error *error)
{
	struct upper_walk walk;
	uint32_t node;
	int status = upper_walk(&walk, u->content->upper, path_of(u), UPPER_FOLLOW, error);

	if (status == 0 && walk.kind != UPPER_ABSENT && !S_ISDIR(walk.mode)) {
		upper_walk_close(&walk);
		status = upper_content_remove(u->content, path_of(u), false, error);
		if (status == 0)
			status = upper_walk(&walk, u->content->upper, path_of(u), 0, error);
	}
	if (status < 0)
		return status;
	status = upper_walk_directory(&walk, &node, NULL, error);
	if (status == 0)
		upper_content_set(u->content, node, inode);
	upper_walk_close(&walk);
	return status;
}

static int add(struct unpack *u, const struct tar_entry *entry, struct mkrootfs_error *error)
{
	struct tree_inode inode;
	uint32_t id;

	if (layer_entry_inode(&u->work, &inode, entry, error) < 0)
		return error->status;
	if (upper_content_attributes(u->content, &inode, error) < 0)
		return error->status;
	if (entry->type == TAR_DIRECTORY)
		return put_directory(u, &inode, error);
	return new_inode(u, entry, &inode, &id, error) < 0 ? error->status : put(u, id, error);
}

static int add_entry(struct unpack *u, const struct tar_entry *entry, struct mkrootfs_error *error)
{
	const struct tree_inode none = { 0 };
	enum whiteout_kind kind;

	if (normalise(&u->path, entry->path, entry->path_len, u->layer.max_depth, error) < 0 ||
	    whiteout_classify(&kind, path_of(u) + 1, error) < 0)
		return error->status;
	if (kind == WHITEOUT_NAME || kind == WHITEOUT_OPAQUE)
		return deletions_add(&u->removed, u->content->upper->tree, kind, path_of(u) + 1,
				     &none, error);
	if (kind == WHITEOUT_SKIP || !strcmp(path_of(u), "/"))
		return 0;
	return add(u, entry, error);
}

static int unpack(struct unpack *u, struct source *source, struct mkrootfs_error *error)
{
	const struct tar_entry *entry;
	char name[256];
	int status;

	while ((status = tar_reader_next(u->tar, &entry, error)) > 0) {
		snprintf(name, sizeof(name), "%s", entry->path);
		if (add_entry(u, entry, error) < 0)
			return error_prefix(error, "tar entry '%s': ", name);
	}
	if (status == 0)
		status = source_drain(source, UINT64_MAX, error);
	for (uint32_t i = 0; status == 0 && i < u->removed.count; i++)
		status = upper_whiteout(u->content, &u->removed.list[i], u->first_inode, error);
	return status;
}

int upper_from_tar(struct upper_content *content, struct mkrootfs_error *error)
{
	const struct mkrootfs_limits limits = limits_or_defaults(&(struct mkrootfs_limits){ 0 });
	const struct tar_reader_options options = { .max_entries = limits.entries,
						    .max_xattr_bytes = limits.xattr_bytes };
	struct unpack u = { .content = content,
			    .layer = { .tree = content->upper->tree,
				       .max_depth = limits.path_depth },
			    .path = BUF_INIT(ARCHIVE_PATH),
			    .target = BUF_INIT(ARCHIVE_PATH),
			    .first_inode = content->upper->tree->inode_count };
	struct source *source;
	int status = upper_archive_open(&source, content->entry->source, &limits, content->events,
					error);

	u.work.layer = &u.layer;
	if (status == 0)
		status = tar_reader_create(&u.tar, source, &options, error);
	if (status == 0)
		status = unpack(&u, source, error);
	if (status == 0 && source_meter_done(source) == 0)
		status = error_set(error, MKROOTFS_ERROR_MALFORMED, "this is no tar: it is empty");
	tar_reader_close(u.tar);
	source_close(source);
	layer_entry_free(&u.work);
	deletions_free(&u.removed);
	buf_free(&u.path);
	buf_free(&u.target);
	return status < 0 ? error_prefix(error, "'%s': ", content->entry->source) : 0;
}
