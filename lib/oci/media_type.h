/* SPDX-License-Identifier: Apache-2.0 */
/* Media types of the OCI image-spec 1.1 and of Docker's image manifest version 2, schema 2. */
#ifndef MKROOTFS_OCI_MEDIA_TYPE_H
#define MKROOTFS_OCI_MEDIA_TYPE_H

#include <stdbool.h>

#define MEDIA_OCI_INDEX "application/vnd.oci.image.index.v1+json"
#define MEDIA_OCI_MANIFEST "application/vnd.oci.image.manifest.v1+json"
#define MEDIA_OCI_ARTIFACT "application/vnd.oci.artifact.manifest.v1+json"
#define MEDIA_OCI_CONFIG "application/vnd.oci.image.config.v1+json"
#define MEDIA_OCI_LAYER "application/vnd.oci.image.layer.v1.tar"
#define MEDIA_DOCKER_LIST "application/vnd.docker.distribution.manifest.list.v2+json"
#define MEDIA_DOCKER_MANIFEST "application/vnd.docker.distribution.manifest.v2+json"
#define MEDIA_DOCKER_CONFIG "application/vnd.docker.container.image.v1+json"
#define MEDIA_DOCKER_SCHEMA1 "application/vnd.docker.distribution.manifest.v1+json"
#define MEDIA_DOCKER_SCHEMA1_SIGNED "application/vnd.docker.distribution.manifest.v1+prettyjws"

/* Bytes that are kept of a media type; all known ones are shorter. */
#define MEDIA_TYPE_SIZE 128

enum media_kind {
	MEDIA_KIND_UNKNOWN,
	MEDIA_KIND_INDEX,
	MEDIA_KIND_MANIFEST,
	MEDIA_KIND_SCHEMA1,
};

enum media_kind media_type_kind(const char *type);
/* A Content-Type without its parameters, in lower case; cut when it is too long to be known. */
void media_type_from_header(char out[MEDIA_TYPE_SIZE], const char *header);
/*
 * The config of a container image. Besides the two registered types application/octet-stream is
 * taken: old registries store configs of docker images under it.
 */
bool media_type_is_image_config(const char *type);

#endif
