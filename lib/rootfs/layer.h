/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One layer: from a blob, a tar that may be compressed, to an EROFS image, in one pass.
 *
 *	image_file_create(&file, folder, error);
 *	layer_convert(file, &diff_id, blob, &options, error);
 *	image_file_commit(file, path, 0, error);
 */
#ifndef MKROOTFS_ROOTFS_LAYER_H
#define MKROOTFS_ROOTFS_LAYER_H

#include "../io/image_file.h"
#include "../io/source.h"
#include "../tree/tree.h"
#include "events.h"

struct layer_clocks;
struct layer_stages;

/* A layer image just made, for who goes on with what it holds. */
struct made_layer {
	struct tree *tree; /* sealed, as reading the image gives it; the owner frees it */
	uint32_t blocks;   /* of the image */
};

struct layer_options {
	const struct digest *blob; /* expected digest of the blob; NULL: not checked */
	int64_t blob_size;	   /* expected bytes; -1: not checked */
	struct digest *blob_seen;  /* takes the blob's digest once it was read and right; or NULL */
	const struct digest *diff_id;  /* expected digest of the tar; NULL: not checked */
	struct mkrootfs_limits limits; /* defaults filled in */
	struct events *events;
	struct layer_stages *stages; /* threads that help; NULL: none */
	struct layer_clocks *clocks; /* filled; NULL: the clock is not read */
	bool is_received;	     /* the blob has passed layer_stream_receive */
	bool is_whole;		     /* a root filesystem: warns of one that is no such thing */
	uint64_t *tar_size;	     /* takes the bytes of the tar, at its end; may be NULL */
	struct made_layer *made;     /* filled on success, else zeroed; NULL: not asked for */
};

/*
 * Closes blob in any case. diff_id takes the digest of the tar. When it returns 0, everything that
 * was to be checked has been.
 */
int layer_convert(struct image_file *file, struct digest *diff_id, struct source *blob,
		  const struct layer_options *options, struct mkrootfs_error *error);

#endif
