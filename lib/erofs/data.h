/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data area of a layer image: file contents as they arrive, each from a block's start, the last
 * block filled up with zeros. What was stored before is not stored again.
 *
 *	erofs_data_create(&d, file, tree, error);
 *	erofs_data_begin(d, size, sparse, error);
 *	erofs_data_append(d, offset, bytes, len, error);	in rising order of offsets
 *	erofs_data_end(d, &inode, error);			sets size, data, flags
 *	erofs_data_finish(d);					behind the last file
 *	first_free = erofs_data_end_block(d);
 *	erofs_data_free(d);
 */
#ifndef MKROOTFS_EROFS_DATA_H
#define MKROOTFS_EROFS_DATA_H

#include "../io/image_file.h"
#include "../tree/tree.h"
#include "content_table.h"

struct erofs_data;

/* The area starts at block 1: block 0 is the superblock's. file and tree are borrowed. */
int erofs_data_create(struct erofs_data **out, struct image_file *file, struct tree *tree,
		      struct mkrootfs_error *error);
void erofs_data_free(struct erofs_data *data);

/* size is that of the whole file; sparse tells that pieces may leave holes between them. */
int erofs_data_begin(struct erofs_data *data, uint64_t size, bool sparse,
		     struct mkrootfs_error *error);
int erofs_data_append(struct erofs_data *data, uint64_t offset, const uint8_t *bytes, size_t len,
		      struct mkrootfs_error *error);
int erofs_data_end(struct erofs_data *data, struct tree_inode *inode, struct mkrootfs_error *error);
/* Frees what is only there to find equal contents. */
void erofs_data_finish(struct erofs_data *data);
uint32_t erofs_data_end_block(const struct erofs_data *data);
/* What was stored, for the seal; lent until erofs_data_free. */
const struct content_table *erofs_data_contents(const struct erofs_data *data);

#endif
