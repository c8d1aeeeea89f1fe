/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inodes of a layout in their order: a directory, then what it has but directories, then the
 * same for each subdirectory. An inode of several names comes with the first of them.
 *
 *	struct layout_walk walk = layout_walk_start(plan);
 *	while ((node = layout_walk_next(&walk)) != 0)
 *		...
 *
 * The planner walks the same way: an inode that has no nid yet is given one before the next step.
 */
#ifndef MKROOTFS_EROFS_LAYOUT_WALK_H
#define MKROOTFS_EROFS_LAYOUT_WALK_H

#include "layout.h"

struct layout_walk {
	const struct erofs_layout *plan;
	uint32_t node;	    /* returned last; 0: none yet */
	uint32_t directory; /* in work */
	uint32_t child;	    /* of it, the next to look at */
	uint32_t last_nid;  /* of all that were returned: they rise */
};

static inline struct layout_walk layout_walk_start(const struct erofs_layout *plan)
{
	return (struct layout_walk){ .plan = plan };
}

uint32_t layout_walk_next(struct layout_walk *walk);

#endif
