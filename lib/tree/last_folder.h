/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder of the entry before: an archive has the entries of a folder one behind the other, so
 * most paths lead where the last one led.
 *
 *	struct last_folder last = LAST_FOLDER_INIT;
 *	if (!last_folder_is(&last, tree, path, len))
 *		last_folder_set(&last, tree, directory, path, len, error);	once found
 *	use(last.directory);
 *	last_folder_free(&last);
 */
#ifndef MKROOTFS_TREE_LAST_FOLDER_H
#define MKROOTFS_TREE_LAST_FOLDER_H

#include "../base/buf.h"
#include "tree.h"

#include <string.h>

struct last_folder {
	struct buf path;    /* as in the archive, without what links on the way make of it */
	uint32_t directory; /* 0: none is known */
	uint32_t removals;  /* the tree's; any later one may have changed where the path leads */
};

#define LAST_FOLDER_INIT ((struct last_folder){ .path = BUF_INIT(1u << 20) })

static inline bool last_folder_is(const struct last_folder *last, const struct tree *tree,
				  const char *path, size_t len)
{
	return last->directory && last->path.len == len && last->removals == tree->removals &&
	       !memcmp(last->path.data, path, len);
}

int last_folder_set(struct last_folder *last, const struct tree *tree, uint32_t directory,
		    const char *path, size_t len, struct mkrootfs_error *error);
void last_folder_free(struct last_folder *last);

#endif
