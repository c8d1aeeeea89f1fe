/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of adjacent bytes of a file that were not written yet.
 *
 *	struct write_buffer b = { 0 };
 *	n = write_buffer_put(&b, offset, data, len);	less than len: write out, empty, again
 *	write_out(b.offset, b.data, b.len); write_buffer_empty(&b);
 *	write_buffer_free(&b);
 */
#ifndef MKROOTFS_IO_WRITE_BUFFER_H
#define MKROOTFS_IO_WRITE_BUFFER_H

#include "../base/error.h"

#include <stdbool.h>

#define WRITE_BUFFER_FIRST (64u << 10) /* bytes of room at first: many files stay small */
#define WRITE_BUFFER_LAST (256u << 10) /* bytes of room at most: more writes no faster */

struct write_buffer {
	uint8_t *data;
	uint64_t offset; /* of data in the file */
	size_t len;
	size_t room;
};

/*
 * Takes what is adjacent to, or inside, what it holds, as far as there is room, and returns the
 * number of bytes taken.
 */
size_t write_buffer_put(struct write_buffer *buffer, uint64_t offset, const void *data, size_t len);
/* Copies what it holds of a range; false when some of the range lies outside. */
bool write_buffer_get(const struct write_buffer *buffer, uint64_t offset, void *data, size_t len);
bool write_buffer_overlaps(const struct write_buffer *buffer, uint64_t offset, size_t len);
/* Forgets the content. One that was full gets more room. */
int write_buffer_empty(struct write_buffer *buffer, struct mkrootfs_error *error);
void write_buffer_free(struct write_buffer *buffer);

#endif
