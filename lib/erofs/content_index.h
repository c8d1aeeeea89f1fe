/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which contents a data area holds: from a hash of the content to its entry in the content table,
 * which has the hash too. Hashes only propose; the bytes in the file decide.
 */
#ifndef MKROOTFS_EROFS_CONTENT_INDEX_H
#define MKROOTFS_EROFS_CONTENT_INDEX_H

#include "../io/image_file.h"
#include "content_table.h"

/* A zeroed struct is an empty index. */
struct content_index {
	uint32_t *numbers; /* open addressing: index in the table plus one, 0: free */
	uint32_t mask;
	uint32_t used;
	uint64_t seed; /* so that nobody can prepare contents that are looked for in one place */
	uint8_t *compared; /* room for pieces of two contents, once there were two to compare */
};

/*
 * Looks for an earlier content equal to the blocks blocks that start at block, and adds these to
 * the table and the index when there is none. *found is the earlier one's first block, or block.
 */
int content_index_find(struct content_index *index, uint32_t *found, struct content_table *table,
		       struct image_file *file, uint64_t hash, uint32_t block, uint64_t blocks,
		       struct mkrootfs_error *error);
void content_index_free(struct content_index *index);

#endif
