/* SPDX-License-Identifier: Apache-2.0 */
/* Archives of images, told by the files at their top. */
#ifndef MKROOTFS_ROOTFS_ARCHIVE_SCHEME_H
#define MKROOTFS_ROOTFS_ARCHIVE_SCHEME_H

#include "../tree/tree.h"

/* "oci-archive:" or "docker-archive:"; NULL: it looks like none. */
const char *archive_scheme(const struct tree *tree);

#endif
