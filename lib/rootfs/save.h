/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image of a store as an archive of images, an OCI image layout in a tar; with manifest.json
 * beside it, what docker loads.
 *
 *	struct save_options options = { .with_docker_list = true, .name = "docker.io/library/x:1" };
 *	save(&sink, image, &options, error);
 *
 * The store keeps no blobs. So each layer is made a tar anew, and config and manifest are written
 * for those; the same image gives the same bytes. With a source, a transport of the same image, its
 * own blobs and documents are copied, and the image keeps its digest.
 *
 * Each layer is written twice: its name in the archive is its digest, and stands in front of it.
 * The first time it is only hashed, so that nothing has to be kept anywhere.
 */
#ifndef MKROOTFS_ROOTFS_SAVE_H
#define MKROOTFS_ROOTFS_SAVE_H

#include "../io/sink.h"
#include "../oci/resolve.h"
#include "events.h"
#include "image.h"

struct save_options {
	bool with_docker_list;		       /* manifest.json, as docker wants it */
	const char *name;		       /* canonical name with a tag, or NULL */
	const char *tag;		       /* of the name, or the name in a layout; or NULL */
	struct transport *source;	       /* or NULL, with: */
	const struct resolved_image *resolved; /* what the source has, the image itself */
	struct events *events;
};

int save(struct sink *out, const struct mkrootfs_image *image, const struct save_options *options,
	 struct mkrootfs_error *error);

#endif
