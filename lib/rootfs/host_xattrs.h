/* SPDX-License-Identifier: Apache-2.0 */
/* Extended attributes of a file of the host, as far as they can be read. */
#ifndef MKROOTFS_ROOTFS_HOST_XATTRS_H
#define MKROOTFS_ROOTFS_HOST_XATTRS_H

#include "../tree/xattr_pool.h"

/*
 * Those that mean something in a guest: user.*, ACLs and file capabilities. Not labels of the
 * host's security modules.
 */
int host_xattrs_read(struct xattr_pool *pool, uint32_t *set, const char *path,
		     struct mkrootfs_error *error);

#endif
