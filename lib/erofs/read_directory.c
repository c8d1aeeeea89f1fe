/* SPDX-License-Identifier: Apache-2.0 */
#include "read_directory.h"

#include "dirent_block.h"

#include <string.h>

static int each_of_block(const struct dirent_block *block, struct dirent_last *last,
			 erofs_entry_fn fn, void *user, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < block->count; i++) {
		struct erofs_entry entry;

		status = dirent_block_get(&entry, block, i, error);
		if (status == 0)
			status = dirent_follow(last, &entry, error);
		if (status == 0)
			status = fn(user, &entry, error);
	}
	dirent_keep(last);
	return status;
}

int erofs_each_entry(const struct erofs_placed_inode *directory, struct erofs_reader *reader,
		     erofs_entry_fn fn, void *user, struct mkrootfs_error *error)
{
	struct dirent_last last = { .len = 0 };
	struct dirent_block block;
	uint64_t count;
	int status = dirent_block_count(&count, directory, error);

	for (uint64_t i = 0; status == 0 && i < count; i++) {
		status = dirent_block_read(&block, directory, reader, i, error);
		if (status == 0)
			status = each_of_block(&block, &last, fn, user, error);
	}
	return status;
}

static int not_found(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "no such file or directory");
}

/* The last block whose first name does not come behind name, read into block. */
static int find_block(struct dirent_block *block, const struct erofs_placed_inode *directory,
		      struct erofs_reader *reader, const char *name, size_t len,
		      struct mkrootfs_error *error)
{
	uint64_t low = 0, high, read = UINT64_MAX;
	struct erofs_entry first;
	int status = dirent_block_count(&high, directory, error);

	/* Blocks below low begin at or before name, those from high on behind it. */
	while (status == 0 && low < high) {
		uint64_t middle = low + (high - low) / 2;

		read = middle;
		status = dirent_block_read(block, directory, reader, middle, error);
		if (status == 0)
			status = dirent_block_get(&first, block, 0, error);
		if (status == 0 && dirent_compare(first.name, first.len, name, len) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (status == 0 && low == 0)
		return not_found(error);
	if (status == 0 && read != low - 1)
		status = dirent_block_read(block, directory, reader, low - 1, error);
	return status;
}

static int find_in_block(struct erofs_entry *entry, const struct dirent_block *block,
			 const char *name, size_t len, struct mkrootfs_error *error)
{
	size_t low = 0, high = block->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order, status = dirent_block_get(entry, block, middle, error);

		if (status < 0)
			return status;
		order = dirent_compare(entry->name, entry->len, name, len);
		if (order == 0) {
			entry->name = name;
			return 0;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return not_found(error);
}

int erofs_find_entry(struct erofs_entry *entry, const struct erofs_placed_inode *directory,
		     struct erofs_reader *reader, const char *name, size_t len,
		     struct mkrootfs_error *error)
{
	struct dirent_block block;
	int status = find_block(&block, directory, reader, name, len, error);

	*entry = (struct erofs_entry){ .name = name, .len = len };
	return status < 0 ? status : find_in_block(entry, &block, name, len, error);
}

bool erofs_is_dot(const char *name, size_t len)
{
	return (len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.');
}
