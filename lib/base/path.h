/* SPDX-License-Identifier: Apache-2.0 */
/* Paths inside a layer: bytes, relative to the layer's root, never looked up on the host. */
#ifndef MKROOTFS_BASE_PATH_H
#define MKROOTFS_BASE_PATH_H

#include "buf.h"

#include <stdbool.h>

#define PATH_NAME_MAX 255 /* bytes of one component, the limit of EROFS and of Linux */

/*
 * Writes the normal form of name[0..len) to out: no leading or trailing slash, no empty, "." or
 * ".." component; the root is the empty string. Only NUL and '/' are special. Fails when the name
 * climbs above the root, holds a NUL, has a component of more than PATH_NAME_MAX bytes or more than
 * max_depth components, and when len is more than out may hold.
 */
int path_normalise(struct buf *out, const char *name, size_t len, uint32_t max_depth,
		   struct mkrootfs_error *error);

/*
 * Steps through a normal path: lends the component at *rest and its length, and advances *rest.
 * Returns 0 when there is none left.
 */
size_t path_next(const char **rest, const char **component);

/*
 * The same for a path as a user or a symbolic link gives it, from path + *at on: repeated slashes
 * and
 * "." go by, ".." is lent.
 */
size_t path_step(const char *path, size_t *at, const char **component);
/* Whether only slashes are left there. */
bool path_is_last(const char *path, size_t at);

#endif
