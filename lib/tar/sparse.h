/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps of sparse files: which ranges of the file the archive stores. Four forms, all of GNU tar
 * (manual, "Storing Sparse Files"): in the header and blocks behind it ('S'), in pax records (0.0
 * and 0.1), in front of the content (1.0).
 *
 *	tar_sparse_clear(&map);
 *	tar_sparse_add(&map, offset, len, error);	or one of the parsers
 *	map.real_size = ...;
 *	tar_sparse_check(&map, stored_size, error);	only then may it be used
 *
 * The content of all ranges follows without gaps, as libarchive and Go take it. (GNU tar begins
 * each range at a new block; its own maps have whole blocks, where this is the same.)
 */
#ifndef MKROOTFS_TAR_SPARSE_H
#define MKROOTFS_TAR_SPARSE_H

#include "input.h"
#include "pax.h"

#define TAR_SPARSE_MAX_RANGES (1u << 20) /* of one file: 16 MiB of map */

struct tar_range {
	uint64_t offset; /* in the file, bytes */
	uint64_t len;	 /* never 0 */
};

struct tar_sparse_map {
	struct tar_range *ranges;
	size_t count;
	size_t room;
	uint64_t real_size; /* bytes of the file, holes included */
	uint64_t pending;   /* an offset of form 0.0 that waits for its size */
	bool is_pending;
};

void tar_sparse_clear(struct tar_sparse_map *map);
void tar_sparse_free(struct tar_sparse_map *map);

/* Appends a range; an empty one is checked and dropped. */
int tar_sparse_add(struct tar_sparse_map *map, int64_t offset, int64_t len,
		   struct mkrootfs_error *error);
/* Ranges rise, do not overlap, end within the real size, and add up to the stored size. */
int tar_sparse_check(const struct tar_sparse_map *map, uint64_t stored_size,
		     struct mkrootfs_error *error);

/* Form 0.0: records GNU.sparse.offset and GNU.sparse.numbytes in turns. */
int tar_sparse_add_offset(struct tar_sparse_map *map, const struct tar_text *value,
			  struct mkrootfs_error *error);
int tar_sparse_add_bytes(struct tar_sparse_map *map, const struct tar_text *value,
			 struct mkrootfs_error *error);
/* Form 0.1: "offset,size,offset,size". */
int tar_sparse_parse_list(struct tar_sparse_map *map, const struct tar_text *list,
			  struct mkrootfs_error *error);
/* Form 1.0: lines in front of the content, in whole blocks, which are taken off *stored_size. */
int tar_sparse_read_text(struct tar_sparse_map *map, uint64_t *stored_size, struct tar_input *input,
			 struct mkrootfs_error *error);
/* Old GNU form: the header, which the call may overwrite, and the blocks behind it. */
int tar_sparse_read_header(struct tar_sparse_map *map, const struct tar_header *header,
			   struct tar_input *input, struct mkrootfs_error *error);

#endif
