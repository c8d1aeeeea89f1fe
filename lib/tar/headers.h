/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sequence of headers in an archive: finds the next member's, collecting the extensions in
 * front of it, and knows where the archive ends.
 *
 *	tar_headers_init(&headers, source);
 *	while ((status = tar_headers_next(&header, &headers, error)) > 0)
 *		...decode by headers.ext; consume the content from headers.input...
 *
 * The end is: two zero blocks, or one and the end of the stream, or the stream's end at a block
 * boundary or inside zeros. A zero block with a header behind it is skipped with a warning (GNU tar
 * and libarchive stop there, Go refuses the archive; so nothing gets lost unseen).
 */
#ifndef MKROOTFS_TAR_HEADERS_H
#define MKROOTFS_TAR_HEADERS_H

#include "extensions.h"

struct tar_headers {
	struct tar_input input;
	struct tar_extensions ext; /* of the header that was found last */
	const char *last_name; /* of the member before, for messages; NULL: none yet; borrowed */
	void (*warn)(void *user, const char *text);
	void *user;
};

void tar_headers_init(struct tar_headers *headers, struct source *source);
void tar_headers_free(struct tar_headers *headers);
/* 1: header is the next member's, just consumed; 0: the archive has ended. */
int tar_headers_next(struct tar_header *header, struct tar_headers *headers,
		     struct mkrootfs_error *error);

#endif
