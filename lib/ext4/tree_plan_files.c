/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_plan_parts.h"

#include <stdlib.h>

struct place_of {
	uint64_t address;
	uint32_t item;
	bool again; /* an address that another file has before it */
};

static int compare(const void *a, const void *b)
{
	const struct place_of *x = a, *y = b;

	if (x->again != y->again)
		return x->again ? 1 : -1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static uint64_t data_blocks(const struct tree *tree, const struct tree_inode *inode)
{
	struct ext4_piece piece = ext4_next_piece(tree, inode, 0);
	uint64_t blocks = 0;

	for (; piece.count > 0; piece = ext4_next_piece(tree, inode, piece.logical + piece.count))
		blocks += piece.count;
	return blocks;
}

/* Sorted twice: what comes again would break the runs of the others. */
static void sort_files(struct ext4_plan *plan, struct place_of *places, uint32_t count)
{
	qsort(places, count, sizeof(*places), compare);
	for (uint32_t i = 1; i < count; i++)
		places[i].again = places[i].address == places[i - 1].address;
	qsort(places, count, sizeof(*places), compare);
	for (uint32_t i = 0; i < count; i++)
		plan->files[i] = places[i].item;
	plan->file_count = count;
}

int ext4_plan_measure_files(struct ext4_plan *plan, struct mkrootfs_error *error)
{
	struct place_of *places = calloc(plan->count, sizeof(*places));
	uint32_t count = 0;

	plan->files = calloc(plan->count, sizeof(*plan->files));
	if (!places || !plan->files) {
		free(places);
		return error_no_memory(error);
	}
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct tree_inode *inode = ext4_plan_inode(plan, i);
		uint64_t blocks;

		if (S_ISLNK(inode->mode))
			plan->blocks += inode->size >= EXT4_I_BLOCK_SIZE;
		blocks = S_ISREG(inode->mode) ? data_blocks(plan->tree, inode) : 0;
		if (blocks == 0)
			continue;
		places[count++] = (struct place_of){
			.address = ext4_next_piece(plan->tree, inode, 0).address,
			.item = i,
		};
		plan->blocks += blocks;
		plan->data += blocks * EXT4_BLOCK_SIZE;
	}
	sort_files(plan, places, count);
	free(places);
	return 0;
}
