/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of the metadata, as far as loading the tree does not see to it. */
#include "verify_state.h"

#include "../base/array.h"
#include "../base/bytes.h"
#include "../tree/chunk_map.h"
#include "load_tree.h"
#include "xattr_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { H_NAME_FILTER = 0 };

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", what);
}

/* ---- Problems by their paths ---- */

static int tell_at(struct erofs_verifier *v, const struct tree *tree, uint32_t node,
		   const uint8_t *name, size_t name_len, const char *text,
		   struct mkrootfs_error *error)
{
	size_t len = node ? tree_path_length(tree, node) : 0;
	char *path = malloc(len + name_len + 2);
	int status;

	if (!path)
		return error_no_memory(error);
	*path = '\0';
	if (node)
		tree_path(tree, node, path, len + 1);
	if (len && name_len)
		path[len++] = '/';
	memcpy(path + len, name ? name : (const uint8_t *)"", name_len);
	path[len + name_len] = '\0';
	status = verify_tell(v, v->parts[0].file, path, error, "%s", text);
	free(path);
	return status;
}

static int on_problem(void *user, const struct tree *tree, uint32_t directory, const uint8_t *name,
		      size_t len, struct mkrootfs_error *error)
{
	struct erofs_verifier *v = user;
	struct mkrootfs_error reason = *error;

	v->incomplete = true;
	/* A layout that this library never writes: no damage. */
	if (reason.status == MKROOTFS_ERROR_UNSUPPORTED && !v->parts[0].is_sound) {
		v->result->unread++;
		return 0;
	}
	return tell_at(v, tree, directory, name, len, reason.message, error);
}

/* ---- One inode ---- */

/* What stands behind an inode and its xattrs: a chunk map, or an inline tail. */
static uint64_t size_behind(const struct erofs_placed_inode *inode)
{
	uint64_t bits = inode->head.u & EROFS_CHUNK_FORMAT_BLKBITS_MASK;
	uint64_t blocks = (inode->head.size + EROFS_BLOCK_SIZE - 1) >> EROFS_BLOCK_BITS;

	if (inode->head.layout == EROFS_INODE_FLAT_INLINE)
		return inode->head.size % EROFS_BLOCK_SIZE;
	if (inode->head.layout != EROFS_INODE_CHUNK_BASED || !S_ISREG(inode->head.mode))
		return 0;
	return ((blocks + (1ull << bits) - 1) >> bits) * EROFS_BLOCK_MAP_ENTRY_SIZE;
}

static int check_place(const struct erofs_verifier *v, uint64_t nid,
		       const struct erofs_placed_inode *inode, struct mkrootfs_error *error)
{
	const struct erofs_part *first = &v->parts[0];
	uint64_t tail = size_behind(inode), end = inode->behind + tail;

	if (inode->head.layout == EROFS_INODE_FLAT_INLINE &&
	    inode->behind % EROFS_BLOCK_SIZE + tail > EROFS_BLOCK_SIZE)
		return malformed(error, "an inline tail crosses a block's border");
	if (inode->head.xattr_count == 1)
		return malformed(error, "extended attributes without room for any");
	if (nid == 0 || (first->sb.meta_block == 0 &&
			 nid << EROFS_ISLOT_BITS < EROFS_SUPER_OFFSET + EROFS_SUPER_SIZE))
		return malformed(error, "an inode stands before the metadata");
	if (first->is_sound && end > (uint64_t)first->seal.table_block << EROFS_BLOCK_BITS)
		return malformed(error, "an inode runs past the metadata");
	return 0;
}

/* Of directories and symbolic links that have whole blocks. */
static int check_blocks(const struct erofs_verifier *v, const struct erofs_placed_inode *inode,
			struct mkrootfs_error *error)
{
	const struct erofs_part *first = &v->parts[0];
	uint64_t blocks = inode->head.size >> EROFS_BLOCK_BITS;
	uint64_t start = inode->head.u;

	if (inode->head.layout == EROFS_INODE_FLAT_PLAIN)
		blocks = (inode->head.size + EROFS_BLOCK_SIZE - 1) >> EROFS_BLOCK_BITS;
	if (blocks == 0 || !first->is_sound)
		return 0;
	if (start < first->seal.data_end || start + blocks > first->seal.table_block)
		return malformed(error, "blocks of it lie outside the metadata");
	return 0;
}

static int check_filter(const struct erofs_verifier *v, const struct tree *tree, uint32_t id,
			const struct erofs_placed_inode *inode, struct mkrootfs_error *error)
{
	const struct erofs_superblock *sb = erofs_reader_superblock(v->reader);
	uint8_t head[EROFS_XATTR_IBODY_HEADER_SIZE];
	int status;

	if (inode->head.xattr_count == 0 ||
	    !(sb->feature_compat & EROFS_FEATURE_COMPAT_XATTR_FILTER))
		return 0;
	status = erofs_reader_read(v->reader, inode->xattrs, head, sizeof(head), error);
	if (status < 0)
		return status;
	if (get_le32(head + H_NAME_FILTER) !=
	    erofs_xattr_filter(&tree->xattrs, tree_attributes_of(tree, &tree->inodes[id])->xattrs))
		return malformed(error, "the filter of its extended attributes' names is wrong");
	return 0;
}

