/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changing one entry of an auth file. All else in it stays, in its order.
 *
 *	auth_edit_set("/run/user/0/containers/auth.json", "ghcr.io", "bob", "secret", error);
 *	auth_edit_remove(&removed, path, "ghcr.io", error);
 *
 * The file is replaced as a whole, mode 0600; folders that are missing are made, mode 0700. Of
 * several processes one after the other has its turn. A symbolic link stays, what it leads to is
 * replaced.
 */
#ifndef MKROOTFS_OCI_AUTH_EDIT_H
#define MKROOTFS_OCI_AUTH_EDIT_H

#include "../base/error.h"

#include <stdbool.h>

/* Whether such a change could be made: the file can be read, and its folder be written to. */
int auth_edit_check(const char *path, struct mkrootfs_error *error);
/* username NULL: an empty entry, as it stands for one that a credential helper keeps. */
int auth_edit_set(const char *path, const char *key, const char *username, const char *password,
		  struct mkrootfs_error *error);
/* key NULL: all entries. *removed is false when there was nothing to remove. */
int auth_edit_remove(bool *removed, const char *path, const char *key,
		     struct mkrootfs_error *error);

#endif
