/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images in what `docker save` writes, and skopeo and buildah as docker-archive:.
 *
 *	reference_parse(&reference, "docker-archive:x.tar:python:3.12", error);
 *	docker_archive_open(&transport, name, files, &reference, &options, error);
 *
 * The file manifest.json lists the images. Docker since version 25 writes an OCI image layout
 * beside it, which is then read instead: it has the image's own manifest, so that its digest is the
 * one that a registry knows.
 *
 * The older form has no manifest and knows no digests of blobs but that of the config, in its name.
 * Its layers are checked against the config's diff IDs, decompressed where they are compressed; so
 * the manifest that stands for the image names uncompressed layers. It is byte for byte the one
 * that skopeo shows of such an archive, so that the digest of the image is known to others too.
 */
#ifndef MKROOTFS_OCI_DOCKER_ARCHIVE_H
#define MKROOTFS_OCI_DOCKER_ARCHIVE_H

#include "../io/file_set.h"
#include "reference.h"
#include "transport.h"

struct docker_archive_options {
	uint32_t max_layers;
	/* Of one layer; progress is asked while compressed layers are measured. */
	struct source_unpacking unpacking;
};

/*
 * files is taken on success. name takes the canonical form of the image's name in the archive: of
 * the one that was asked for, or of its only one; else it is empty.
 */
int docker_archive_open(struct transport **out, char name[REFERENCE_TEXT_SIZE],
			struct file_set *files, const struct reference *reference,
			const struct docker_archive_options *options, struct mkrootfs_error *error);

#endif
