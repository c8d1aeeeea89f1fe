/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a verification share. */
#ifndef MKROOTFS_EROFS_VERIFY_STATE_H
#define MKROOTFS_EROFS_VERIFY_STATE_H

#include "block_ranges.h"
#include "content_table.h"
#include "seal.h"
#include "verify.h"

/* One image of those in a row. */
struct erofs_part {
	uint64_t first_block; /* of the row */
	const char *file;     /* borrowed from the reader */
	struct erofs_superblock sb;
	bool is_sound; /* the seal is, so that the rest is known */
	struct erofs_seal seal;
	struct content_table contents; /* empty where it is damaged */
};

struct erofs_verifier {
	struct erofs_reader *reader;
	const struct erofs_verify_options *options;
	struct erofs_verify_result *result;
	struct erofs_part *parts;
	uint32_t part_count;
	struct block_ranges damage; /* data whose hash is wrong, blocks of the row */
	uint64_t *nids;		    /* by inode of the tree */
	size_t nid_room;
	bool incomplete; /* some of the tree could not be read */
};

/* Tells of a problem; returns 0, or CANCELLED. */
int verify_tell(struct erofs_verifier *v, const char *file, const char *path,
		struct mkrootfs_error *error, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
int verify_progress(struct erofs_verifier *v, uint64_t bytes, struct mkrootfs_error *error);

/* Finds the images of the row, and checks superblocks, seals and tables. */
int verify_parts(struct erofs_verifier *v, struct mkrootfs_error *error);
/* Hashes metadata and data; fills damage. */
int verify_contents(struct erofs_verifier *v, struct mkrootfs_error *error);
/* The structure of the metadata; names the files of damage. */
int verify_tree(struct erofs_verifier *v, struct mkrootfs_error *error);
/* Tells which files have blocks of damage, and what no file has. The tree is sealed. */
int verify_name_damage(struct erofs_verifier *v, const struct tree *tree,
		       struct mkrootfs_error *error);

/* The file of the image that has a block of the row. */
const char *verify_file_of(const struct erofs_verifier *v, uint64_t block);
/* Whether an extent, or several in a row, are exactly these blocks of a file. */
bool verify_is_extent(const struct erofs_verifier *v, uint64_t block, uint64_t blocks);

#endif
