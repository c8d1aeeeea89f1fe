/* SPDX-License-Identifier: Apache-2.0 */
#include "directory.h"

#include "../base/array.h"
#include "../base/checked.h"

#include <stdlib.h>
#include <string.h>

#define LEAF_SIZE (EXT4_BLOCK_SIZE - EXT4_DIRENT_TAIL_SIZE)
#define LEAF_FILL (LEAF_SIZE / 5 * 4) /* of an indexed directory */
#define LEAVES_MAX (EXT4_DX_ROOT_LIMIT * EXT4_DX_NODE_LIMIT)

static size_t record_size(size_t name_len)
{
	return (size_t)round_up_u64(EXT4_DIRENT_HEADER + name_len, EXT4_DIRENT_ALIGN);
}

int ext4_directory_add(struct ext4_directory *d, uint32_t inode, uint8_t type, const char *name,
		       size_t len, struct mkrootfs_error *error)
{
	int status = array_reserve(&d->entries, &d->room, d->count, sizeof(*d->entries), error);

	if (status == 0 && (len == 0 || len > EXT4_NAME_LEN))
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "a name of %zu bytes: ext4 has names of 1 to 255", len);
	if (status < 0)
		return status;
	d->entries[d->count++] = (struct ext4_dirent){
		.inode = inode, .type = type, .name_len = (uint8_t)len, .name = name
	};
	return 0;
}

/* ---- Sorting into leaves ---- */

static int compare(const void *a, const void *b)
{
	const struct ext4_dirent *x = a, *y = b;

	if (x->hash.major != y->hash.major)
		return x->hash.major < y->hash.major ? -1 : 1;
	if (x->hash.minor != y->hash.minor)
		return x->hash.minor < y->hash.minor ? -1 : 1;
	if (x->name_len != y->name_len)
		return x->name_len < y->name_len ? -1 : 1;
	return memcmp(x->name, y->name, x->name_len);
}

static int add_leaf(struct ext4_directory *d, size_t first, struct mkrootfs_error *error)
{
	if (array_reserve(&d->leaves, &d->leaf_room, d->leaf_count, sizeof(*d->leaves), error) < 0)
		return error->status;
	d->leaves[d->leaf_count++] = (uint32_t)first;
	return 0;
}

static int fill_leaves(struct ext4_directory *d, struct mkrootfs_error *error)
{
	size_t used = LEAF_SIZE;
	int status = 0;

	d->leaf_count = 0;
	for (size_t i = 0; status == 0 && i < d->count; i++) {
		size_t size = record_size(d->entries[i].name_len);

		if (used + size > LEAF_FILL) {
			status = add_leaf(d, i, error);
			used = 0;
		}
		used += size;
	}
	return status;
}

static int plan_index(struct ext4_directory *d, const uint8_t hash_seed[16],
		      struct mkrootfs_error *error)
{
	int status;

	for (size_t i = 0; i < d->count; i++)
		d->entries[i].hash =
			ext4_hash_name(d->entries[i].name, d->entries[i].name_len, hash_seed);
	qsort(d->entries, d->count, sizeof(*d->entries), compare);
	status = fill_leaves(d, error);
	if (status == 0 && d->leaf_count > LEAVES_MAX)
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "a directory of %zu names, more than ext4 can index", d->count);
	if (status < 0)
		return status;
	d->nodes = 0;
	if (d->leaf_count > EXT4_DX_ROOT_LIMIT)
		d->nodes = (d->leaf_count + EXT4_DX_NODE_LIMIT - 1) / EXT4_DX_NODE_LIMIT;
	d->blocks = 1 + d->nodes + d->leaf_count;
	return 0;
}

int ext4_directory_plan(struct ext4_directory *d, const uint8_t hash_seed[16],
			struct mkrootfs_error *error)
{
	size_t bytes = record_size(1) + record_size(2);

	for (size_t i = 0; i < d->count; i++)
		bytes += record_size(d->entries[i].name_len);
	d->blocks = 1;
	d->nodes = d->leaf_count = 0;
	return bytes <= LEAF_SIZE ? 0 : plan_index(d, hash_seed, error);
}

void ext4_directory_clear(struct ext4_directory *d)
{
	d->count = 0;
}

void ext4_directory_free(struct ext4_directory *d)
{
	free(d->entries);
	free(d->leaves);
	*d = (struct ext4_directory){ 0 };
}
