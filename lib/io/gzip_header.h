/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a gzip member (RFC 1952, section 2.3), read from input in pieces of any size. Its
 * content is of no use here: it is checked and skipped.
 *
 *	gzip_header_begin(&header, engine, state);	the magic was read already
 *	while ((status = gzip_header_feed(&header, &in, &len, error)) == 0)
 *		get more input;
 *	status 1: in points behind the header
 */
#ifndef MKROOTFS_IO_GZIP_HEADER_H
#define MKROOTFS_IO_GZIP_HEADER_H

#include "inflate.h"

#define GZIP_MAGIC_1 0x1f /* ID1 */
#define GZIP_MAGIC_2 0x8b /* ID2 */

struct gzip_header {
	const struct inflate_engine *engine; /* for its crc32 */
	const void *state;		     /* of the engine */
	unsigned part;			     /* index of the part that is being read */
	uint32_t crc;			     /* of the header so far */
	uint8_t flags;
	uint32_t have; /* bytes of the current part */
	uint32_t want; /* bytes of the extra field */
	uint8_t bytes[8];
};

void gzip_header_begin(struct gzip_header *header, const struct inflate_engine *engine,
		       const void *state);
/* Advances *in and *len. 1 when the header is complete, 0 when it needs more, or a status. */
int gzip_header_feed(struct gzip_header *header, const uint8_t **in, size_t *len,
		     struct mkrootfs_error *error);

#endif
