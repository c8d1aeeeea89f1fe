/* SPDX-License-Identifier: Apache-2.0 */
#include "ring_fill.h"

#include <string.h>

static void hand_over(struct ring_fill *fill)
{
	if (fill->len > 0)
		ring_put(fill->ring, fill->len);
	fill->buffer = NULL;
	fill->len = 0;
}

static bool have_room(struct ring_fill *fill)
{
	if (!fill->buffer)
		fill->buffer = ring_empty(fill->ring);
	return fill->buffer != NULL;
}

bool ring_fill_offer(struct ring_fill *fill, struct source *source)
{
	if (!have_room(fill))
		return false;
	source_place(source, fill->buffer + fill->len, ring_size(fill->ring) - fill->len);
	return true;
}

bool ring_fill_put(struct ring_fill *fill, const uint8_t *data, size_t len)
{
	size_t size = ring_size(fill->ring);

	while (len > 0) {
		size_t part;

		if (!have_room(fill))
			return false;
		part = size - fill->len;
		if (part > len)
			part = len;
		if (data != fill->buffer + fill->len)
			memcpy(fill->buffer + fill->len, data, part);
		fill->len += part;
		data += part;
		len -= part;
		if (fill->len == size || ring_is_awaited(fill->ring))
			hand_over(fill);
	}
	return true;
}

void ring_fill_end(struct ring_fill *fill, int status, const struct mkrootfs_error *error)
{
	hand_over(fill);
	ring_finish(fill->ring, status, error);
}
