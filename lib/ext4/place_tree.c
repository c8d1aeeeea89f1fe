/* SPDX-License-Identifier: Apache-2.0 */
/* The second half of a plan: in a layout, where all of it is. */
#include "space.h"
#include "tree_plan.h"

struct placer {
	struct ext4_plan *plan;
	struct ext4_file_map map;
	uint64_t next;
};

static int place_item(struct placer *p, uint32_t item, struct mkrootfs_error *error)
{
	struct ext4_plan *plan = p->plan;
	int status;

	plan->items[item].start = p->next;
	status = ext4_file_map(&p->map, plan->tree, ext4_plan_inode(plan, item),
			       plan->items[item].directory_blocks, &p->next, error);
	plan->full |= p->map.full;
	return status;
}

/* Directories in one go, then symlinks. */
static int place_type(struct placer *p, mode_t type, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 0; status == 0 && !p->plan->full && i < p->plan->count; i++)
		if ((ext4_plan_inode(p->plan, i)->mode & S_IFMT) == type)
			status = place_item(p, i, error);
	return status;
}

static void place_sets(struct placer *p)
{
	struct ext4_plan *plan = p->plan;

	for (uint32_t i = 1; i <= plan->tree->xattrs.sets.count && !plan->full; i++) {
		struct ext4_xattr_set *set = &plan->sets[i];

		set->start = p->next;
		if (!set->has_block)
			continue;
		for (uint32_t user = 0; user < set->users; user += EXT4_XATTR_REFCOUNT_MAX)
			plan->full |= ext4_space_take(p->map.layout, &p->next, 1).count == 0;
	}
}

static int place_files(struct placer *p, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 0; status == 0 && !p->plan->full && i < p->plan->file_count; i++)
		status = place_item(p, p->plan->files[i], error);
	return status;
}

int ext4_plan_place(struct ext4_plan *plan, const struct ext4_layout *layout,
		    struct mkrootfs_error *error)
{
	struct placer p = { .plan = plan,
			    .map = { .layout = layout },
			    .next = ext4_space_start(layout) };
	int status;

	plan->full = false;
	status = place_type(&p, S_IFDIR, error);
	if (status == 0)
		status = place_type(&p, S_IFLNK, error);
	if (status == 0)
		place_sets(&p);
	if (status == 0)
		status = place_files(&p, error);
	plan->end = p.next;
	ext4_file_map_free(&p.map);
	return status;
}
