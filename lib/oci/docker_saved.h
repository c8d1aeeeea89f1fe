/* SPDX-License-Identifier: Apache-2.0 */
/* An image in the older form of `docker save`; see docker_archive.h. */
#ifndef MKROOTFS_OCI_DOCKER_SAVED_H
#define MKROOTFS_OCI_DOCKER_SAVED_H

#include "docker_archive.h"
#include "docker_items.h"

/* files and items are taken on success; item is of items. */
int docker_saved_open(struct transport **out, struct file_set *files, struct docker_items *items,
		      const struct docker_item *item, const struct reference *reference,
		      const struct docker_archive_options *options, struct mkrootfs_error *error);

#endif
