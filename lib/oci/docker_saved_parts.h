/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The insides of such an image, for docker_saved*.c alone.
 *
 *	docker_saved_load_layers(saved, &options, error);	saved has its config
 *	docker_saved_open_tar(&tar, &compressed, &size, saved, saved->layers[0].name, error);
 */
#ifndef MKROOTFS_OCI_DOCKER_SAVED_PARTS_H
#define MKROOTFS_OCI_DOCKER_SAVED_PARTS_H

#include "config.h"
#include "docker_saved.h"

struct saved_layer {
	char *name;    /* of the file, in normal form */
	uint64_t size; /* bytes of the tar */
	bool compressed;
};

struct docker_saved {
	struct transport transport;
	struct reference reference;
	struct file_set *files;
	struct docker_items items;
	struct docker_item item;
	struct buf config_bytes;
	struct digest config_digest;
	struct config config;
	struct saved_layer *layers; /* as many as the config has diff IDs */
	struct buf manifest;
};

/* A member's name in normal form; *out is to be freed in any case. */
int docker_saved_normal_name(struct buf *out, const char *text, struct mkrootfs_error *error);
/* The tar of a layer, whatever it is stored as. *size: of the file. */
int docker_saved_open_tar(struct source **out, bool *compressed, uint64_t *size,
			  const struct docker_saved *saved, const char *name,
			  struct mkrootfs_error *error);
/* Finds the layers' files, and reads those that are compressed for their size. */
int docker_saved_load_layers(struct docker_saved *saved,
			     const struct docker_archive_options *options,
			     struct mkrootfs_error *error);

#endif
