/* SPDX-License-Identifier: Apache-2.0 */
#include "dirent_block.h"

#include "../base/bytes.h"

#include <string.h>

/* Byte offsets in struct erofs_dirent. */
enum { DIRENT_NID = 0, DIRENT_NAMEOFF = 8, DIRENT_FILE_TYPE = 10 };

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", what);
}

int dirent_compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

int dirent_block_count(uint64_t *count, const struct erofs_placed_inode *directory,
		       struct mkrootfs_error *error)
{
	uint64_t size = directory->head.size;

	*count = size / EROFS_BLOCK_SIZE + (size % EROFS_BLOCK_SIZE != 0);
	if (size == 0 || size > INT64_MAX || directory->head.layout == EROFS_INODE_CHUNK_BASED)
		return malformed(error, "a directory without entries");
	return 0;
}

static bool is_sound(const uint8_t *bytes, size_t len)
{
	return !memchr(bytes, '/', len) && !memchr(bytes, '\0', len);
}

/* Looks through all names at once but the last, which may end in padding. */
static size_t find_sound(const struct dirent_block *block, size_t names)
{
	size_t last = get_le16(block->bytes + names - EROFS_DIRENT_SIZE + DIRENT_NAMEOFF);

	if (last < names || last > block->len)
		return 0;
	return is_sound(block->bytes + names, last - names) ? last : 0;
}

int dirent_block_read(struct dirent_block *block, const struct erofs_placed_inode *directory,
		      struct erofs_reader *reader, uint64_t number, struct mkrootfs_error *error)
{
	uint64_t at = number * EROFS_BLOCK_SIZE, left = directory->head.size - at;
	size_t names;
	int status;

	block->len = left < EROFS_BLOCK_SIZE ? (size_t)left : EROFS_BLOCK_SIZE;
	status = erofs_read_content(directory, reader, at, block->bytes, block->len, error);
	if (status < 0)
		return status;
	/* Names start where the entries end: the first name's place is their number. */
	names = block->len < EROFS_DIRENT_SIZE ? 0 : get_le16(block->bytes + DIRENT_NAMEOFF);
	block->count = names / EROFS_DIRENT_SIZE;
	if (block->count == 0 || names % EROFS_DIRENT_SIZE || names > block->len)
		return malformed(error, "a directory block is damaged");
	block->sound = find_sound(block, names);
	return 0;
}

/* A name ends where the next one starts, the last one at its padding. */
static size_t name_end(const struct dirent_block *block, size_t i, size_t start)
{
	const char *bytes = (const char *)block->bytes;

	if (i + 1 < block->count)
		return get_le16(block->bytes + (i + 1) * EROFS_DIRENT_SIZE + DIRENT_NAMEOFF);
	return start + strnlen(bytes + start, block->len - start);
}

int dirent_block_get(struct erofs_entry *entry, const struct dirent_block *block, size_t i,
		     struct mkrootfs_error *error)
{
	const uint8_t *dirent = block->bytes + i * EROFS_DIRENT_SIZE;
	size_t start = get_le16(dirent + DIRENT_NAMEOFF), end;

	*entry = (struct erofs_entry){ 0 };
	if (start < block->count * EROFS_DIRENT_SIZE || start > block->len)
		return malformed(error, "a directory block is damaged");
	end = name_end(block, i, start);
	if (end < start || end > block->len)
		return malformed(error, "a directory block is damaged");
	*entry = (struct erofs_entry){ .name = (const char *)block->bytes + start,
				       .len = end - start,
				       .nid = get_le64(dirent + DIRENT_NID),
				       .file_type = dirent[DIRENT_FILE_TYPE] };
	if (entry->len == 0 || entry->len > EROFS_NAME_LEN ||
	    (end > block->sound && !is_sound(block->bytes + start, entry->len)))
		return malformed(error, "a directory entry's name is not possible");
	return 0;
}

int dirent_follow(struct dirent_last *last, const struct erofs_entry *entry,
		  struct mkrootfs_error *error)
{
	if (last->len > 0 && dirent_compare(last->name, last->len, entry->name, entry->len) >= 0)
		return malformed(error, "a directory's names are out of order");
	last->name = entry->name;
	last->len = entry->len;
	return 0;
}

void dirent_keep(struct dirent_last *last)
{
	if (last->len > 0)
		memmove(last->bytes, last->name, last->len);
	last->name = last->bytes;
}
