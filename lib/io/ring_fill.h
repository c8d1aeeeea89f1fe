/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The producer's side of a ring, for bytes that come in pieces of any length.
 *
 *	struct ring_fill fill = { .ring = r };
 *	while (ring_fill_offer(&fill, source) &&	false: nobody takes any more
 *	       source_next(source, &data, &len, &error) == 0 && len > 0 &&
 *	       ring_fill_put(&fill, data, len))		false: the same
 *		...
 *	ring_fill_end(&fill, status, &error);		the end, or why there is none
 */
#ifndef MKROOTFS_IO_RING_FILL_H
#define MKROOTFS_IO_RING_FILL_H

#include "ring.h"
#include "source.h"

struct ring_fill {
	struct ring *ring;
	uint8_t *buffer; /* one that has room left, or NULL */
	size_t len;	 /* bytes in it */
};

/* Has the source put its next bytes where ring_fill_put wants them, if it can. Waits for room. */
bool ring_fill_offer(struct ring_fill *fill, struct source *source);
/*
 * Waits for room. A buffer that is not full is handed over all the same while the consumer waits:
 * to fill it up while nobody has work would be waiting for nothing.
 */
bool ring_fill_put(struct ring_fill *fill, const uint8_t *data, size_t len);
void ring_fill_end(struct ring_fill *fill, int status, const struct mkrootfs_error *error);

#endif
