/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents and blobs of a transport, verified against the descriptors that ask for them.
 *
 *	struct fetcher f = { .transport = t };
 *	fetch_first(&f, &raw, error);
 *	fetch_load_first(&document, &raw, NULL, error);
 *	fetch_document(&f, &document, &entry->descriptor, error);
 *	fetch_blob(&f, &bytes, &manifest.config, "config", error);
 */
#ifndef MKROOTFS_OCI_FETCH_H
#define MKROOTFS_OCI_FETCH_H

#include "document.h"
#include "transport.h"

#define FETCH_MAX_DOCUMENTS 64 /* of one image, so that an index cannot keep us busy */

struct fetcher {
	struct transport *transport;
	unsigned count; /* documents and blobs so far */
};

/* What the transport's reference names, not checked yet; errors name the image. */
int fetch_first(struct fetcher *fetcher, struct transport_document *raw,
		struct mkrootfs_error *error);
/* Checks it and takes it over; expected NULL: any digest. */
int fetch_load_first(struct document *out, struct transport_document *raw,
		     const struct digest *expected, struct mkrootfs_error *error);
/* The manifest or index that descriptor describes. */
int fetch_document(struct fetcher *fetcher, struct document *out,
		   const struct descriptor *descriptor, struct mkrootfs_error *error);
/* Appends a blob to out, whose cap bounds it. */
int fetch_blob(struct fetcher *fetcher, struct buf *out, const struct descriptor *descriptor,
	       const char *what, struct mkrootfs_error *error);

#endif
