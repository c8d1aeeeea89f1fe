/* SPDX-License-Identifier: Apache-2.0 */
/* The images of a row: where each starts, what its superblock and its seal say. */
#include "verify_state.h"

#include "xxh.h"

#include <stdlib.h>
#include <string.h>

static uint64_t total_blocks(const struct erofs_verifier *v)
{
	return erofs_reader_size(v->reader) >> EROFS_BLOCK_BITS;
}

/* Bytes of the file that the row has at a block, from there on. */
static uint64_t left_of_file(const struct erofs_verifier *v, uint64_t block, const char **file)
{
	struct extent_place place;

	*file = NULL;
	if (!extents_find(&place, erofs_reader_extents(v->reader), block << EROFS_BLOCK_BITS))
		return 0;
	*file = place.path;
	return place.left;
}

static int check_table(struct erofs_verifier *v, struct erofs_part *part,
		       struct mkrootfs_error *error)
{
	const struct content_table *table = &part->contents;
	uint32_t last = 0;

	for (uint32_t i = 0; i < content_table_count(table); i++) {
		uint32_t block = content_table_block(table, i);

		if (block >= part->seal.data_end || (i == 0 ? block != 1 : block <= last)) {
			content_table_free(&part->contents);
			return verify_tell(v, part->file, NULL, error,
					   "the table of contents is out of order");
		}
		last = block;
	}
	return 0;
}

/* The hash covers the padding of the last block too. */
static int read_table(struct erofs_verifier *v, struct erofs_part *part,
		      struct mkrootfs_error *error)
{
	uint64_t blocks = part->seal.blocks - part->seal.table_block;
	uint64_t start = (part->first_block + part->seal.table_block) << EROFS_BLOCK_BITS;
	size_t len = (size_t)(blocks << EROFS_BLOCK_BITS);
	uint8_t *bytes;
	int status = buf_grow(&part->contents.bytes, &bytes, len, error);

	if (status == 0)
		status = erofs_reader_read(v->reader, start, bytes, len, error);
	if (status < 0)
		return status;
	if (xxh3_64(bytes, len, 0) == part->seal.table_hash) {
		part->contents.bytes.len = (size_t)part->seal.table_entries * CONTENT_ENTRY_SIZE;
		return check_table(v, part, error);
	}
	content_table_free(&part->contents);
	return verify_tell(
		v, part->file, NULL, error,
		"the table of contents is damaged, so the files' data cannot be checked");
}

/* What the seal says against the superblock and the file. */
static int check_sizes(struct erofs_verifier *v, struct erofs_part *part, uint64_t left,
		       struct mkrootfs_error *error)
{
	const struct erofs_seal *seal = &part->seal;
	bool is_fsmeta = part->sb.meta_block == 0;

	if ((uint64_t)seal->blocks << EROFS_BLOCK_BITS > left ||
	    (is_fsmeta ? seal->data_end != 1 || part->sb.blocks < seal->blocks
		       : seal->data_end != part->sb.meta_block || part->sb.blocks != seal->blocks))
		return verify_tell(v, part->file, NULL, error,
				   "the seal does not fit the superblock and the file's size");
	part->is_sound = true;
	return seal->table_entries ? read_table(v, part, error) : 0;
}

static int check_seal(struct erofs_verifier *v, struct erofs_part *part, const uint8_t *block,
		      uint64_t left, struct mkrootfs_error *error)
{
	switch (erofs_seal_decode(&part->seal, block)) {
	case SEAL_SOUND:
		return check_sizes(v, part, left, error);
	case SEAL_DAMAGED:
		return verify_tell(v, part->file, NULL, error,
				   "the seal is damaged, so the files' data cannot be checked");
	case SEAL_UNKNOWN:
	case SEAL_NONE:
		break;
	}
	v->result->unsealed++;
	return v->options->needs_seal
		       ? verify_tell(v, part->file, NULL, error, "the seal is missing")
		       : 0;
}

/* Bytes of the superblock that hold nothing are zero, and every field has one form. */
static int check_superblock(struct erofs_verifier *v, struct erofs_part *part, const uint8_t *block,
			    struct mkrootfs_error *error)
{
	uint8_t again[EROFS_BLOCK_SIZE];

