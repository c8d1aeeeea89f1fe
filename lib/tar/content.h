/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes behind a member's header, handed out range by range, and whatever of them nobody read.
 *
 *	tar_content_begin(&content, ranges, count, stored_size);
 *	while ((status = tar_content_next(&content, &input, &data, error)) == 0 && data.len > 0)
 *		use(data);
 *	tar_content_finish(&content, &input, error);	now the next header may be read
 */
#ifndef MKROOTFS_TAR_CONTENT_H
#define MKROOTFS_TAR_CONTENT_H

#include "reader.h"
#include "sparse.h"

struct tar_content {
	const struct tar_range *ranges; /* what is left of them; borrowed */
	size_t count;
	uint64_t done; /* bytes of the first range that were handed out */
	uint64_t size; /* bytes in the archive, for messages */
	uint64_t left; /* of these, not yet consumed */
};

/* The ranges add up to stored_size. With none of them all content is to be skipped. */
void tar_content_begin(struct tar_content *content, const struct tar_range *ranges, size_t count,
		       uint64_t stored_size);
int tar_content_next(struct tar_content *content, struct tar_input *input, struct tar_data *data,
		     struct mkrootfs_error *error);
/* Skips the rest and the padding, which may be short at the archive's end. */
int tar_content_finish(struct tar_content *content, struct tar_input *input,
		       struct mkrootfs_error *error);

#endif
