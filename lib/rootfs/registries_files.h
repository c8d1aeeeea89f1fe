/* SPDX-License-Identifier: Apache-2.0 */
/* The files and drop-in folders of registries.conf. */
#ifndef MKROOTFS_ROOTFS_REGISTRIES_FILES_H
#define MKROOTFS_ROOTFS_REGISTRIES_FILES_H

#include "../oci/registries_conf.h"

/*
 * Reads files in their order, later ones override; of a folder those that end in .conf, by their
 * names. What is in the list must be there.
 */
int registries_files_read(struct registries_conf **out, const struct mkrootfs_string_list *paths,
			  struct mkrootfs_error *error);

#endif
