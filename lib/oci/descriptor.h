/* SPDX-License-Identifier: Apache-2.0 */
/* What an image document says of another one or of a blob: digest, size and media type. */
#ifndef MKROOTFS_OCI_DESCRIPTOR_H
#define MKROOTFS_OCI_DESCRIPTOR_H

#include "../base/digest.h"
#include "../base/jval.h"
#include "media_type.h"

struct descriptor {
	struct digest digest;
	int64_t size;			  /* bytes, never negative */
	char media_type[MEDIA_TYPE_SIZE]; /* a hint; empty when absent, cut when very long */
};

/*
 * Reads digest, size and mediaType; members that ask for other places (urls, data) are ignored, so
 * that content comes from where the manifest came from.
 */
int descriptor_parse(struct descriptor *out, const struct jval *object,
		     struct mkrootfs_error *error);

#endif
