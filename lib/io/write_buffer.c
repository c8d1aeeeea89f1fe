/* SPDX-License-Identifier: Apache-2.0 */
#include "write_buffer.h"

#include "../base/pages.h"

#include <stdlib.h>
#include <string.h>

size_t write_buffer_put(struct write_buffer *buffer, uint64_t offset, const void *data, size_t len)
{
	size_t at, room;

	if (buffer->len == 0)
		buffer->offset = offset;
	if (offset < buffer->offset || offset - buffer->offset > buffer->len)
		return 0;
	at = (size_t)(offset - buffer->offset);
	room = buffer->room - at;
	if (len > room)
		len = room;
	if (len == 0)
		return 0;
	memcpy(buffer->data + at, data, len);
	if (at + len > buffer->len)
		buffer->len = at + len;
	return len;
}

bool write_buffer_overlaps(const struct write_buffer *buffer, uint64_t offset, size_t len)
{
	return buffer->len > 0 && len > 0 && offset < buffer->offset + buffer->len &&
	       buffer->offset < offset + len;
}

bool write_buffer_get(const struct write_buffer *buffer, uint64_t offset, void *data, size_t len)
{
	if (buffer->len == 0 || offset < buffer->offset ||
	    offset + len > buffer->offset + buffer->len)
		return false;
	memcpy(data, buffer->data + (offset - buffer->offset), len);
	return true;
}

int write_buffer_empty(struct write_buffer *buffer, struct mkrootfs_error *error)
{
	bool was_full = buffer->len == buffer->room;
	size_t room = buffer->room ? buffer->room * 2 : WRITE_BUFFER_FIRST;
	uint8_t *data;

	buffer->len = 0;
	if (!was_full || room > WRITE_BUFFER_LAST)
		return 0;
	data = pages_alloc(room);
	if (!data)
		return error_no_memory(error);
	free(buffer->data);
	buffer->data = data;
	buffer->room = room;
	return 0;
}

void write_buffer_free(struct write_buffer *buffer)
{
	free(buffer->data);
	memset(buffer, 0, sizeof(*buffer));
}
