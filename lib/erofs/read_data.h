/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of regular files: in whole blocks, with an inline tail, or in chunks with holes.
 *
 *	erofs_read_head(&inode, reader, nid, error);
 *	erofs_read_data(&inode, reader, offset, buffer, len, error);	up to inode.head.size
 *
 * Or piece by piece, to copy from file to file: erofs_find_data tells where the bytes stand.
 */
#ifndef MKROOTFS_EROFS_READ_DATA_H
#define MKROOTFS_EROFS_READ_DATA_H

#include "read_inode.h"

/* Bytes of a file that stand together. */
struct erofs_piece {
	bool hole;	  /* zeros that stand nowhere */
	uint64_t address; /* byte of the image */
	uint64_t left;	  /* bytes from there on, at least 1 */
};

/*
 * Where the file's byte at offset, offset < size, stands. Addresses outside of what the superblock
 * calls the image are MALFORMED; ones behind the end of the files that are there, which is where an
 * fsmeta without its disk points to, are NOT_FOUND.
 */
int erofs_find_data(struct erofs_piece *piece, const struct erofs_placed_inode *inode,
		    struct erofs_reader *reader, uint64_t offset, struct mkrootfs_error *error);
int erofs_read_data(const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		    uint64_t offset, void *out, size_t len, struct mkrootfs_error *error);

#endif
