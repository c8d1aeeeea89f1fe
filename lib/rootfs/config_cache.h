/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transport that takes an image's config from the store, where an earlier pull left it, so that a
 * pull of an unchanged image fetches its manifest and nothing else.
 *
 *	registry_open(&transport, ...);
 *	config_cache_wrap(&transport, store, error);	from here on transport is the wrapper
 *	transport_close(transport);			closes both
 */
#ifndef MKROOTFS_ROOTFS_CONFIG_CACHE_H
#define MKROOTFS_ROOTFS_CONFIG_CACHE_H

#include "../oci/transport.h"

/* store is the path of the store's folder, which need not exist; it is copied. */
int config_cache_wrap(struct transport **transport, const char *store,
		      struct mkrootfs_error *error);

#endif
