/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of an exported tar, one after the other; for export*.c.
 *
 *	export_put_directory(&e, node, error);		with what a layer deletes in it
 *	export_put_name(&e, &e.order.names[0], error);	what is no directory
 */
#ifndef MKROOTFS_ROOTFS_EXPORT_ENTRY_H
#define MKROOTFS_ROOTFS_EXPORT_ENTRY_H

#include "../tar/writer.h"
#include "events.h"
#include "export_data.h"
#include "export_order.h"

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

int export_put_name(struct exporter *e, const struct export_name *name,
		    struct mkrootfs_error *error);
/* Of export_directory.c. */
int export_put_directory(struct exporter *e, uint32_t node, struct mkrootfs_error *error);

/* ---- What both use ---- */

/* The node's path, with prefix in front of its last component. */
int export_set_path(struct buf *out, const struct tree *tree, uint32_t node, const char *prefix,
		    struct mkrootfs_error *error);
/* All of an entry with the path in work but for its type. */
struct tar_entry export_attributes(const struct exporter *e, const struct tree_inode *inode);
/* An entry that has no data. */
int export_put_entry(struct exporter *e, struct tar_entry *entry, enum tar_type type,
		     const struct tree_inode *inode, struct mkrootfs_error *error);
/* Puts the path in work in front of an error. */
int export_name_error(const struct exporter *e, struct mkrootfs_error *error);

#endif
