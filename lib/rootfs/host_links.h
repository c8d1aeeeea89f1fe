/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of the host that have several names, so that their copies are one inode too.
 *
 *	struct host_links links = { 0 };
 *	host_links_find(&links, &number, &known, group, &st, error);
 *	if (!known)
 *		links.inodes[number] = ... the inode it becomes ...;
 *	host_links_free(&links);
 */
#ifndef MKROOTFS_ROOTFS_HOST_LINKS_H
#define MKROOTFS_ROOTFS_HOST_LINKS_H

#include "../base/intern.h"

#include <sys/stat.h>

struct host_links {
	struct intern files; /* device, inode, group */
	uint32_t *inodes;    /* what they became, by their number in files; 0: nothing yet */
	size_t room;	     /* of inodes */
};

/* group: only within the same one are names of a file the same file. */
int host_links_find(struct host_links *links, uint32_t *number, uint32_t *known, uint64_t group,
		    const struct stat *st, struct mkrootfs_error *error);
void host_links_free(struct host_links *links);

#endif