/* File data begin and end with extents: two contents never overlap in part. */
static int check_extents(const struct erofs_verifier *v, const struct tree *tree,
			 const struct tree_inode *inode, struct mkrootfs_error *error)
{
	uint64_t blocks = (inode->size + EROFS_BLOCK_SIZE - 1) >> EROFS_BLOCK_BITS;
	uint64_t start = UINT64_MAX, end = 0;
	const struct chunk_map *map;

	if (!S_ISREG(inode->mode) || inode->size == 0)
		return 0;
	if (!(inode->flags & TREE_CHUNKED))
		return verify_is_extent(v, inode->data, blocks)
			       ? 0
			       : malformed(error, "its data are no content of the image");
	map = chunk_map_of(tree, inode);
	for (uint32_t i = 0; i < map->count; i++) {
		uint64_t whole = 1ull << map->block_bits, left = blocks - i * whole;

		if (map->address[i] == CHUNK_HOLE)
			continue;
		if (start == UINT64_MAX)
			start = map->address[i];
		else if (map->address[i] != end)
			return malformed(error, "its chunks do not follow each other");
		end = map->address[i] + (left < whole ? left : whole);
	}
	return end == 0 || verify_is_extent(v, start, end - start)
		       ? 0
		       : malformed(error, "its data are no content of the image");
}

static int keep_nid(struct erofs_verifier *v, uint32_t id, uint64_t nid,
		    struct mkrootfs_error *error)
{
	int status = 0;

	while (status == 0 && id >= v->nid_room)
		status = array_grow(&v->nids, &v->nid_room, sizeof(*v->nids), error);
	if (status < 0)
		return status;
	/* The root's inode comes first, and becomes TREE_ROOT. */
	if (v->result->inodes == 0)
		v->nids[TREE_ROOT] = nid;
	v->nids[id] = nid;
	v->result->inodes++;
	return 0;
}

static int on_inode(void *user, const struct tree *tree, uint32_t id, uint64_t nid,
		    const struct erofs_placed_inode *inode, struct mkrootfs_error *error)
{
	struct erofs_verifier *v = user;
	int status = keep_nid(v, id, nid, error);

	if (status == 0)
		status = check_place(v, nid, inode, error);
	if (status == 0 && (S_ISDIR(inode->head.mode) || S_ISLNK(inode->head.mode)))
		status = check_blocks(v, inode, error);
	if (status == 0)
		status = check_filter(v, tree, id, inode, error);
	if (status == 0)
		status = check_extents(v, tree, &tree->inodes[id], error);
	if (status == 0 && !S_ISREG(inode->head.mode) && !S_ISDIR(inode->head.mode) &&
	    !S_ISLNK(inode->head.mode) && inode->head.size != 0)
		status = malformed(error, "a special file has a size");
	return status;
}

/* ---- Directories and the whole ---- */

static int on_directory(void *user, const struct tree *tree, uint32_t node, uint64_t dot,
			uint64_t dot_dot, struct mkrootfs_error *error)
{
	struct erofs_verifier *v = user;
	uint32_t parent = node == TREE_ROOT ? node : tree->nodes[node].parent;

	if (dot == EROFS_NO_NID || dot_dot == EROFS_NO_NID)
		return malformed(error, "a directory lacks '.' or '..'");
	if (dot != v->nids[tree->nodes[node].inode] ||
	    dot_dot != v->nids[tree->nodes[parent].inode])
		return malformed(error, "a directory's '.' or '..' leads elsewhere");
	return 0;
}

/* nlink is what names count once the tree is sealed, links what the image said. */
static int compare_links(struct erofs_verifier *v, const struct tree *tree, const uint32_t *links,
			 struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t node = TREE_ROOT; status == 0 && node; node = tree_walk(tree, node)) {
		const struct tree_inode *inode = tree_inode_of(tree, node);
		char text[96];

		if (inode->nlink == links[tree->nodes[node].inode])
			continue;
		snprintf(text, sizeof(text), "%u links are counted, its inode says %u",
			 inode->nlink, links[tree->nodes[node].inode]);
		status = tell_at(v, tree, node, NULL, 0, text, error);
	}
	return status;
}

static int check_counts(struct erofs_verifier *v, struct tree *tree, struct mkrootfs_error *error)
{
	const struct erofs_superblock *sb = erofs_reader_superblock(v->reader);
	uint32_t *links = calloc(tree->inode_count, sizeof(*links));
	int status;

	if (!links)
		return error_no_memory(error);
	for (uint32_t i = 0; i < tree->inode_count; i++)
		links[i] = tree->inodes[i].nlink;
	status = tree_seal(tree, error);
	/* What could not be read would be counted wrong. */
	if (status == 0 && !v->incomplete)
		status = compare_links(v, tree, links, error);
	free(links);
	if (status == 0 && !v->incomplete && v->parts[0].is_sound &&
	    sb->inodes != v->result->inodes)
		status = verify_tell(v, v->parts[0].file, NULL, error,
				     "%llu inodes are in use, the superblock says %llu",
				     (unsigned long long)v->result->inodes,
				     (unsigned long long)sb->inodes);
	return status;
}

int verify_tree(struct erofs_verifier *v, struct mkrootfs_error *error)
{
	const struct erofs_watch watch = { v, on_problem, on_inode, on_directory };
	uint32_t max_nodes = v->options->max_nodes ? v->options->max_nodes : UINT32_MAX - 2;
	struct tree *tree;
	int status = erofs_load_tree(&tree, v->reader, max_nodes, &watch, error);

	if (status < 0)
		return status;
	status = check_counts(v, tree, error);
	if (status == 0)
		status = verify_name_damage(v, tree, error);
	tree_free(tree);
	return status;
}
