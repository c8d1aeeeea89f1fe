/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata_output.h"

#include "../base/array.h"
#include "../base/bytes.h"
#include "../base/checked.h"
#include "../tree/chunk_map.h"
#include "dirent.h"
#include "inode_encode.h"
#include "layout_walk.h"

static uint32_t device_number(const struct tree_inode *inode)
{
	return erofs_device_encode(tree_major(inode), tree_minor(inode));
}

/* An inode, and what has to be known to write it. */
struct placed {
	const struct tree_inode *inode;
	uint32_t node;
	uint64_t offset;  /* of the inode in the area */
	uint32_t head;	  /* bytes with xattrs and chunk map */
	uint64_t content; /* bytes of a directory's entries, a symlink's target */
	bool is_compact;
	bool is_inline; /* whether what fills no block of it stands behind the head */
};

static inline struct placed place_of(const struct erofs_layout *plan, uint32_t node)
{
	struct placed p = { .inode = tree_inode_of(plan->tree, node), .node = node };

	p.offset = (uint64_t)plan->nids[plan->tree->nodes[node].inode] << EROFS_ISLOT_BITS;
	p.is_compact = erofs_layout_is_compact(plan, p.inode);
	p.head = erofs_layout_head(plan, p.inode, p.is_compact);
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

/* i_u of an inode that has no content in the metadata's blocks. */
static uint32_t inode_u(const struct metadata_output *out, const struct placed *p)
{
	const struct tree_inode *inode = p->inode;

	if (inode->flags & TREE_CHUNKED)
		return chunk_map_of(out->plan->tree, inode)->block_bits;
	if (S_ISREG(inode->mode) && inode->size > 0)
		return inode->data + out->options->data_shift;
	if (S_ISCHR(inode->mode) || S_ISBLK(inode->mode))
		return device_number(inode);
	return EROFS_NULL_ADDR;
}

/* Takes the next blocks for a directory or symlink. */
static int take_blocks(struct metadata_output *out, const struct placed *p, uint32_t count,
		       struct mkrootfs_error *error)
{
	if (array_reserve(&out->with_blocks, &out->with_block_room, out->with_block_count,
			  sizeof(*out->with_blocks), error) < 0)
		return error->status;
	out->with_blocks[out->with_block_count++] = p->node;
	out->block += count;
	return 0;
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

static void encode_inode(struct metadata_output *out, uint8_t *bytes, const struct placed *p,
			 uint32_t u)
{
	const struct tree_inode *inode = p->inode;
	const struct tree_attributes *attributes = tree_attributes_of(out->plan->tree, inode);
	const struct erofs_inode disk = {
		.extended = !p->is_compact,
		.layout = inode_layout(p),
		.xattr_count = attributes->xattrs
				       ? erofs_xattr_icount(&out->plan->xattrs, attributes->xattrs)
				       : 0,
		.mode = inode->mode,
		.nlink = inode->nlink,
		.size = S_ISDIR(inode->mode) ? p->content : inode->size,
		.u = u,
		.number = out->number++,
		.uid = attributes->uid,
		.gid = attributes->gid,
		.mtime = attributes->mtime,
		.mtime_nsec = attributes->mtime_nsec,
	};

	erofs_inode_encode(bytes, &disk);
	if (attributes->xattrs)
		erofs_xattr_encode(&out->plan->xattrs, attributes->xattrs,
				   bytes + erofs_inode_size(disk.extended));
	if (inode->flags & TREE_CHUNKED)
		encode_chunks(out, bytes + p->head, inode);
}

static int encode_directory(struct metadata_output *out, const struct placed *p,
			    enum erofs_directory_part part, erofs_block_fn emit,
			    struct mkrootfs_error *error)
{
	return erofs_directory_encode(out->plan->tree, p->node, out->plan->nids,
				      &out->plan->directories[p->inode->data], part, emit, out,
				      error);
}

static int emit_tail(void *user, const uint8_t *block, size_t len, struct mkrootfs_error *error)
{
	return metadata_put(user, block, len, error);
}

static int write_tail(struct metadata_output *out, const struct placed *p,
		      struct mkrootfs_error *error)
{
	if (S_ISDIR(p->inode->mode))
		return encode_directory(out, p, EROFS_DIRECTORY_LAST, emit_tail, error);
	return metadata_put(out, tree_string(out->plan->tree, p->inode), p->inode->size, error);
}

static int write_inode(struct metadata_output *out, uint32_t node, struct mkrootfs_error *error)
{
	const struct placed p = place_of(out->plan, node);
	uint32_t blocks = p.content > 0 ? block_count(&p) : 0;
	uint32_t u = blocks ? out->block : inode_u(out, &p);
	uint8_t *bytes;
	int status = metadata_lend(out, &bytes, p.offset, p.head, error);

	if (status == 0 && blocks)
		status = take_blocks(out, &p, blocks, error);
	if (status < 0)
		return status;
	encode_inode(out, bytes, &p, u);
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
	const struct placed p = place_of(out->plan, node);

	if (S_ISLNK(p.inode->mode))
		return emit_block(out, (const uint8_t *)tree_string(out->plan->tree, p.inode),
				  p.inode->size, error);
	return encode_directory(out, &p, p.is_inline ? EROFS_DIRECTORY_REST : EROFS_DIRECTORY_WHOLE,
				emit_block, error);
}

static int write_inodes(struct metadata_output *out, struct mkrootfs_error *error)
{
	struct layout_walk walk = layout_walk_start(out->plan);
	uint32_t node;
	int status = 0;

	while (status == 0 && (node = layout_walk_next(&walk)) != 0)
		status = write_inode(out, node, error);
	return status;
}

int metadata_write_area(struct metadata_output *out, struct mkrootfs_error *error)
{
	const struct erofs_layout *plan = out->plan;
	int status = write_inodes(out, error);

	if (status == 0)
		status = write_shared_xattrs(out, error);
	if (status == 0)
		status = metadata_pad(out, plan->blocks_start, error);
	for (uint32_t i = 0; status == 0 && i < out->with_block_count; i++)
		status = write_blocks(out, out->with_blocks[i], error);
	assert(status < 0 || out->at == plan->end);
	return status;
}
