/* SPDX-License-Identifier: Apache-2.0 */
/* A second writable side with the same content. */
#ifndef MKROOTFS_ROOTFS_CLONE_H
#define MKROOTFS_ROOTFS_CLONE_H

#include <mkrootfs.h>

/* See mkrootfs_upper_clone. */
int clone_upper(const char *from, const char *to, int replace, struct mkrootfs_error *error);

#endif
