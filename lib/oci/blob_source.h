/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A blob that arrives whole although its connections may break: where one does, the rest is asked
 * for from where the last byte was.
 *
 *	struct blob_options options = { .open = open_range, .user = registry, ... };
 *	source_blob(&source, &options, error);
 *	source_next(source, &data, &len, error);
 *	source_close(source);
 *
 * A server that cannot answer for a range, or answers for a wrong one, is asked for all of it, and
 * what was lent before is passed over. Whether all parts were parts of the same blob is the
 * digest's to decide, the reader's to verify.
 */
#ifndef MKROOTFS_OCI_BLOB_SOURCE_H
#define MKROOTFS_OCI_BLOB_SOURCE_H

#include "client.h"

struct blob_range {
	uint64_t offset;      /* 0: all */
	const char *if_range; /* a strong ETag, or NULL */
};

/*
 * Opens a response with status 200, or 206 or 416 where offset is not 0, or fails. Counts its own
 * attempts in retry.
 */
typedef int (*blob_open_fn)(struct client_response **out, void *user, const struct digest *digest,
			    const struct blob_range *range, struct retry *retry,
			    struct mkrootfs_error *error);

struct blob_options {
	blob_open_fn open;
	void *user;
	struct digest digest;
	uint64_t size;			  /* bytes of the whole blob */
	uint64_t offset;		  /* of the first byte to lend */
	const struct retry_policy *retry; /* borrowed */
};

/* Opens it: what is not there is an error here. */
int source_blob(struct source **out, const struct blob_options *options,
		struct mkrootfs_error *error);

#endif
