/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a reference to the documents of one image: index, platform, manifest, config; all verified.
 *
 *	struct resolve_options options = { .max_layers = 1024, .platform_is_default = true };
 *	platform_host(&options.platform);
 *	resolve_image(&image, transport, &reference, &options, error);
 *	for (i = 0; i < image->manifest.layer_count; i++)
 *		transport_open_blob(transport, &blob, &image->manifest.layers[i], 0, error);
 *	resolved_image_free(image);
 */
#ifndef MKROOTFS_OCI_RESOLVE_H
#define MKROOTFS_OCI_RESOLVE_H

#include "config.h"
#include "manifest.h"
#include "reference.h"
#include "transport.h"

struct resolve_options {
	struct platform platform;
	/*
	 * Nobody asked for this platform: an image without an index is then taken whatever it is
	 * for, with a warning. Otherwise that is PLATFORM.
	 */
	bool platform_is_default;
	uint32_t max_layers;
};

struct resolved_image {
	char reference[REFERENCE_TEXT_SIZE];
	char platform[PLATFORM_TEXT_SIZE]; /* of the image, as in "linux/arm/v7" */
	struct buf manifest_bytes;	   /* as they came */
	struct digest manifest_digest;	   /* sha256 of them */
	struct manifest manifest;
	struct buf config_bytes;
	struct config config;
	bool has_index;
	struct digest index_digest; /* sha256 of the first index */
	char warning[256];	    /* empty, or what the user should know */
};

int resolve_image(struct resolved_image **out, struct transport *transport,
		  const struct reference *reference, const struct resolve_options *options,
		  struct mkrootfs_error *error);
/* NULL is allowed. */
void resolved_image_free(struct resolved_image *image);

#endif
