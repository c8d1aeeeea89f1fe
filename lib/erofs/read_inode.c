/* SPDX-License-Identifier: Apache-2.0 */
#include "read_inode.h"

#include "../base/bytes.h"
#include "../tree/chunk_map.h"
#include "read_xattrs.h"

#include <string.h>

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", what);
}

static uint64_t blocks_of(uint64_t size)
{
	return size / EROFS_BLOCK_SIZE + (size % EROFS_BLOCK_SIZE != 0);
}

int erofs_read_head(struct erofs_placed_inode *inode, struct erofs_reader *reader, uint64_t nid,
		    struct mkrootfs_error *error)
{
	uint64_t meta = (uint64_t)erofs_reader_superblock(reader)->meta_block << EROFS_BLOCK_BITS;
	uint64_t offset = meta + (nid << EROFS_ISLOT_BITS), size = erofs_reader_size(reader);
	uint8_t spare[EROFS_INODE_EXTENDED_SIZE];
	const uint8_t *bytes;
	size_t len = sizeof(spare);
	int status;

	if (nid > UINT32_MAX || offset >= size)
		return malformed(error, "an inode lies outside the image");
	if (size - offset < len)
		len = EROFS_INODE_COMPACT_SIZE;
	status = erofs_reader_lend(reader, &bytes, offset, len, spare, error);
	if (status == 0)
		status = erofs_inode_decode(&inode->head, bytes, len, error);
	if (status < 0)
		return status;
	inode->xattrs = offset + erofs_inode_size(inode->head.extended);
	inode->behind = inode->xattrs + erofs_xattr_ibody_size(inode->head.xattr_count);
	return 0;
}

int erofs_check_tail(const struct erofs_placed_inode *inode, struct mkrootfs_error *error)
{
	uint64_t start = inode->behind % EROFS_BLOCK_SIZE;

	if (start + inode->head.size % EROFS_BLOCK_SIZE > EROFS_BLOCK_SIZE)
		return malformed(error, "an inline tail runs over its block");
	return 0;
}

/* Whole blocks at i_u, an inline tail behind the inode. */
int erofs_read_content(const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		       uint64_t offset, void *out, size_t len, struct mkrootfs_error *error)
{
	uint64_t in_blocks = inode->head.size;
	int status = 0;

	if (inode->head.layout == EROFS_INODE_FLAT_INLINE) {
		in_blocks -= in_blocks % EROFS_BLOCK_SIZE;
		status = erofs_check_tail(inode, error);
	} else if (inode->head.layout != EROFS_INODE_FLAT_PLAIN) {
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "metadata that are compressed or in chunks");
	}
	if (offset >= in_blocks)
		offset = inode->behind + (offset - in_blocks);
	else
		offset += (uint64_t)inode->head.u << EROFS_BLOCK_BITS;
	return status < 0 ? status : erofs_reader_read(reader, offset, out, len, error);
}

/* ---- File data: only its place is read ---- */

int erofs_check_blocks(const struct erofs_reader *reader, uint64_t first, uint64_t count,
		       struct mkrootfs_error *error)
{
	uint64_t total = erofs_reader_superblock(reader)->blocks;

	if (first == 0 || first > total || count > total - first)
		return malformed(error, "file data lies outside the image");
	return 0;
}

static int fill_chunks(struct chunk_map *map, const struct erofs_placed_inode *inode,
		       struct erofs_reader *reader, struct mkrootfs_error *error)
{
	uint64_t blocks = blocks_of(inode->head.size), whole = 1ull << map->block_bits;
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < map->count; i++) {
		uint64_t left = blocks - i * whole;
		uint8_t bytes[EROFS_BLOCK_MAP_ENTRY_SIZE];

		status = erofs_reader_read(reader, inode->behind + i * sizeof(bytes), bytes,
					   sizeof(bytes), error);
		if (status < 0)
			break;
		map->address[i] = get_le32(bytes);
		if (map->address[i] != CHUNK_HOLE)
			status = erofs_check_blocks(reader, map->address[i],
						    left < whole ? left : whole, error);
	}
	return status;
}

static int read_chunks(struct tree *tree, struct tree_inode *out,
		       const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		       struct mkrootfs_error *error)
{
	uint32_t bits = inode->head.u & EROFS_CHUNK_FORMAT_BLKBITS_MASK;
	uint64_t count = (blocks_of(inode->head.size) + (1ull << bits) - 1) >> bits;
	int status;

	if (inode->head.u & ~EROFS_CHUNK_FORMAT_BLKBITS_MASK)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "unknown chunk format");
	if (count > CHUNK_MAP_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "a file in too many chunks");
	status = chunk_map_new(tree, &out->data, bits, (uint32_t)count, error);
	if (status < 0)
		return status;
	out->flags |= TREE_CHUNKED;
	return fill_chunks(chunk_map_of(tree, out), inode, reader, error);
}

