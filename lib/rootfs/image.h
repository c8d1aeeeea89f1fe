/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image folder, read and checked: the object behind struct mkrootfs_image.
 *
 * The folder needs no record of its own: fsmeta's UUID is derived from the layers' diff IDs, which
 * config.json lists, and config.json is the one that manifest.json names by digest.
 */
#ifndef MKROOTFS_ROOTFS_IMAGE_H
#define MKROOTFS_ROOTFS_IMAGE_H

#include "../oci/config.h"
#include "../oci/manifest.h"

#define IMAGE_MANIFEST "manifest.json"
#define IMAGE_CONFIG "config.json"
#define IMAGE_FSMETA "fsmeta.erofs"
#define IMAGE_DISK "disk.vmdk"

struct mkrootfs_image {
	char *reference; /* canonical, or empty */
	char *directory, *disk, *fsmeta;
	char digest[DIGEST_TEXT_SIZE];
	char platform[PLATFORM_TEXT_SIZE];
	uint64_t disk_size;
	struct mkrootfs_image_layer *layers; /* lowest first; as many as config.diff_ids */
	struct digest manifest_digest;
	struct config config;
	char *json;    /* see image_update_json */
	char *problem; /* of image_open_any: what is wrong, NULL when nothing is */
};

/*
 * Reads the folder at directory, an absolute path, of the image with that manifest. Fails with
 * NOT_FOUND when there is none, with MALFORMED when something in it is missing, damaged, or not as
 * this version writes it.
 */
int image_open(struct mkrootfs_image **out, const char *directory, const struct digest *manifest,
	       const char *reference, struct mkrootfs_error *error);
/* The same, but a damaged image is one with a problem, and as much of it as could be read. */
int image_open_any(struct mkrootfs_image **out, const char *directory,
		   const struct digest *manifest, const char *reference,
		   struct mkrootfs_error *error);
/*
 * The beginnings of image_open, for who looks closer: an image of which only the names are known,
 * and then, when its documents were read, its layers.
 */
int image_new(struct mkrootfs_image **out, const char *directory, const struct digest *manifest,
	      const char *reference, struct mkrootfs_error *error);
int image_describe_layers(struct mkrootfs_image *image, struct mkrootfs_error *error);
/* Stands for something in a store that cannot be read: no digest, no folder, error's message. */
int image_of_problem(struct mkrootfs_image **out, struct mkrootfs_error *error);
/* Makes the text for machines, from what the image is now: for who hands it to the caller. */
int image_update_json(struct mkrootfs_image *image, struct mkrootfs_error *error);
void image_free(struct mkrootfs_image *image);

/* The name of a layer's file in an image folder. */
void image_layer_name(char name[DIGEST_TEXT_SIZE + 8], const struct digest *diff_id);

#endif
