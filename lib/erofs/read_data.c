/* SPDX-License-Identifier: Apache-2.0 */
#include "read_data.h"

#include "../base/bytes.h"
#include "../base/checked.h"

#include <string.h>

/* Byte offsets in struct erofs_inode_chunk_index. */
enum { INDEX_DEVICE_ID = 2, INDEX_BLKADDR = 4 };

static int unsupported(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "%s", what);
}

static uint64_t blocks_of(uint64_t size)
{
	return size / EROFS_BLOCK_SIZE + (size % EROFS_BLOCK_SIZE != 0);
}

/* The piece from byte within of block on; it was checked that its blocks are of the image. */
static int place(struct erofs_piece *piece, const struct erofs_reader *reader, uint64_t block,
		 uint64_t within, struct mkrootfs_error *error)
{
	piece->address = (block << EROFS_BLOCK_BITS) + within;
	if (piece->address + piece->left > erofs_reader_size(reader))
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				 "the data stand behind the end of what is here");
	return 0;
}

/* ---- Whole blocks, perhaps with a tail behind the inode ---- */

static int find_flat(struct erofs_piece *piece, const struct erofs_placed_inode *inode,
		     struct erofs_reader *reader, uint64_t offset, struct mkrootfs_error *error)
{
	uint64_t in_blocks = inode->head.size, first = inode->head.u;
	int status;

	if (inode->head.layout == EROFS_INODE_FLAT_INLINE)
		in_blocks -= in_blocks % EROFS_BLOCK_SIZE;
	if (offset >= in_blocks) {
		piece->address = inode->behind + (offset - in_blocks);
		piece->left = inode->head.size - offset;
		return erofs_check_tail(inode, error);
	}
	status = erofs_check_blocks(reader, first, blocks_of(in_blocks), error);
	if (status < 0)
		return status;
	piece->left = in_blocks - offset;
	return place(piece, reader, first, offset, error);
}

/* ---- Chunks ---- */

static int read_address(uint32_t *address, const struct erofs_placed_inode *inode,
			struct erofs_reader *reader, uint64_t chunk, struct mkrootfs_error *error)
{
	bool indexes = inode->head.u & EROFS_CHUNK_FORMAT_INDEXES;
	uint32_t size = indexes ? EROFS_CHUNK_INDEX_SIZE : EROFS_BLOCK_MAP_ENTRY_SIZE;
	uint8_t bytes[EROFS_CHUNK_INDEX_SIZE] = { 0 };
	int status = erofs_reader_read(reader, round_up_u64(inode->behind, size) + chunk * size,
				       bytes, size, error);

	if (status < 0)
		return status;
	if (indexes && get_le16(bytes + INDEX_DEVICE_ID) != 0)
		return unsupported(error, "the data stand on another device");
	*address = get_le32(bytes + (indexes ? INDEX_BLKADDR : 0));
	return 0;
}

static int find_chunk(struct erofs_piece *piece, const struct erofs_placed_inode *inode,
		      struct erofs_reader *reader, uint64_t offset, struct mkrootfs_error *error)
{
	uint32_t bits = (inode->head.u & EROFS_CHUNK_FORMAT_BLKBITS_MASK) + EROFS_BLOCK_BITS;
	uint64_t chunk = offset >> bits, start = chunk << bits;
	uint64_t size = inode->head.size - start;
	uint32_t address = 0;
	int status;

	if (size > 1ull << bits)
		size = 1ull << bits;
	if (inode->head.u & ~(EROFS_CHUNK_FORMAT_BLKBITS_MASK | EROFS_CHUNK_FORMAT_INDEXES))
		return unsupported(error, "unknown chunk format");
	status = read_address(&address, inode, reader, chunk, error);
	piece->left = size - (offset - start);
	piece->hole = address == EROFS_NULL_ADDR;
	if (status < 0 || piece->hole)
		return status;
	status = erofs_check_blocks(reader, address, blocks_of(size), error);
	return status < 0 ? status : place(piece, reader, address, offset - start, error);
}

int erofs_find_data(struct erofs_piece *piece, const struct erofs_placed_inode *inode,
		    struct erofs_reader *reader, uint64_t offset, struct mkrootfs_error *error)
{
	*piece = (struct erofs_piece){ 0 };
	switch (inode->head.layout) {
	case EROFS_INODE_FLAT_PLAIN:
	case EROFS_INODE_FLAT_INLINE:
		return find_flat(piece, inode, reader, offset, error);
	case EROFS_INODE_CHUNK_BASED:
		return find_chunk(piece, inode, reader, offset, error);
	default:
		return unsupported(error, "the file is compressed inside EROFS, which this version "
					  "does not read");
	}
}

/* Past the reader's cache, which is for metadata: data are read once. */
int erofs_read_data(const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		    uint64_t offset, void *out, size_t len, struct mkrootfs_error *error)
{
	uint8_t *to = out;

	while (len > 0) {
		struct erofs_piece piece;
		int status = erofs_find_data(&piece, inode, reader, offset, error);
		size_t part = len < piece.left ? len : (size_t)piece.left;

		if (status == 0 && piece.hole)
			memset(to, 0, part);
		else if (status == 0)
			status = extents_read(erofs_reader_extents(reader), piece.address, to, part,
					      error);
		if (status < 0)
			return status;
		to += part;
		offset += part;
		len -= part;
	}
	return 0;
}
