/* SPDX-License-Identifier: Apache-2.0 */
/* The name under which an image is kept, from what a user typed. */
#ifndef MKROOTFS_ROOTFS_NAME_H
#define MKROOTFS_ROOTFS_NAME_H

#include "../oci/reference.h"

/*
 * Like reference_parse, but the path of a place on disk becomes absolute and free of symbolic
 * links, so that the name means the same from every working directory. One that is missing, or
 * whose absolute form has a ':' where that would end it, stays as it was given.
 */
int name_parse(struct reference *out, const char *text, struct mkrootfs_error *error);
/* A name that a user gives to an image: that of an image in a registry. */
int name_parse_given(struct reference *out, const char *text, struct mkrootfs_error *error);

#endif
