/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing byte buffer with a cap, for all that is collected from outside.
 *
 *	struct buf b = BUF_INIT(4 << 20);
 *	if (buf_append(&b, data, len, error) < 0) ...
 *	use(b.data, b.len);
 *	buf_free(&b);
 */
#ifndef MKROOTFS_BASE_BUF_H
#define MKROOTFS_BASE_BUF_H

#include "error.h"

struct buf {
	uint8_t *data; /* followed by a NUL that len does not count, once anything was appended */
	size_t len;
	size_t room;
	size_t cap; /* most bytes that len may reach */
};

#define BUF_INIT(cap_) ((struct buf){ .cap = (cap_) })

/* Fails with MKROOTFS_ERROR_LIMIT past the cap; the buffer then keeps what it had. */
int buf_append(struct buf *b, const void *data, size_t len, struct mkrootfs_error *error);
int buf_append_string(struct buf *b, const char *text, struct mkrootfs_error *error);
int buf_printf(struct buf *b, struct mkrootfs_error *error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Appends len zero bytes and lends them in *out until the next call. */
int buf_grow(struct buf *b, uint8_t **out, size_t len, struct mkrootfs_error *error);
/* Forgets the content, keeps the memory. */
void buf_clear(struct buf *b);
void buf_free(struct buf *b);
/* The same for what holds a secret: its bytes are overwritten first. */
void buf_wipe(struct buf *b);

#endif
