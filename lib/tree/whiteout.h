/* SPDX-License-Identifier: Apache-2.0 */
/* The names by which layers delete, from the OCI image-spec's layer chapter. */
#ifndef MKROOTFS_TREE_WHITEOUT_H
#define MKROOTFS_TREE_WHITEOUT_H

#include "../base/error.h"

enum whiteout_kind {
	WHITEOUT_NONE,	 /* an ordinary path */
	WHITEOUT_NAME,	 /* ".wh.NAME": NAME is deleted from lower layers */
	WHITEOUT_OPAQUE, /* ".wh..wh..opq": the folder hides what lower layers have in it */
	WHITEOUT_SKIP,	 /* other ".wh..wh." bookkeeping names, and all below them */
};

#define WHITEOUT_PREFIX ".wh."
#define WHITEOUT_PREFIX_LEN 4u

/*
 * Tells what a normal path means. Fails with MALFORMED on a whiteout of nothing (".wh."), of "." or
 * "..", and on a whiteout name used as a folder.
 */
int whiteout_classify(enum whiteout_kind *kind, const char *path, struct mkrootfs_error *error);

#endif
