/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the writer share; see writer.h. */
#ifndef MKROOTFS_TAR_WRITER_STATE_H
#define MKROOTFS_TAR_WRITER_STATE_H

#include "writer.h"

#define TAR_PENDING_SIZE (256u << 10) /* bytes: small entries are collected */

struct tar_writer {
	struct sink *sink;
	uint64_t left;	    /* bytes of the entry's content that are still to come */
	unsigned padding;   /* zeros behind them */
	struct buf path;    /* of the entry, as it stands in the archive */
	struct buf records; /* of its extended header */
	struct buf map;	    /* of its holes, in whole blocks */
	size_t pending_len;
	uint8_t pending[TAR_PENDING_SIZE];
};

/* Bytes from len to the next block. */
static inline unsigned tar_padding(uint64_t len)
{
	return (unsigned)(-len % TAR_BLOCK_SIZE);
}

/* Bytes of the archive, in order. */
int tar_writer_put(struct tar_writer *writer, const void *data, size_t len,
		   struct mkrootfs_error *error);
/* Up to a block of zeros. */
int tar_writer_put_zeros(struct tar_writer *writer, unsigned len, struct mkrootfs_error *error);
/* Everything in front of the entry's content; *stored is how long that is, with the map of holes.
 */
int tar_writer_put_headers(struct tar_writer *writer, uint64_t *stored,
			   const struct tar_entry *entry, const struct tar_range *ranges,
			   size_t range_count, struct mkrootfs_error *error);

#endif
