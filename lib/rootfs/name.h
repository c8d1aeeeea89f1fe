/* SPDX-License-Identifier: Apache-2.0 */
/* The name under which an image is kept, from what a user typed. */
#ifndef MKROOTFS_ROOTFS_NAME_H
#define MKROOTFS_ROOTFS_NAME_H

#include "../oci/reference.h"

/*
 * Like reference_parse, but the folder of a layout becomes absolute and free of symbolic links, so
 * that the name means the same from every working directory.
 */
int name_parse(struct reference *out, const char *text, struct mkrootfs_error *error);

#endif
