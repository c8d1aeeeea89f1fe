/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A root filesystem as a tar.
 *
 *	sink_callback(&out, write, user);
 *	tree_export(tree, &out.sink, &events, error);
 *
 * A merged tree gives what its guest sees. What only layers have goes back to what an OCI layer has
 * for it: whiteouts to ".wh.NAME", opaque directories to ".wh..wh..opq", directories that were not
 * listed to nothing, names of a lower layer's file to hard links.
 *
 * The order is that of a walk: a directory, its deletions, what is in it. Unpackers find each
 * folder made, and GNU tar, which sets a directory's time when it leaves it, need not come back to
 * one.
 *
 * Only where a layer's data stand in another order does that one count: who makes a layer image of
 * the tar must get them at the same places, and so the same image, but for what names the tar. Then
 * all directories come first, and behind them all other names by the address of their data, those
 * without data in front; of one address in the order of the walk. Contents that the image has once
 * come again one after the other, and are stored once again. (GNU tar then needs
 * --delay-directory-restore.) In both orders a file's other names follow it as hard links.
 *
 * What does not come back is the room of data that no file has in the end, since a later entry of
 * the same tar replaced it; and an empty directory that a layer used in a path without listing it.
 */
#ifndef MKROOTFS_ROOTFS_EXPORT_H
#define MKROOTFS_ROOTFS_EXPORT_H

#include "../io/sink.h"
#include "events.h"
#include "tree_open.h"

int tree_export(const struct mkrootfs_tree *tree, struct sink *sink, struct events *events,
		struct mkrootfs_error *error);

#endif
