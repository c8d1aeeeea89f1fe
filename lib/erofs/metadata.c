/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata.h"

#include "../base/checked.h"
#include "metadata_output.h"
#include "seal.h"

#include <string.h>

uint32_t erofs_metadata_table_blocks(const struct erofs_metadata_options *options)
{
	return options->contents ? erofs_seal_table_blocks(content_table_count(options->contents))
				 : 0;
}

/* Fills seal, with the hash of the table's blocks. */
static int write_table(struct metadata_output *out, struct erofs_seal *seal,
		       struct mkrootfs_error *error)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];
	const struct content_table *contents = out->options->contents;
	uint64_t offset = out->base + out->plan->end;
	size_t len = contents ? contents->bytes.len : 0;
	int status = metadata_flush(out, error);

	if (status < 0)
		return status;
	if ((offset >> EROFS_BLOCK_BITS) + erofs_metadata_table_blocks(out->options) >
	    EROFS_MAX_BLOCKS)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the image exceeds 16 TiB");
	if (len)
		status = image_file_write(out->file, offset, contents->bytes.data, len, error);
	seal->data_end = out->plan->first_block ? out->plan->first_block : 1;
	seal->table_block = (uint32_t)(offset >> EROFS_BLOCK_BITS);
	seal->table_entries = contents ? content_table_count(contents) : 0;
	seal->blocks = seal->table_block + erofs_metadata_table_blocks(out->options);
	seal->metadata_hash = xxh3_digest(out->hash);
	xxh3_reset(out->hash);
	if (len)
		xxh3_update(out->hash, contents->bytes.data, len);
	xxh3_update(out->hash, zeros, (size_t)(round_up_u64(len, EROFS_BLOCK_SIZE) - len));
	seal->table_hash = xxh3_digest(out->hash);
	if (status == 0)
		status = image_file_resize(out->file, (uint64_t)seal->blocks << EROFS_BLOCK_BITS,
					   error);
	return status;
}

static int write_first_block(struct metadata_output *out, const struct erofs_seal *seal,
			     struct mkrootfs_error *error)
{
	const struct erofs_layout *plan = out->plan;
	struct erofs_superblock sb = {
		.feature_compat = EROFS_FEATURE_COMPAT_SB_CHKSUM | EROFS_FEATURE_COMPAT_MTIME |
				  EROFS_FEATURE_COMPAT_XATTR_FILTER,
		.feature_incompat = plan->has_chunks ? EROFS_FEATURE_INCOMPAT_CHUNKED_FILE : 0,
		.root_nid = (uint16_t)plan->nids[TREE_ROOT],
		.inodes = plan->count,
		.epoch = (uint64_t)plan->epoch,
		.epoch_nsec = plan->epoch_nsec,
		.blocks = seal->blocks + out->options->blocks_behind,
		.meta_block = plan->first_block,
		.xattr_block =
			plan->first_block + (uint32_t)(plan->shared_xattrs / EROFS_BLOCK_SIZE),
	};
	uint8_t block[EROFS_BLOCK_SIZE];
	int status = image_file_read(out->file, 0, block, sizeof(block), error);

	if (status < 0)
		return status;
	erofs_seal_encode(block, seal);
	memcpy(sb.uuid, out->options->uuid, UUID_SIZE);
	erofs_superblock_encode(block, &sb);
	return image_file_write(out->file, 0, block, sizeof(block), error);
}

/* What stands behind the superblock in the first block is metadata, or zeros. */
static void begin_hash(struct metadata_output *out)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];

	xxh3_reset(out->hash);
	if (out->base == 0)
		out->at = EROFS_SUPER_OFFSET + EROFS_SUPER_SIZE;
	else
		xxh3_update(out->hash, zeros,
			    EROFS_BLOCK_SIZE - EROFS_SUPER_OFFSET - EROFS_SUPER_SIZE);
}

static int write_all(struct metadata_output *out, struct mkrootfs_error *error)
{
	struct erofs_seal seal;
	int status = image_file_resize(out->file, out->base, error);

	begin_hash(out);
	if (status == 0)
		status = metadata_write_area(out, error);
	if (status == 0)
		status = write_table(out, &seal, error);
	return status < 0 ? status : write_first_block(out, &seal, error);
}

int erofs_metadata_write(struct image_file *file, const struct erofs_layout *plan,
			 const struct erofs_metadata_options *options, struct mkrootfs_error *error)
{
	struct metadata_output out = {
		.file = file,
		.plan = plan,
		.options = options,
		.base = (uint64_t)plan->first_block << EROFS_BLOCK_BITS,
		.block = plan->first_block + (uint32_t)(plan->blocks_start / EROFS_BLOCK_SIZE),
		.number = 1,
	};
	int status = xxh3_create(&out.hash, error);

	if (status == 0)
		status = write_all(&out, error);
	metadata_free(&out);
	return status;
}
