/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata_output.h"

#include "../base/bytes.h"
#include "../base/checked.h"
#include "../tree/chunk_map.h"
#include "dirent.h"
#include "inode.h"
#include "layout_walk.h"

#include <assert.h>

static uint32_t device_number(const struct tree_inode *inode)
{
	return erofs_device_encode((uint32_t)(inode->data >> 32), (uint32_t)inode->data);
}

/* An inode, and what has to be known to write it. */
struct placed {
	const struct tree_inode *inode;
	uint32_t node;
	uint64_t offset;  /* of the inode in the area */
	uint32_t head;	  /* bytes with xattrs and chunk map */
	uint64_t content; /* bytes of a directory's entries, a symlink's target */
	bool is_inline;	  /* whether what fills no block of it stands behind the head */
};

static struct placed place_of(const struct erofs_layout *plan, uint32_t node)
{
	struct placed p = { .inode = tree_inode_of(plan->tree, node), .node = node };

	p.offset = (uint64_t)plan->nids[plan->tree->nodes[node].inode] << EROFS_ISLOT_BITS;
	p.head = erofs_layout_head(plan, p.inode);
	p.content = erofs_layout_content(plan, p.inode);
	p.is_inline = erofs_layout_is_inline(p.offset + p.head, p.content);
	return p;
}

/* Blocks that the content takes. */
static uint32_t block_count(const struct placed *p)
{
	bool has_last = p->content % EROFS_BLOCK_SIZE && !p->is_inline;

	return (uint32_t)(p->content / EROFS_BLOCK_SIZE) + has_last;
}

/* i_u of an inode; takes the blocks of a directory or symlink that needs some. */
static uint32_t inode_u(struct metadata_output *out, const struct placed *p)
{
	const struct tree_inode *inode = p->inode;
	uint32_t first = out->block;

	if (inode->flags & TREE_CHUNKED)
		return chunk_map_of(out->plan->tree, inode)->block_bits;
	if (S_ISREG(inode->mode) && inode->size > 0)
		return (uint32_t)(inode->data + out->options->data_shift);
	if (S_ISCHR(inode->mode) || S_ISBLK(inode->mode))
		return device_number(inode);
	out->block += block_count(p);
	return out->block > first ? first : EROFS_NULL_ADDR;
}

static uint8_t inode_layout(const struct placed *p)
{
	if (p->inode->flags & TREE_CHUNKED)
		return EROFS_INODE_CHUNK_BASED;
	return p->is_inline ? EROFS_INODE_FLAT_INLINE : EROFS_INODE_FLAT_PLAIN;
}

static void encode_chunks(struct metadata_output *out, uint8_t *end, const struct tree_inode *inode)
{
	const struct chunk_map *map = chunk_map_of(out->plan->tree, inode);
	uint8_t *bytes = end - (size_t)map->count * EROFS_BLOCK_MAP_ENTRY_SIZE;

	for (uint32_t i = 0; i < map->count; i++) {
		uint32_t address = map->address[i];

		if (address != CHUNK_HOLE)
			address += out->options->data_shift;
		put_le32(bytes + i * EROFS_BLOCK_MAP_ENTRY_SIZE, address);
	}
}

static void encode_inode(struct metadata_output *out, uint8_t *bytes, const struct placed *p)
{
	const struct tree_inode *inode = p->inode;
	const struct erofs_inode disk = {
		.extended = !erofs_layout_is_compact(out->plan, inode),
		.layout = inode_layout(p),
		.xattr_count = erofs_xattr_icount(&out->plan->xattrs, inode->xattrs),
		.mode = inode->mode,
		.nlink = inode->nlink,
		.size = S_ISDIR(inode->mode) ? p->content : inode->size,
		.u = inode_u(out, p),
		.number = out->number++,
		.uid = inode->uid,
		.gid = inode->gid,
		.mtime = inode->mtime,
		.mtime_nsec = inode->mtime_nsec,
	};

	erofs_inode_encode(bytes, &disk);
	if (inode->xattrs)
		erofs_xattr_encode(&out->plan->xattrs, inode->xattrs,
				   bytes + erofs_inode_size(disk.extended));
	if (inode->flags & TREE_CHUNKED)
		encode_chunks(out, bytes + p->head, inode);
}

static int emit_tail(void *user, const uint8_t *block, size_t len, struct mkrootfs_error *error)
{
	return metadata_put(user, block, len, error);
}

static int write_tail(struct metadata_output *out, const struct placed *p,
		      struct mkrootfs_error *error)
{
	if (S_ISDIR(p->inode->mode))
		return erofs_directory_encode(out->plan->tree, p->node, out->plan->nids,
					      EROFS_DIRECTORY_TAIL, emit_tail, out, error);
	return metadata_put(out, tree_string(out->plan->tree, p->inode), p->inode->size, error);
}

static int write_inode(struct metadata_output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct placed p = place_of(out->plan, node);
	uint8_t *bytes;
	int status = metadata_lend(out, &bytes, p.offset, p.head, error);

	if (status < 0)
		return status;
	encode_inode(out, bytes, &p);
	return p.is_inline ? write_tail(out, &p, error) : 0;
}

static int write_shared_xattrs(struct metadata_output *out, struct mkrootfs_error *error)
{
	uint32_t size = out->plan->xattrs.shared_size;
	uint8_t *bytes;
	int status = metadata_lend(out, &bytes, out->plan->shared_xattrs, size, error);

	if (status == 0 && size > 0)
		erofs_xattr_encode_shared(&out->plan->xattrs, bytes);
	return status;
}

static int emit_block(void *user, const uint8_t *block, size_t len, struct mkrootfs_error *error)
{
	struct metadata_output *out = user;
	int status = metadata_put(out, block, len, error);

	return status < 0 ? status
			  : metadata_pad(out, round_up_u64(out->at, EROFS_BLOCK_SIZE), error);
}

/* The part of a directory or symlink that stands in whole blocks. */
static int write_blocks(struct metadata_output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(out->plan->tree, node);
	struct placed p;

	if (!S_ISDIR(inode->mode) && !S_ISLNK(inode->mode))
		return 0;
	p = place_of(out->plan, node);
	if (block_count(&p) == 0)
		return 0;
	if (S_ISLNK(inode->mode))
		return emit_block(out, (const uint8_t *)tree_string(out->plan->tree, inode),
				  inode->size, error);
	return erofs_directory_encode(out->plan->tree, node, out->plan->nids,
				      p.is_inline ? EROFS_DIRECTORY_BLOCKS : EROFS_DIRECTORY_WHOLE,
				      emit_block, out, error);
}

static int write_each(struct metadata_output *out,
		      int (*write)(struct metadata_output *, uint32_t, struct mkrootfs_error *),
		      struct mkrootfs_error *error)
{
	struct layout_walk walk = layout_walk_start(out->plan);
	uint32_t node;
	int status = 0;

	while (status == 0 && (node = layout_walk_next(&walk)) != 0)
		status = write(out, node, error);
	return status;
}

int metadata_write_area(struct metadata_output *out, struct mkrootfs_error *error)
{
	const struct erofs_layout *plan = out->plan;
	int status = write_each(out, write_inode, error);

	if (status == 0)
		status = write_shared_xattrs(out, error);
	if (status == 0)
		status = metadata_pad(out, plan->blocks_start, error);
	if (status == 0 && plan->end > plan->blocks_start)
		status = write_each(out, write_blocks, error);
	assert(status < 0 || out->at == plan->end);
	return status;
}
