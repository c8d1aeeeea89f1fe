/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata_output.h"

#include "../base/bytes.h"
#include "../base/checked.h"
#include "../tree/chunk_map.h"
#include "dirent.h"
#include "inode.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t device_number(const struct tree_inode *inode)
{
	return erofs_device_encode((uint32_t)(inode->data >> 32), (uint32_t)inode->data);
}

/* i_u of an inode; takes the blocks of a directory or symlink that needs some. */
static uint32_t inode_u(struct metadata_output *out, uint32_t node, uint64_t content)
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

static uint8_t inode_layout(const struct metadata_output *out, uint32_t node, uint64_t content)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);

	if (inode->flags & TREE_CHUNKED)
		return EROFS_INODE_CHUNK_BASED;
	if (content % EROFS_BLOCK_SIZE && !out->plan->in_blocks[out->plan->tree->nodes[node].inode])
		return EROFS_INODE_FLAT_INLINE;
	return EROFS_INODE_FLAT_PLAIN;
}

static void encode_inode(struct metadata_output *out, uint8_t *bytes, uint32_t node,
			 uint64_t content)
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

static void encode_chunks(struct metadata_output *out, uint8_t *bytes,
			  const struct tree_inode *inode)
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
	return len < EROFS_BLOCK_SIZE ? metadata_put(user, block, len, error) : 0;
}

static int write_tail(struct metadata_output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);

	if (S_ISDIR(inode->mode))
		return erofs_directory_encode(out->plan->tree, node, out->plan->nids, emit_tail,
					      out, error);
	return metadata_put(out, tree_string(out->plan->tree, inode), inode->size, error);
}

static int write_inode(struct metadata_output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);
	uint32_t id = out->plan->tree->nodes[node].inode;
	uint32_t head = erofs_layout_head(out->plan, inode);
	uint64_t content = erofs_layout_content(out->plan, node);
	bool inlined = inode_layout(out, node, content) == EROFS_INODE_FLAT_INLINE;
	uint8_t *bytes;
	int status = metadata_pad(out, (uint64_t)out->plan->nids[id] << EROFS_ISLOT_BITS, error);

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
	status = metadata_put(out, bytes, head, error);
	return status == 0 && inlined ? write_tail(out, node, error) : status;
}

static int write_shared_xattrs(struct metadata_output *out, struct mkrootfs_error *error)
{
	uint32_t size = out->plan->xattrs.shared_size;
	uint8_t *bytes;
	int status = metadata_pad(out, out->plan->shared_xattrs, error);

	if (status < 0 || size == 0)
		return status;
	bytes = malloc(size);
	if (!bytes)
		return error_no_memory(error);
	erofs_xattr_encode_shared(&out->plan->xattrs, bytes);
	status = metadata_put(out, bytes, size, error);
	free(bytes);
	return status;
}

struct block_output {
	struct metadata_output *out;
	bool with_tail;
};

static int emit_block(void *user, const uint8_t *block, size_t len, struct mkrootfs_error *error)
{
	struct block_output *blocks = user;
	int status;

	if (len < EROFS_BLOCK_SIZE && !blocks->with_tail)
		return 0;
	status = metadata_put(blocks->out, block, len, error);
	return status < 0 ? status
			  : metadata_pad(blocks->out,
					 round_up_u64(blocks->out->at, EROFS_BLOCK_SIZE), error);
}

/* The part of a directory or symlink that stands in whole blocks. */
static int write_blocks(struct metadata_output *out, uint32_t node, struct mkrootfs_error *error)
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

int metadata_write_area(struct metadata_output *out, struct mkrootfs_error *error)
{
	const struct erofs_layout *plan = out->plan;
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < plan->count; i++)
		status = write_inode(out, plan->order[i], error);
	if (status == 0)
		status = write_shared_xattrs(out, error);
	if (status == 0)
		status = metadata_pad(out, plan->blocks_start, error);
	for (uint32_t i = 0; status == 0 && i < plan->count; i++)
		status = write_blocks(out, plan->order[i], error);
	assert(status < 0 || out->at == plan->end);
	return status;
}
