/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of the store: making, emptying, publishing and listing them. */
#ifndef MKROOTFS_STORE_FOLDER_H
#define MKROOTFS_STORE_FOLDER_H

#include "../base/buf.h"

/* Like mkdir -p. */
int folder_make(const char *path, struct mkrootfs_error *error);
/* Removes all that is in a folder, and carries on past what it cannot remove. */
void folder_empty(const char *path);
/* Removes a folder, or whatever has that name, with all that is in it. */
void folder_remove(const char *path);
/* A new folder with a random name inside parent; its path replaces the buffer's content. */
int folder_make_temporary(struct buf *path, const char *parent, struct mkrootfs_error *error);
/*
 * Gives a finished folder its final name: syncs it, puts it in the place of one that may be there,
 * which is removed, and syncs the parent.
 */
int folder_publish(const char *from, const char *to, struct mkrootfs_error *error);

/*
 * Calls visit for each name but "." and "..", sorted by bytes; a negative result ends the walk. A
 * folder that is not there has no names.
 */
typedef int (*folder_visit_fn)(void *user, const char *name, struct mkrootfs_error *error);
int folder_each(const char *path, folder_visit_fn visit, void *user, struct mkrootfs_error *error);

#endif
