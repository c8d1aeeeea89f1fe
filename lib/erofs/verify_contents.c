/* SPDX-License-Identifier: Apache-2.0 */
/* Every byte against the hashes of the seals. */
#include "verify_state.h"

#include "block_stream.h"

struct hashing {
	struct erofs_verifier *v;
	struct block_stream stream;
	struct xxh3 *hash;
};

/* Metadata: behind the superblock, then behind the data. */
static int check_metadata(struct hashing *h, const struct erofs_part *part,
			  struct mkrootfs_error *error)
{
	uint64_t base = part->first_block << EROFS_BLOCK_BITS;
	uint64_t start = base + ((uint64_t)part->seal.data_end << EROFS_BLOCK_BITS);
	uint64_t end = base + ((uint64_t)part->seal.table_block << EROFS_BLOCK_BITS);
	int status;

	xxh3_reset(h->hash);
	status =
		block_stream_hash(&h->stream, h->hash, base + EROFS_SUPER_OFFSET + EROFS_SUPER_SIZE,
				  base + EROFS_BLOCK_SIZE, error);
	if (status == 0)
		status = block_stream_hash(&h->stream, h->hash, start, end, error);
	if (status == MKROOTFS_ERROR_IO)
		return verify_tell(h->v, part->file, NULL, error, "%s", error->message);
	if (status == 0)
		status = verify_progress(h->v, end - start + EROFS_BLOCK_SIZE, error);
	if (status < 0 || xxh3_digest(h->hash) == part->seal.metadata_hash)
		return status;
	return verify_tell(h->v, part->file, NULL, error, "the metadata are damaged");
}

/* Of an extent, blocks of the row. */
static int is_as_recorded(struct hashing *h, bool *same, uint64_t start, uint64_t end,
			  uint64_t recorded, struct mkrootfs_error *error)
{
	int status;

	start <<= EROFS_BLOCK_BITS;
	end <<= EROFS_BLOCK_BITS;
	if (recorded == CONTENT_ZEROS)
		return block_stream_zeros(&h->stream, same, start, end, error);
	xxh3_reset(h->hash);
	status = block_stream_hash(&h->stream, h->hash, start, end, error);
	*same = xxh3_digest(h->hash) == recorded;
	return status;
}

static int check_data(struct hashing *h, const struct erofs_part *part,
		      struct mkrootfs_error *error)
{
	const struct content_table *table = &part->contents;
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < content_table_count(table); i++) {
		uint64_t start = part->first_block + content_table_block(table, i);
		uint64_t end = part->first_block + content_table_end(table, i, part->seal.data_end);
		bool same = true;

		status = is_as_recorded(h, &same, start, end, content_table_hash(table, i), error);
		/* What the disk cannot read is damaged; the rest may be sound. */
		if (status == MKROOTFS_ERROR_IO) {
			status = 0;
			same = false;
		}
		if (status == 0 && !same)
			status = block_ranges_add(&h->v->damage, start, end, error);
		if (status == 0)
			status = verify_progress(h->v, (end - start) << EROFS_BLOCK_BITS, error);
	}
	return status;
}

static int check_parts(struct hashing *h, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < h->v->part_count; i++) {
		const struct erofs_part *part = &h->v->parts[i];

		if (!part->is_sound)
			continue;
		status = check_data(h, part, error);
		if (status == 0)
			status = check_metadata(h, part, error);
	}
	return status;
}

int verify_contents(struct erofs_verifier *v, struct mkrootfs_error *error)
{
	struct hashing h = { .v = v };
	int status = block_stream_open(&h.stream, v->reader, error);

	if (status == 0)
		status = xxh3_create(&h.hash, error);
	if (status == 0)
		status = check_parts(&h, error);
	block_stream_close(&h.stream);
	xxh3_free(h.hash);
	return status;
}
