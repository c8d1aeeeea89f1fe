/* SPDX-License-Identifier: Apache-2.0 */
#include "export_entry.h"

#include "../tree/whiteout.h"

#define OPAQUE_NAME ".wh..wh..opq"

static int put_deletion(struct exporter *e, uint32_t node, struct mkrootfs_error *error)
{
	struct tar_entry entry;
	int status = export_set_path(&e->path, e->tree, node, WHITEOUT_PREFIX, error);

	if (status < 0)
		return status;
	entry = export_attributes(e, tree_inode_of(e->tree, node));
	entry.type = TAR_FILE;
	return tar_writer_entry(e->writer, &entry, NULL, 0, error);
}

static int put_opaque(struct exporter *e, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode plain = { 0 };
	struct tar_entry entry;
	int status = export_set_path(&e->path, e->tree, node, "", error);

	if (status == 0 && e->path.len > 0)
		status = buf_append(&e->path, "/", 1, error);
	if (status == 0)
		status = buf_append_string(&e->path, OPAQUE_NAME, error);
	if (status < 0)
		return status;
	entry = export_attributes(e, &plain);
	entry.type = TAR_FILE;
	return tar_writer_entry(e->writer, &entry, NULL, 0, error);
}

int export_put_directory(struct exporter *e, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(e->tree, node);
	struct tar_entry entry;
	int status = export_set_path(&e->path, e->tree, node, "", error);

	if (status == 0 && !(inode->flags & TREE_IMPLIED)) {
		entry = export_attributes(e, inode);
		status = export_put_entry(e, &entry, TAR_DIRECTORY, inode, error);
	}
	if (status == 0 && (inode->flags & TREE_OPAQUE))
		status = put_opaque(e, node, error);
	for (uint32_t child = tree_first_child(e->tree, node); status == 0 && child;
	     child = tree_next_child(e->tree, child))
		if (export_is_deletion(e->tree, child))
			status = put_deletion(e, child, error);
	return status < 0 ? export_name_error(e, error) : 0;
}
