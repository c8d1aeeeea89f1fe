/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store on disk:
 *
 *	layers/<diff ID>.erofs		layer images
 *	images/<manifest digest>/	self-contained image folders
 *	references/<name>.json		which image a reference means
 *	partial/			blobs as far as they arrived, see partial.h
 *	tmp/				what is under construction
 *	lock				see lock.h
 *
 *	store_open(&s, path, STORE_WRITE, error);
 *	path = store_layer_path(s, &diff_id, &buf, error);
 *	store_close(s);
 *
 * Everything gets its final name complete, by one rename or link. While a process may write, it
 * holds a shared lock on tmp/; who finds no other writer empties tmp/ of what a crash left.
 */
#ifndef MKROOTFS_STORE_STORE_H
#define MKROOTFS_STORE_STORE_H

#include "../base/buf.h"
#include "../base/digest.h"

struct store;

enum store_mode {
	STORE_READ,  /* fails with NOT_FOUND when there is no store */
	STORE_WRITE, /* makes the store when it is missing */
};

int store_open(struct store **out, const char *path, enum store_mode mode,
	       struct mkrootfs_error *error);
void store_close(struct store *store);

/* Absolute, without symbolic links. */
const char *store_path(const struct store *store);
/* The folder for temporary files; on the same filesystem as everything else. */
const char *store_tmp(const struct store *store);

#define STORE_PATH_MAX 8192u

/* Each replaces the buffer's content by an absolute path. */
int store_layer_path(struct buf *path, const struct store *store, const struct digest *diff_id,
		     struct mkrootfs_error *error);
int store_image_path(struct buf *path, const struct store *store, const struct digest *manifest,
		     struct mkrootfs_error *error);
/* The digest that the name of a folder of images/ stands for; false when it is no such name. */
bool store_image_name_parse(struct digest *manifest, const char *name);
int store_lock_path(struct buf *path, const struct store *store, struct mkrootfs_error *error);

#endif
