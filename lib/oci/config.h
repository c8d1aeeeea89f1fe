/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The config of a container image: what its layers unpack to, and how to run it.
 *
 *	struct config c;
 *	config_parse(&c, data, len, manifest.layer_count, error);
 *	use(c.diff_ids[0], c.run.entrypoint.items[0]);
 *	config_free(&c);
 */
#ifndef MKROOTFS_OCI_CONFIG_H
#define MKROOTFS_OCI_CONFIG_H

#include "../base/digest.h"
#include "platform.h"

#define CONFIG_MAX_SIZE (8u << 20) /* bytes */

struct config {
	struct platform platform; /* empty strings: the config does not say */
	struct digest *diff_ids;  /* of the uncompressed layers, lowest first */
	size_t diff_id_count;
	struct mkrootfs_image_config run; /* borrowed from root; absent parts are empty */
	struct jval *root;
};

/*
 * Fails with MALFORMED unless there is one diff ID for each of layer_count layers. Members of the
 * part named "config" may be absent or null, but not of a wrong type.
 */
int config_parse(struct config *out, const void *data, size_t len, size_t layer_count,
		 struct mkrootfs_error *error);
void config_free(struct config *config);

#endif
