/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include "../base/checked.h"
#include "../base/pages.h"
#include "../tree/chunk_map.h"
#include "layout_walk.h"

#include <stdlib.h>

/*
 * nid 0 is never used: its inode number 0 means "no entry" to some readers of directories. Behind
 * a superblock the first inode stands at nid 36 anyway.
 */
static uint64_t first_inode_offset(uint32_t first_block)
{
	return first_block ? EROFS_ISLOT_SIZE : EROFS_SUPER_OFFSET + EROFS_SUPER_SIZE;
}

uint32_t erofs_layout_extras(const struct erofs_layout *plan, const struct tree_inode *inode)
{
	uint32_t size =
		erofs_xattr_ibody(&plan->xattrs, tree_attributes_of(plan->tree, inode)->xattrs);

	if (inode->flags & TREE_CHUNKED)
		size += chunk_map_of(plan->tree, inode)->count * EROFS_BLOCK_MAP_ENTRY_SIZE;
	return size;
}

/* Bytes left in the block at offset. */
static uint32_t room_at(uint64_t offset)
{
	return EROFS_BLOCK_SIZE - (uint32_t)offset % EROFS_BLOCK_SIZE;
}

/*
 * The place of an inode whose tail must not cross a block: at cursor, or moved on so that the tail
 * starts a block. It stays where a block of its own wastes less, or the tail fits nowhere.
 */
static uint64_t place_inode(uint64_t cursor, uint32_t head, uint32_t tail)
{
	uint64_t moved, waste;

	if (tail <= room_at(cursor + head))
		return cursor;
	moved = round_up_u64(round_up_u64(cursor + head, EROFS_BLOCK_SIZE) - head,
			     EROFS_ISLOT_SIZE);
	waste = moved - cursor;
	return tail <= room_at(moved + head) && waste <= EROFS_BLOCK_SIZE - tail ? moved : cursor;
}

struct planner {
	struct erofs_layout *plan;
	uint64_t cursor; /* bytes from the area's start */
	uint64_t blocks; /* whole blocks of directories so far */
};

static int plan_inode(struct planner *p, uint32_t node, struct mkrootfs_error *error)
{
	struct erofs_layout *plan = p->plan;
	const struct tree_inode *inode = tree_inode_of(plan->tree, node);
	uint32_t head = erofs_layout_head(plan, inode, erofs_layout_is_compact(plan, inode)), tail;
	uint64_t content;

	if (S_ISDIR(inode->mode))
		plan->directories[inode->data] = erofs_directory_measure(plan->tree, node);
	content = erofs_layout_content(plan, inode);
	tail = (uint32_t)content % EROFS_BLOCK_SIZE;
	p->cursor = place_inode(p->cursor, head, tail);
	if (p->cursor >> EROFS_ISLOT_BITS > UINT32_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the metadata exceeds 128 GiB");
	plan->nids[plan->tree->nodes[node].inode] = (uint32_t)(p->cursor >> EROFS_ISLOT_BITS);
	plan->count++;
	if (inode->flags & TREE_CHUNKED)
		plan->has_chunks = true;
	p->cursor += head;
	p->blocks += content / EROFS_BLOCK_SIZE;
	if (erofs_layout_is_inline(p->cursor, content))
		p->cursor += tail;
	else
		p->blocks += tail > 0;
	p->cursor = round_up_u64(p->cursor, EROFS_ISLOT_SIZE);
	return 0;
}

static int plan_all(struct erofs_layout *plan, struct mkrootfs_error *error)
{
	struct planner p = { .plan = plan, .cursor = plan->first_inode };
	struct layout_walk walk = layout_walk_start(plan);
	uint32_t node;
	int status = 0;

	while (status == 0 && (node = layout_walk_next(&walk)) != 0)
		status = plan_inode(&p, node, error);
	if (status < 0)
		return status;
	plan->shared_xattrs = p.cursor;
	plan->blocks_start = round_up_u64(p.cursor + plan->xattrs.shared_size, EROFS_BLOCK_SIZE);
	plan->end = plan->blocks_start + p.blocks * EROFS_BLOCK_SIZE;
	erofs_xattr_place(&plan->xattrs, (uint32_t)(plan->shared_xattrs % EROFS_BLOCK_SIZE));
	if (plan->first_block + plan->end / EROFS_BLOCK_SIZE > EROFS_MAX_BLOCKS)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the image exceeds 16 TiB");
	return 0;
}

int erofs_layout_plan(struct erofs_layout *plan, const struct tree *tree, uint32_t first_block,
		      struct mkrootfs_error *error)
{
	int status;

	*plan = (struct erofs_layout){ .tree = tree, .first_block = first_block };
	plan->first_inode = first_inode_offset(first_block);
	plan->nids = pages_zeroed(tree->inode_count, sizeof(*plan->nids));
	plan->directories = calloc(tree->directory_count, sizeof(*plan->directories));
	if (!plan->nids || !plan->directories)
		status = error_no_memory(error);
	else
		status = erofs_choose_epoch(&plan->epoch, &plan->epoch_nsec, tree, error);
	if (status == 0)
		status = erofs_xattr_table_build(&plan->xattrs, tree, error);
	if (status == 0)
		status = plan_all(plan, error);
	if (status < 0)
		erofs_layout_free(plan);
	return status;
}

void erofs_layout_free(struct erofs_layout *plan)
{
	erofs_xattr_table_free(&plan->xattrs);
	free(plan->nids);
	free(plan->directories);
	*plan = (struct erofs_layout){ 0 };
}
