/* SPDX-License-Identifier: Apache-2.0 */
/* Which image a reference means: one small file for each reference. */
#ifndef MKROOTFS_STORE_RECORD_H
#define MKROOTFS_STORE_RECORD_H

#include "store.h"

/* Makes reference, a canonical one, mean the image with that manifest digest. */
int record_write(const struct store *store, const char *reference, const struct digest *manifest,
		 struct mkrootfs_error *error);
/* NOT_FOUND when nothing was pulled under that reference. */
int record_read(struct digest *manifest, const struct store *store, const char *reference,
		struct mkrootfs_error *error);

/* A record that cannot be read comes with reference and manifest NULL, and error says why. */
typedef int (*record_visit_fn)(void *user, const char *reference, const struct digest *manifest,
			       struct mkrootfs_error *error);
/* All records, in an order that only depends on the references. */
int record_each(const struct store *store, record_visit_fn visit, void *user,
		struct mkrootfs_error *error);

/*
 * Removes the records that is_stale says so of; manifest is NULL for one that cannot be read.
 * removed is told the path of each, non-zero ends with CANCELLED.
 */
struct record_cleaning {
	bool (*is_stale)(void *user, const struct digest *manifest);
	int (*removed)(void *user, const char *path);
	void *user;
};
int record_clean(const struct store *store, const struct record_cleaning *cleaning,
		 struct mkrootfs_error *error);

#endif
