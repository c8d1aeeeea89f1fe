/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The content that an upper is made with: entries, one after the other, over an image.
 *
 *	upper_content_open(&content, options, folder, &events, error);	all entries are read
 *	ext4_write_tree(file, content.upper->tree, &(struct ext4_contents){
 *		.find = upper_data_find, .user = &content.data }, ...);
 *	upper_content_close(&content);
 */
#ifndef MKROOTFS_ROOTFS_UPPER_CONTENT_H
#define MKROOTFS_ROOTFS_UPPER_CONTENT_H

#include "events.h"
#include "host_links.h"
#include "upper_data.h"
#include "upper_tree.h"

struct upper_content {
	struct upper_tree *upper;
	struct upper_data data;
	struct host_links links;		  /* of the files that were copied */
	const struct mkrootfs_upper_entry *entry; /* the current one */
	struct events *events;
};

/* folder: for an unnamed file with what comes in pieces. events must outlive the content. */
int upper_content_open(struct upper_content *content, const struct mkrootfs_upper_options *options,
		       const char *folder, struct events *events, struct mkrootfs_error *error);
void upper_content_close(struct upper_content *content);

/* For the actions: gives an inode what --chown and --chmod ask for. */
int upper_content_attributes(struct upper_content *content, struct tree_inode *inode,
			     struct mkrootfs_error *error);
/* A new inode where the walk ended; *id is it. */
int upper_content_put(struct upper_content *content, struct upper_walk *walk, uint32_t *id,
		      const struct tree_inode *inode, struct mkrootfs_error *error);
/* Sets the attributes of a directory that is there. */
void upper_content_set(struct upper_content *content, uint32_t node,
		       const struct tree_inode *inode);
int upper_content_remove(struct upper_content *content, const char *path, bool must_exist,
			 struct mkrootfs_error *error);

int upper_copy_in(struct upper_content *content, struct mkrootfs_error *error);
int upper_from_tar(struct upper_content *content, struct mkrootfs_error *error);

/*
 * The holes of size bytes at offset of a file, whose data have addresses from block on, become
 * holes of the inode.
 */
int upper_find_holes(struct tree *tree, struct tree_inode *inode, int fd, uint64_t offset,
		     uint32_t block, struct mkrootfs_error *error);

#endif
