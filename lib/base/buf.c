/* SPDX-License-Identifier: Apache-2.0 */
#include "buf.h"

#include "checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_room(struct buf *b, size_t more, struct mkrootfs_error *error)
{
	size_t need, room;
	uint8_t *data;

	if (!checked_add_size(&need, b->len, more) || need > b->cap)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %zu bytes", b->cap);
	room = b->room ? b->room : 64;
	while (room <= need)
		room = room > SIZE_MAX / 2 ? need + 1 : room * 2;
	data = realloc(b->data, room);
	if (!data)
		return error_no_memory(error);
	b->data = data;
	b->room = room;
	return 0;
}

/* Room for more bytes and a NUL. */
static inline int reserve(struct buf *b, size_t more, struct mkrootfs_error *error)
{
	size_t need;

	if (checked_add_size(&need, b->len, more) && need < b->room && need <= b->cap)
		return 0;
	return make_room(b, more, error);
}

int buf_grow(struct buf *b, uint8_t **out, size_t len, struct mkrootfs_error *error)
{
	int status = reserve(b, len, error);

	*out = NULL;
	if (status < 0)
		return status;
	*out = b->data + b->len;
	memset(*out, 0, len + 1);
	b->len += len;
	return 0;
}

int buf_append(struct buf *b, const void *data, size_t len, struct mkrootfs_error *error)
{
	int status = reserve(b, len, error);

	if (status < 0)
		return status;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
	return 0;
}

int buf_append_string(struct buf *b, const char *text, struct mkrootfs_error *error)
{
	return buf_append(b, text, strlen(text), error);
}

int buf_printf(struct buf *b, struct mkrootfs_error *error, const char *format, ...)
{
	va_list arguments, again;
	int len, status;

	va_start(arguments, format);
	va_copy(again, arguments);
	len = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	status = reserve(b, (size_t)len, error);
	if (status == 0) {
		vsnprintf((char *)b->data + b->len, (size_t)len + 1, format, again);
		b->len += (size_t)len;
	}
	va_end(again);
	return status;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->data);
	b->data = NULL;
	b->len = b->room = 0;
}

void buf_wipe(struct buf *b)
{
	if (b->data)
		explicit_bzero(b->data, b->room);
	buf_free(b);
}
