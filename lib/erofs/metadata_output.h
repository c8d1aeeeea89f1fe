/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata on their way to the file, at the offsets that were planned, and hashed: in large pieces,
 * since most of what is put is some 30 bytes. For metadata*.c.
 *
 *	metadata_lend(&out, &bytes, planned, len, error);	fill bytes
 *	metadata_put(&out, bytes, len, error);
 *	metadata_flush(&out, error);				before the hash is asked
 */
#ifndef MKROOTFS_EROFS_METADATA_OUTPUT_H
#define MKROOTFS_EROFS_METADATA_OUTPUT_H

#include "metadata.h"
#include "xxh.h"

#include <assert.h>

struct metadata_output {
	struct image_file *file;
	const struct erofs_layout *plan;
	const struct erofs_metadata_options *options;
	uint64_t base; /* byte of the file where the metadata area starts */
	uint64_t at;   /* bytes put, from base */
	/* The last of them, which are not in the file yet; zeros behind. */
	uint8_t *pending;
	size_t pending_len, pending_room;
	/* Next free block, from the file's start, for content that stands in blocks. */
	uint32_t block;
	uint32_t *with_blocks; /* nodes that took some */
	uint32_t with_block_count;
	size_t with_block_room;
	uint32_t number;   /* i_ino of the next inode */
	struct xxh3 *hash; /* of what is in the file */
};

/* Makes room for len bytes. */
int metadata_make_room(struct metadata_output *out, size_t len, struct mkrootfs_error *error);

/*
 * Lends len zeroed bytes that stand at offset, which must not lie before what was put; what is in
 * between is zeros. Valid until the next call.
 */
static inline int metadata_lend(struct metadata_output *out, uint8_t **bytes, uint64_t offset,
				size_t len, struct mkrootfs_error *error)
{
	size_t gap = (size_t)(offset - out->at);
	int status = 0;

	assert(out->at <= offset);
	*bytes = NULL;
	if (gap + len > out->pending_room - out->pending_len)
		status = metadata_make_room(out, gap + len, error);
	if (status < 0)
		return status;
	*bytes = out->pending + out->pending_len + gap;
	out->pending_len += gap + len;
	out->at = offset + len;
	return 0;
}

int metadata_put(struct metadata_output *out, const void *data, size_t len,
		 struct mkrootfs_error *error);
/* Zeros up to a planned offset. */
int metadata_pad(struct metadata_output *out, uint64_t offset, struct mkrootfs_error *error);
int metadata_flush(struct metadata_output *out, struct mkrootfs_error *error);
void metadata_free(struct metadata_output *out);
/* All that the plan has an offset for; metadata_area.c. */
int metadata_write_area(struct metadata_output *out, struct mkrootfs_error *error);

#endif
