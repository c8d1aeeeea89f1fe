/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading VMDK descriptors: those that this library writes, and those of other writers whose disk
 * is a row of flat files.
 *
 *	vmdk_parse(&disk, text, len, error);
 *	for (i < disk.count) use(disk.extents[i].name, disk.extents[i].sectors);
 *	vmdk_disk_free(&disk);
 *
 * The text is hostile: names lead to files beside the descriptor and nowhere else, and what is not
 * understood is refused instead of passed over, since a disk with a piece left out is another disk.
 */
#ifndef MKROOTFS_VMDK_PARSE_H
#define MKROOTFS_VMDK_PARSE_H

#include "descriptor.h"

#include <stdbool.h>

#define VMDK_EXTENTS_MAX 4096u /* files of one disk */

struct vmdk_disk {
	struct vmdk_extent *extents;
	size_t count;
	struct buf names; /* what the extents' names point into */
};

/* Whether a file that starts so can be a descriptor; len may be small. */
bool vmdk_is_descriptor(const uint8_t *head, size_t len);
/*
 * Fails with MALFORMED where the text is no descriptor, with UNSUPPORTED where the disk is of
 * another kind: sparse, a difference to a parent, or with extents that start within a file.
 */
int vmdk_parse(struct vmdk_disk *disk, const uint8_t *text, size_t len,
	       struct mkrootfs_error *error);
void vmdk_disk_free(struct vmdk_disk *disk);

#endif
