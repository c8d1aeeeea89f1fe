/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata.h"

#include "../base/buf.h"
#include "../base/bytes.h"
#include "../base/checked.h"
#include "../tree/chunk_map.h"
#include "dirent.h"
#include "inode.h"
#include "seal.h"
#include "xxh.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct output {
	struct image_file *file;
	const struct erofs_layout *plan;
	const struct erofs_metadata_options *options;
	uint64_t base;	 /* byte of the file where the metadata area starts */
	uint64_t at;	 /* bytes written, from base */
	uint32_t block;	 /* next free block for content that stands in blocks, from the file's start
			  */
	uint32_t number; /* i_ino of the next inode */
	struct buf head; /* the inode in work */
	struct xxh3 *hash; /* of the metadata so far */
};

static int put(struct output *out, const void *data, size_t len, struct mkrootfs_error *error)
{
	int status = image_file_write(out->file, out->base + out->at, data, len, error);

	xxh3_update(out->hash, data, len);
	out->at += len;
	return status;
}

/* Zeros up to a planned offset. */
static int pad(struct output *out, uint64_t offset, struct mkrootfs_error *error)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];
	int status = 0;

	assert(out->at <= offset);
	while (status == 0 && out->at < offset) {
		uint64_t len = offset - out->at;

		status = put(out, zeros, len < sizeof(zeros) ? len : sizeof(zeros), error);
	}
	return status;
}

static uint32_t device_number(const struct tree_inode *inode)
{
	return erofs_device_encode((uint32_t)(inode->data >> 32), (uint32_t)inode->data);
}

/* i_u of an inode; takes the blocks of a directory or symlink that needs some. */
static uint32_t inode_u(struct output *out, uint32_t node, uint64_t content)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);
	uint32_t first = out->block;

	if (S_ISCHR(inode->mode) || S_ISBLK(inode->mode))
		return device_number(inode);
	if (inode->flags & TREE_CHUNKED)
		return chunk_map_of(out->plan->tree, inode)->block_bits;
	if (S_ISREG(inode->mode) && inode->size > 0)
		return (uint32_t)(inode->data + out->options->data_shift);
	out->block += (uint32_t)(content / EROFS_BLOCK_SIZE);
	if (content % EROFS_BLOCK_SIZE && out->plan->in_blocks[out->plan->tree->nodes[node].inode])
		out->block++;
	return out->block > first ? first : EROFS_NULL_ADDR;
}

static uint8_t inode_layout(const struct output *out, uint32_t node, uint64_t content)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);

	if (inode->flags & TREE_CHUNKED)
		return EROFS_INODE_CHUNK_BASED;
	if (content % EROFS_BLOCK_SIZE && !out->plan->in_blocks[out->plan->tree->nodes[node].inode])
		return EROFS_INODE_FLAT_INLINE;
	return EROFS_INODE_FLAT_PLAIN;
}

static void encode_inode(struct output *out, uint8_t *bytes, uint32_t node, uint64_t content)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);
	const struct erofs_inode disk = {
		.extended = !erofs_layout_is_compact(out->plan, inode),
		.layout = inode_layout(out, node, content),
		.xattr_count = erofs_xattr_icount(&out->plan->xattrs, inode->xattrs),
		.mode = inode->mode,
		.nlink = inode->nlink,
		.size = S_ISDIR(inode->mode) ? content : inode->size,
		.u = inode_u(out, node, content),
		.number = out->number++,
		.uid = inode->uid,
		.gid = inode->gid,
		.mtime = inode->mtime,
		.mtime_nsec = inode->mtime_nsec,
	};

	erofs_inode_encode(bytes, &disk);
	bytes += erofs_inode_size(disk.extended);
	erofs_xattr_encode(&out->plan->xattrs, inode->xattrs, bytes);
}

static void encode_chunks(struct output *out, uint8_t *bytes, const struct tree_inode *inode)
{
	const struct chunk_map *map = chunk_map_of(out->plan->tree, inode);

	for (uint32_t i = 0; i < map->count; i++) {
		uint32_t address = map->address[i];

		if (address != CHUNK_HOLE)
			address += out->options->data_shift;
		put_le32(bytes + i * EROFS_BLOCK_MAP_ENTRY_SIZE, address);
	}
}

/* Only the last, partly filled block of a directory stands behind its inode. */
static int emit_tail(void *user, const uint8_t *block, size_t len, struct mkrootfs_error *error)
{
	return len < EROFS_BLOCK_SIZE ? put(user, block, len, error) : 0;
}

static int write_tail(struct output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);

	if (S_ISDIR(inode->mode))
		return erofs_directory_encode(out->plan->tree, node, out->plan->nids, emit_tail,
					      out, error);
	return put(out, tree_string(out->plan->tree, inode), inode->size, error);
}

static int write_inode(struct output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);
	uint32_t id = out->plan->tree->nodes[node].inode;
	uint32_t head = erofs_layout_head(out->plan, inode);
	uint64_t content = erofs_layout_content(out->plan, node);
	bool inlined = inode_layout(out, node, content) == EROFS_INODE_FLAT_INLINE;
	uint8_t *bytes;
	int status = pad(out, (uint64_t)out->plan->nids[id] << EROFS_ISLOT_BITS, error);

	buf_clear(&out->head);
	if (status == 0)
		status = buf_grow(&out->head, &bytes, head, error);
	if (status < 0)
		return status;
	encode_inode(out, bytes, node, content);
	if (inode->flags & TREE_CHUNKED)
		encode_chunks(out,
			      bytes + head -
				      chunk_map_of(out->plan->tree, inode)->count *
					      EROFS_BLOCK_MAP_ENTRY_SIZE,
			      inode);
	status = put(out, bytes, head, error);
	return status == 0 && inlined ? write_tail(out, node, error) : status;
}

