/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the images that this library writes, and uncompressed ones of other writers. Everything
 * in them is checked: an image may be damaged, or not ours.
 *
 *	erofs_reader_open(&r, path, error);
 *	sb = erofs_reader_superblock(r);
 *	erofs_read_tree(&tree, r, max_nodes, error);
 *	erofs_reader_close(r);
 */
#ifndef MKROOTFS_EROFS_READER_H
#define MKROOTFS_EROFS_READER_H

#include "../io/extents.h"
#include "../tree/tree.h"
#include "superblock.h"

struct erofs_reader;

/* Opens the file and checks the superblock. */
int erofs_reader_open(struct erofs_reader **out, const char *path, struct mkrootfs_error *error);
/* The same for an image that is several files in a row. Takes the extents over on success. */
int erofs_reader_open_extents(struct erofs_reader **out, struct extents *extents,
			      struct mkrootfs_error *error);
void erofs_reader_close(struct erofs_reader *reader);

const struct erofs_superblock *erofs_reader_superblock(const struct erofs_reader *reader);
/* Where the image's bytes are, for who copies them file to file. */
const struct extents *erofs_reader_extents(const struct erofs_reader *reader);
/* Bytes of the file, or of all files. */
uint64_t erofs_reader_size(const struct erofs_reader *reader);
/* Copies exactly len bytes of the image; past its end is MALFORMED. */
int erofs_reader_read(struct erofs_reader *reader, uint64_t offset, void *out, size_t len,
		      struct mkrootfs_error *error);
/*
 * The same without a copy where the bytes stand together; else they are copied to spare, which has
 * len bytes. Lent until the next call.
 */
int erofs_reader_lend(struct erofs_reader *reader, const uint8_t **out, uint64_t offset, size_t len,
		      uint8_t *spare, struct mkrootfs_error *error);

/*
 * The whole tree, sealed. File addresses are as they stand in the image. Fails with LIMIT on more
 * than max_nodes names.
 */
int erofs_read_tree(struct tree **out, struct erofs_reader *reader, uint32_t max_nodes,
		    struct mkrootfs_error *error);

#endif
