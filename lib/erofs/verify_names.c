/* SPDX-License-Identifier: Apache-2.0 */
/* From damaged blocks to the files that have them. */
#include "verify_state.h"

#include "../tree/chunk_map.h"

#include <stdlib.h>

/* Whether a file has damaged blocks among these; marks them. */
static bool take(struct block_ranges *damage, uint64_t start, uint64_t end)
{
	size_t i = block_ranges_find(damage, start), first = i;

	for (; i < damage->count && damage->items[i].start < end; i++)
		damage->items[i].marked = true;
	return i > first;
}

static bool is_damaged(struct erofs_verifier *v, const struct tree *tree,
		       const struct tree_inode *inode)
{
	uint64_t blocks = (inode->size + EROFS_BLOCK_SIZE - 1) >> EROFS_BLOCK_BITS;
	const struct chunk_map *map;
	bool found = false;

	if (!S_ISREG(inode->mode) || inode->size == 0)
		return false;
	if (!(inode->flags & TREE_CHUNKED))
		return take(&v->damage, inode->data, inode->data + blocks);
	map = chunk_map_of(tree, inode);
	for (uint32_t i = 0; i < map->count; i++) {
		uint64_t whole = 1ull << map->block_bits, left = blocks - i * whole;

		if (map->address[i] != CHUNK_HOLE &&
		    take(&v->damage, map->address[i],
			 map->address[i] + (left < whole ? left : whole)))
			found = true;
	}
	return found;
}

/* A file is told of under its first name. */
static int name_files(struct erofs_verifier *v, const struct tree *tree, uint8_t *seen,
		      struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t node = TREE_ROOT; status == 0 && node; node = tree_walk(tree, node)) {
		const struct tree_inode *inode = tree_inode_of(tree, node);
		uint32_t id = tree->nodes[node].inode;
		size_t len = tree_path_length(tree, node) + 1;
		char *path;

		if (seen[id] || !is_damaged(v, tree, inode))
			continue;
		seen[id] = 1;
		path = malloc(len);
		if (!path)
			return error_no_memory(error);
		tree_path(tree, node, path, len);
		status = verify_tell(v,
				     inode->flags & TREE_CHUNKED ? v->parts[0].file
								 : verify_file_of(v, inode->data),
				     path, error, "the file's data are damaged%s",
				     inode->nlink > 1 ? ", under all its names" : "");
		free(path);
	}
	return status;
}

int verify_name_damage(struct erofs_verifier *v, const struct tree *tree,
		       struct mkrootfs_error *error)
{
	uint8_t *seen;
	int status;

	if (v->damage.count == 0)
		return 0;
	seen = calloc(tree->inode_count, 1);
	if (!seen)
		return error_no_memory(error);
	status = name_files(v, tree, seen, error);
	free(seen);
	for (size_t i = 0; status == 0 && i < v->damage.count; i++) {
		const struct block_range *range = &v->damage.items[i];

		if (!range->marked)
			status = verify_tell(v, verify_file_of(v, range->start), NULL, error,
					     "data in blocks %llu to %llu are damaged; no file of "
					     "this tree has them",
					     (unsigned long long)range->start,
					     (unsigned long long)range->end - 1);
	}
	return status;
}
