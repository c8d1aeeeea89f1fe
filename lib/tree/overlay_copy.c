/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk_map.h"
#include "overlay_state.h"

#include <string.h>

static int copy_xattrs(struct overlay *o, uint32_t *set, uint32_t layer_set,
		       struct mkrootfs_error *error)
{
	int status = 0;

	if (layer_set && o->sets[layer_set] == 0)
		status = xattr_pool_copy(&o->merged->xattrs, &o->sets[layer_set], &o->layer->xattrs,
					 layer_set, error);
	*set = layer_set ? o->sets[layer_set] : 0;
	return status;
}

int overlay_map_attributes(struct overlay *o, uint32_t *number, const struct tree_inode *inode,
			   struct mkrootfs_error *error)
{
	uint32_t *known = &o->attributes[inode->attributes];
	struct tree_attributes copy;
	int status = 0;

	if (*known == 0) {
		copy = *tree_attributes_of(o->layer, inode);
		status = copy_xattrs(o, &copy.xattrs, copy.xattrs, error);
		if (status == 0)
			status = attribute_pool_add(&o->merged->attributes, known, &copy, error);
	}
	*number = *known;
	return status;
}

static int copy_chunks(struct overlay *o, struct tree_inode *copy, const struct tree_inode *inode,
		       struct mkrootfs_error *error)
{
	const struct chunk_map *from = chunk_map_of(o->layer, inode);
	struct chunk_map *to;
	int status = chunk_map_new(o->merged, &copy->data, from->block_bits, from->count, error);

	if (status < 0)
		return status;
	to = chunk_map_of(o->merged, copy);
	for (uint32_t i = 0; i < from->count; i++)
		if (from->address[i] != CHUNK_HOLE)
			to->address[i] = (uint32_t)(from->address[i] + o->options->first_block);
	return 0;
}

/* Makes what data stands for valid in the merged tree. */
static int copy_data(struct overlay *o, struct tree_inode *copy, const struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	const char *target;

	if (S_ISLNK(inode->mode)) {
		target = tree_string(o->layer, inode);
		return tree_new_string(o->merged, &copy->data, target, strlen(target), error);
	}
	if (inode->flags & TREE_CHUNKED)
		return copy_chunks(o, copy, inode, error);
	if (S_ISREG(inode->mode) && inode->size > 0)
		copy->data = (uint32_t)(inode->data + o->options->first_block);
	return 0;
}

int overlay_map_inode(struct overlay *o, uint32_t *id, uint32_t layer_id,
		      struct mkrootfs_error *error)
{
	const struct tree_inode *inode = &o->layer->inodes[layer_id];
	struct tree_inode copy = *inode;
	int status = 0;

	if (o->inodes[layer_id] == 0) {
		copy.flags &= TREE_CHUNKED;
		status = overlay_map_attributes(o, &copy.attributes, inode, error);
		if (status == 0)
			status = copy_data(o, &copy, inode, error);
		if (status == 0)
			status = tree_new_inode(o->merged, &o->inodes[layer_id], &copy, error);
	}
	*id = o->inodes[layer_id];
	return status;
}
