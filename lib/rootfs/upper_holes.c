/* SPDX-License-Identifier: Apache-2.0 */
#include "../tree/chunk_map.h"
#include "upper_content.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

#define BLOCK 4096u
#define CHUNKS_MAX 4096u /* of one file: finer holes are filled */

/* The next range with data; false when there is none. A filesystem that knows no holes has one. */
static bool next_data(int fd, off_t *start, off_t *end, off_t until)
{
	off_t data = lseek(fd, *end, SEEK_DATA);

	if (data < 0)
		data = errno == ENXIO ? until : *end;
	*start = data;
	if (data >= until)
		return false;
	*end = lseek(fd, data, SEEK_HOLE);
	if (*end < 0 || *end > until)
		*end = until;
	return true;
}

int upper_find_holes(struct tree *tree, struct tree_inode *inode, int fd, uint64_t offset,
		     uint32_t block, struct mkrootfs_error *error)
{
	uint64_t blocks = (inode->size + BLOCK - 1) / BLOCK;
	off_t start, end = (off_t)offset, until = (off_t)(offset + inode->size);
	uint32_t bits = 0, count, reference;
	struct chunk_map *map;

	while ((blocks + (UINT64_C(1) << bits) - 1) >> bits > CHUNKS_MAX)
		bits++;
	count = (uint32_t)((blocks + (UINT64_C(1) << bits) - 1) >> bits);
	inode->data = block;
	if (count == 0)
		return 0;
	if (chunk_map_new(tree, &reference, bits, count, error) < 0)
		return error->status;
	inode->data = reference;
	inode->flags |= TREE_CHUNKED;
	map = chunk_map_of(tree, inode);
	while (next_data(fd, &start, &end, until)) {
		uint64_t first = ((uint64_t)start - offset) / BLOCK >> bits;
		uint64_t last = ((uint64_t)end - offset - 1) / BLOCK >> bits;

		for (uint64_t i = first; i <= last; i++)
			map->address[i] = (uint32_t)(block + (i << bits));
	}
	return 0;
}