static int read_file(struct tree *tree, struct tree_inode *out,
		     const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		     struct mkrootfs_error *error)
{
	out->size = inode->head.size;
	if (out->size == 0)
		return 0;
	if (out->size > INT64_MAX)
		return malformed(error, "a file's size is out of range");
	if (inode->head.layout == EROFS_INODE_CHUNK_BASED)
		return read_chunks(tree, out, inode, reader, error);
	if (inode->head.layout != EROFS_INODE_FLAT_PLAIN)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 inode->head.layout == EROFS_INODE_FLAT_INLINE
					 ? "a file's data stands among the metadata"
					 : "a file is compressed inside EROFS");
	out->data = inode->head.u;
	return erofs_check_blocks(reader, out->data, blocks_of(out->size), error);
}

/* ---- The rest ---- */

int erofs_read_target(char target[PATH_MAX], const struct erofs_placed_inode *inode,
		      struct erofs_reader *reader, struct mkrootfs_error *error)
{
	int status;

	if (inode->head.size == 0 || inode->head.size >= PATH_MAX)
		return malformed(error, "a symbolic link's length is out of range");
	status = erofs_read_content(inode, reader, 0, target, (size_t)inode->head.size, error);
	if (status < 0)
		return status;
	if (memchr(target, '\0', (size_t)inode->head.size))
		return malformed(error, "a symbolic link's target holds a NUL");
	return 0;
}

static int read_symlink(struct tree *tree, struct tree_inode *out,
			const struct erofs_placed_inode *inode, struct erofs_reader *reader,
			struct mkrootfs_error *error)
{
	char target[PATH_MAX];
	int status = erofs_read_target(target, inode, reader, error);

	if (status < 0)
		return status;
	out->size = inode->head.size;
	return tree_new_string(tree, &out->data, target, (size_t)out->size, error);
}

static int read_data(struct tree *tree, struct tree_inode *out,
		     const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		     struct mkrootfs_error *error)
{
	uint32_t major, minor;

	switch (out->mode & S_IFMT) {
	case S_IFREG:
		return read_file(tree, out, inode, reader, error);
	case S_IFLNK:
		return read_symlink(tree, out, inode, reader, error);
	case S_IFCHR:
	case S_IFBLK:
		erofs_device_decode(&major, &minor, inode->head.u);
		out->data = tree_device(major, minor);
		return 0;
	case S_IFDIR:
	case S_IFIFO:
	case S_IFSOCK:
		return 0;
	default:
		return malformed(error, "an inode of unknown type");
	}
}

int erofs_read_mtime(int64_t *seconds, uint32_t *nanoseconds,
		     const struct erofs_placed_inode *inode, const struct erofs_reader *reader,
		     struct mkrootfs_error *error)
{
	const struct erofs_superblock *sb = erofs_reader_superblock(reader);
	bool extended = inode->head.extended;

	*seconds = extended ? inode->head.mtime : (int64_t)sb->epoch;
	*nanoseconds = extended ? inode->head.mtime_nsec : sb->epoch_nsec;
	if (*nanoseconds > 999999999)
		return malformed(error, "an inode's nanoseconds are out of range");
	return 0;
}

int erofs_read_inode(struct tree *tree, uint32_t *id, const struct erofs_placed_inode *inode,
		     struct erofs_reader *reader, struct mkrootfs_error *error)
{
	struct tree_inode out = { .mode = inode->head.mode };
	struct tree_attributes attributes = { .uid = inode->head.uid, .gid = inode->head.gid };
	int status =
		erofs_read_mtime(&attributes.mtime, &attributes.mtime_nsec, inode, reader, error);

	if (status == 0 && inode->head.xattr_count)
		status = erofs_read_xattrs(reader, &tree->xattrs, &attributes.xattrs, inode->xattrs,
					   erofs_xattr_ibody_size(inode->head.xattr_count), error);
	if (status == 0)
		status = tree_set_attributes(tree, &out, &attributes, error);
	if (status == 0)
		status = read_data(tree, &out, inode, reader, error);
	return status < 0 ? status : tree_new_inode(tree, id, &out, error);
}
