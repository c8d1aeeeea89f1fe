/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What arrived of a blob, kept for a later run while its layer is not published: the first bytes,
 * in partial/<algorithm>-<hex>. Nothing is synced and nothing depends on it: who reads it verifies
 * the blob's digest, and partial/ may be emptied at any time.
 *
 *	partial_open(&p, store, &digest, size, error);
 *	if (p)
 *		source_kept(&blob, partial_fd(p), partial_size(p), rest, size, error);
 *	...
 *	partial_close(p, PARTIAL_REMOVE);
 */
#ifndef MKROOTFS_STORE_PARTIAL_H
#define MKROOTFS_STORE_PARTIAL_H

#include "store.h"

struct partial;

/*
 * size is the blob's, in bytes. *out is NULL, without an error, where the file is another one's at
 * the moment or cannot be made.
 */
int partial_open(struct partial **out, const struct store *store, const struct digest *digest,
		 uint64_t size, struct mkrootfs_error *error);
/* Bytes that are there, at most the blob's size. */
uint64_t partial_size(const struct partial *partial);
/* Open for reading and writing until partial_close. */
int partial_fd(const struct partial *partial);
/* Forgets the bytes: they were wrong. */
void partial_clear(struct partial *partial);

enum partial_fate { PARTIAL_KEEP, PARTIAL_REMOVE };
/* An empty one is removed in any case. NULL is allowed. */
void partial_close(struct partial *partial, enum partial_fate fate);

#endif