static int write_shared_xattrs(struct output *out, struct mkrootfs_error *error)
{
	uint32_t size = out->plan->xattrs.shared_size;
	uint8_t *bytes;
	int status = pad(out, out->plan->shared_xattrs, error);

	if (status < 0 || size == 0)
		return status;
	bytes = malloc(size);
	if (!bytes)
		return error_no_memory(error);
	erofs_xattr_encode_shared(&out->plan->xattrs, bytes);
	status = put(out, bytes, size, error);
	free(bytes);
	return status;
}

struct block_output {
	struct output *out;
	bool with_tail;
};

static int emit_block(void *user, const uint8_t *block, size_t len, struct mkrootfs_error *error)
{
	struct block_output *blocks = user;
	int status;

	if (len < EROFS_BLOCK_SIZE && !blocks->with_tail)
		return 0;
	status = put(blocks->out, block, len, error);
	return status < 0
		       ? status
		       : pad(blocks->out, round_up_u64(blocks->out->at, EROFS_BLOCK_SIZE), error);
}

/* The part of a directory or symlink that stands in whole blocks. */
static int write_blocks(struct output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);
	struct block_output blocks = { out,
				       out->plan->in_blocks[out->plan->tree->nodes[node].inode] };

	if (S_ISDIR(inode->mode))
		return erofs_directory_encode(out->plan->tree, node, out->plan->nids, emit_block,
					      &blocks, error);
	if (S_ISLNK(inode->mode) && blocks.with_tail)
		return emit_block(&blocks, (const uint8_t *)tree_string(out->plan->tree, inode),
				  inode->size, error);
	return 0;
}

static int write_area(struct output *out, struct mkrootfs_error *error)
{
	const struct erofs_layout *plan = out->plan;
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < plan->count; i++)
		status = write_inode(out, plan->order[i], error);
	if (status == 0)
		status = write_shared_xattrs(out, error);
	if (status == 0)
		status = pad(out, plan->blocks_start, error);
	for (uint32_t i = 0; status == 0 && i < plan->count; i++)
		status = write_blocks(out, plan->order[i], error);
	assert(status < 0 || out->at == plan->end);
	return status;
}

static uint32_t used_features(const struct erofs_layout *plan)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (tree_inode_of(plan->tree, plan->order[i])->flags & TREE_CHUNKED)
			return EROFS_FEATURE_INCOMPAT_CHUNKED_FILE;
	return 0;
}

/* ---- Behind and before the metadata ---- */

uint32_t erofs_metadata_table_blocks(const struct erofs_metadata_options *options)
{
	return options->contents ? erofs_seal_table_blocks(content_table_count(options->contents))
				 : 0;
}

/* Fills seal, with the hash of the table's blocks. */
static int write_table(struct output *out, struct erofs_seal *seal, struct mkrootfs_error *error)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];
	const struct content_table *contents = out->options->contents;
	uint64_t offset = out->base + out->plan->end;
	size_t len = contents ? contents->bytes.len : 0;
	int status = 0;

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

static int write_first_block(struct output *out, const struct erofs_seal *seal,
			     struct mkrootfs_error *error)
{
	const struct erofs_layout *plan = out->plan;
	struct erofs_superblock sb = {
		.feature_compat = EROFS_FEATURE_COMPAT_SB_CHKSUM | EROFS_FEATURE_COMPAT_MTIME |
				  EROFS_FEATURE_COMPAT_XATTR_FILTER,
		.feature_incompat = used_features(plan),
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
static void begin_hash(struct output *out)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];

	xxh3_reset(out->hash);
	if (out->base == 0)
		out->at = EROFS_SUPER_OFFSET + EROFS_SUPER_SIZE;
	else
		xxh3_update(out->hash, zeros,
			    EROFS_BLOCK_SIZE - EROFS_SUPER_OFFSET - EROFS_SUPER_SIZE);
}

static int write_all(struct output *out, struct mkrootfs_error *error)
{
	struct erofs_seal seal;
	int status = image_file_resize(out->file, out->base, error);

	begin_hash(out);
	if (status == 0)
		status = write_area(out, error);
	if (status == 0)
		status = write_table(out, &seal, error);
	return status < 0 ? status : write_first_block(out, &seal, error);
}

int erofs_metadata_write(struct image_file *file, const struct erofs_layout *plan,
			 const struct erofs_metadata_options *options, struct mkrootfs_error *error)
{
	struct output out = {
		.file = file,
		.plan = plan,
		.options = options,
		.base = (uint64_t)plan->first_block << EROFS_BLOCK_BITS,
		.block = plan->first_block + (uint32_t)(plan->blocks_start / EROFS_BLOCK_SIZE),
		.number = 1,
		.head = BUF_INIT(SIZE_MAX),
	};
	int status = xxh3_create(&out.hash, error);

	if (status == 0)
		status = write_all(&out, error);
	buf_free(&out.head);
	xxh3_free(out.hash);
	return status;
}
