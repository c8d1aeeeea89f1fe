/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of one record: {"reference": NAME, "digest": MANIFEST}, named by the digest of the name.
 *
 *	record_file_lock(&lock, store, &name, error);
 *	record_file_write(store, path, "docker.io/library/x:1", &manifest, error);
 *	lock_release(lock);
 */
#ifndef MKROOTFS_STORE_RECORD_FILE_H
#define MKROOTFS_STORE_RECORD_FILE_H

#include "lock.h"
#include "store.h"

/* Who replaces a record and who removes it exclude each other. name: the digest of its file. */
int record_file_lock(struct lock **lock, const struct store *store, const struct digest *name,
		     struct mkrootfs_error *error);
/* Replaces it as a whole. */
int record_file_write(const struct store *store, const char *path, const char *reference,
		      const struct digest *manifest, struct mkrootfs_error *error);
/* *reference is to be freed. */
int record_file_read(char **reference, struct digest *manifest, const char *path,
		     struct mkrootfs_error *error);

#endif
