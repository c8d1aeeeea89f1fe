/* SPDX-License-Identifier: Apache-2.0 */
/* The files behind a VMDK descriptor, in a row. */
#ifndef MKROOTFS_ROOTFS_DISK_OPEN_H
#define MKROOTFS_ROOTFS_DISK_OPEN_H

#include "../io/extents.h"

/* Opens the extents of the descriptor at path, which stand in its folder. */
int disk_open(struct extents **out, const char *path, struct mkrootfs_error *error);

#endif
