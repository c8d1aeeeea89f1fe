/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of certificates that belongs to a registry, as in /etc/containers/certs.d. */
#ifndef MKROOTFS_ROOTFS_CERT_DIR_H
#define MKROOTFS_ROOTFS_CERT_DIR_H

#include "../base/error.h"

/* The registry's in the first of dirs that has one, the caller's to free; none: NULL. */
int cert_dir_find(char **out, const struct mkrootfs_string_list *dirs, const char *registry,
		  struct mkrootfs_error *error);

#endif
