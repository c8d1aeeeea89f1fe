/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An upper's inode made of a file of the host. It is root's, unless asked otherwise: who is who on
 * the host means nothing in a guest.
 *
 *	lstat(host, &st);
 *	host_inode_read(content, &inode, host, &st, error);	a file of any kind but a directory
 */
#ifndef MKROOTFS_ROOTFS_HOST_INODE_H
#define MKROOTFS_ROOTFS_HOST_INODE_H

#include "upper_content.h"

#include <sys/stat.h>

/* Mode, owner, times, device number and attributes. */
int host_inode_describe(struct upper_content *content, struct tree_inode *inode, const char *host,
			const struct stat *st, struct mkrootfs_error *error);
/* That, and where the bytes of a file are, or a link's target. */
int host_inode_read(struct upper_content *content, struct tree_inode *inode, const char *host,
		    const struct stat *st, struct mkrootfs_error *error);

#endif