	if (!part->is_sound)
		return 0;
	memcpy(again, block, sizeof(again));
	erofs_superblock_encode(again, &part->sb);
	if (!memcmp(again, block, sizeof(again)))
		return 0;
	return verify_tell(v, part->file, NULL, error, "the superblock has unknown fields");
}

static int add_part(struct erofs_verifier *v, uint64_t first_block, uint64_t left, const char *file,
		    struct mkrootfs_error *error)
{
	struct erofs_part *parts = realloc(v->parts, (v->part_count + 1) * sizeof(*parts));
	struct erofs_part *part;
	uint8_t block[EROFS_BLOCK_SIZE];
	int status;

	if (!parts)
		return error_no_memory(error);
	v->parts = parts;
	part = &parts[v->part_count++];
	*part = (struct erofs_part){ .first_block = first_block,
				     .file = file,
				     .contents = CONTENT_TABLE_INIT };
	v->result->images++;
	status = erofs_reader_read(v->reader, first_block << EROFS_BLOCK_BITS, block, sizeof(block),
				   error);
	if (status < 0)
		return status;
	if (erofs_superblock_decode(&part->sb, block, error) < 0)
		return verify_tell(v, file, NULL, error, "%s", error->message);
	status = check_seal(v, part, block, left, error);
	return status < 0 ? status : check_superblock(v, part, block, error);
}

/* Where the next image starts: behind this one's seal or file. 0: nobody knows. */
static uint64_t next_part(const struct erofs_verifier *v, uint64_t left)
{
	const struct erofs_part *part = &v->parts[v->part_count - 1];

	if (extents_count(erofs_reader_extents(v->reader)) > 1)
		return part->first_block + (left >> EROFS_BLOCK_BITS);
	return part->is_sound ? part->first_block + part->seal.blocks : 0;
}

static int check_end(struct erofs_verifier *v, uint64_t end, struct mkrootfs_error *error)
{
	const struct erofs_part *first = &v->parts[0];
	uint64_t size = erofs_reader_size(v->reader), blocks = first->sb.blocks;
	bool is_short = size < blocks << EROFS_BLOCK_BITS && !v->options->metadata_only;

	if (is_short || (end && size != end << EROFS_BLOCK_BITS) ||
	    (end && !v->options->metadata_only && blocks != end))
		return verify_tell(v, NULL, NULL, error,
				   "%llu bytes long, where the superblock says %llu blocks",
				   (unsigned long long)size, (unsigned long long)blocks);
	return 0;
}

int verify_parts(struct erofs_verifier *v, struct mkrootfs_error *error)
{
	uint64_t block = 0, total = total_blocks(v);
	int status;

	do {
		const char *file;
		uint64_t left = left_of_file(v, block, &file);

		status = add_part(v, block, left, file, error);
		block = next_part(v, left);
		/* What one file has behind its image is no image. */
		if (extents_count(erofs_reader_extents(v->reader)) == 1 &&
		    v->parts[0].sb.blocks < total)
			total = v->parts[0].sb.blocks;
	} while (status == 0 && block != 0 && block < total);
	return status < 0 ? status : check_end(v, block, error);
}

/* ---- Extents ---- */

static const struct erofs_part *part_of(const struct erofs_verifier *v, uint64_t block)
{
	uint32_t low = 0, high = v->part_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (v->parts[middle].first_block <= block)
			low = middle;
		else
			high = middle;
	}
	return &v->parts[low];
}

const char *verify_file_of(const struct erofs_verifier *v, uint64_t block)
{
	return part_of(v, block)->file;
}

static bool starts_extent(const struct content_table *table, uint64_t block)
{
	uint32_t low = 0, high = content_table_count(table);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (content_table_block(table, middle) < block)
			low = middle + 1;
		else
			high = middle;
	}
	return low < content_table_count(table) && content_table_block(table, low) == block;
}

bool verify_is_extent(const struct erofs_verifier *v, uint64_t block, uint64_t blocks)
{
	const struct erofs_part *part = part_of(v, block);
	uint64_t start = block - part->first_block, end = start + blocks;

	/* Nobody knows: fsmeta alone, a damaged table, an image of others. */
	if (block >= total_blocks(v) || !part->is_sound ||
	    (part->seal.table_entries > 0 && content_table_count(&part->contents) == 0))
		return true;
	return starts_extent(&part->contents, start) &&
	       (end == part->seal.data_end || starts_extent(&part->contents, end));
}
