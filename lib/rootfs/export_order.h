/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which order an export takes what is no directory; why: see export.h.
 *
 *	export_order_make(&order, tree, true, error);
 *	for (i = 0; i < order.count; i++)
 *		use(order.names[i].node);
 *	export_order_free(&order);
 */
#ifndef MKROOTFS_ROOTFS_EXPORT_ORDER_H
#define MKROOTFS_ROOTFS_EXPORT_ORDER_H

#include "../tree/tree.h"

struct export_name {
	uint64_t address; /* block where the inode's data start; 0: it has none */
	uint32_t first;	  /* place in the walk of the inode's first name */
	uint32_t place;	  /* of this one */
	uint32_t node;
	uint32_t target; /* the node of the first name, which this one links to; 0: it is the first
			  */
};

struct export_order {
	struct export_name *names;
	size_t count;
	bool is_walk; /* names are as a walk over the tree comes to them, between the directories */
};

/*
 * keeps_places: the order must be one that gives the data the same places again. The marks of the
 * tree were taken. Whiteouts that become ".wh.NAME" are not among the names.
 */
int export_order_make(struct export_order *order, const struct tree *tree, bool keeps_places,
		      struct mkrootfs_error *error);
void export_order_free(struct export_order *order);

/* Whether a node is one of the names. */
bool export_takes_part(const struct tree *tree, uint32_t node);
/*
 * Whether a node is a deletion that ".wh.NAME" says all of. One that an archive brought along as a
 * device with attributes of its own, or with several names, remains that device.
 */
bool export_is_deletion(const struct tree *tree, uint32_t node);

#endif
