/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the store is when --store does not say.
 *
 *	char folder[STORE_FOLDER];
 *	const char *problem = store_folder_default(folder);
 */
#ifndef CLI_STORE_FOLDER_H
#define CLI_STORE_FOLDER_H

/* Bytes of the longest folder, with the NUL. */
#define STORE_FOLDER 4096

/*
 * $MKROOTFS_STORE, $XDG_DATA_HOME/mkrootfs or ~/.local/share/mkrootfs, the first that is set.
 * Returns NULL, or what is wrong, static text.
 */
const char *store_folder_default(char folder[STORE_FOLDER]);

#endif
