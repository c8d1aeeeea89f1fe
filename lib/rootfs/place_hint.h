/* SPDX-License-Identifier: Apache-2.0 */
/* For who wrote the path of a file where the name of an image was meant. */
#ifndef MKROOTFS_ROOTFS_PLACE_HINT_H
#define MKROOTFS_ROOTFS_PLACE_HINT_H

#include "../oci/reference.h"

/*
 * When text, which failed as a name, is the path of a file or folder: advises how such a one is
 * written. Returns the status.
 */
int place_hint(struct mkrootfs_error *error, const char *text);

#endif
