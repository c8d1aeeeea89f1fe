/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An auth file that is replaced as a whole, while others wait for their turn.
 *
 *	struct auth_rewrite edit;
 *	if (auth_rewrite_open(&edit, path, true, error) == 0)
 *		change(edit.file.root);
 *	auth_rewrite_save(&edit, error);
 *	auth_rewrite_close(&edit);				in any case
 */
#ifndef MKROOTFS_OCI_AUTH_REWRITE_H
#define MKROOTFS_OCI_AUTH_REWRITE_H

#include "auth_file.h"

struct auth_rewrite {
	char *path;   /* without symbolic links, where it exists */
	char *folder; /* of it */
	int lock;     /* the folder, locked */
	struct auth_file file;
};

/* make: folders that are missing are made, and an absent file is an empty object. */
int auth_rewrite_open(struct auth_rewrite *edit, const char *path, bool make,
		      struct mkrootfs_error *error);
/* Whether a save could work, as far as that can be told without one. */
int auth_rewrite_check(const struct auth_rewrite *edit, struct mkrootfs_error *error);
int auth_rewrite_save(struct auth_rewrite *edit, struct mkrootfs_error *error);
void auth_rewrite_close(struct auth_rewrite *edit);

#endif
