/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a stream is, by its first bytes.
 *
 *	kind = sniff(head, len, at_end, &name);		again with more bytes while SNIFF_MORE
 */
#ifndef MKROOTFS_IO_SNIFF_H
#define MKROOTFS_IO_SNIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SNIFF_MAX 512 /* most bytes that sniff asks for: one tar header */

enum sniff_kind {
	SNIFF_MORE, /* not to be told from so few bytes */
	SNIFF_PLAIN,
	SNIFF_GZIP,
	SNIFF_ZSTD,
	SNIFF_OTHER, /* compressed by something else: its name is in *name */
};

/* at_end: these are all bytes of the stream. *name is static, and NULL for other kinds. */
enum sniff_kind sniff(const uint8_t *head, size_t len, bool at_end, const char **name);

#endif
