/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A few buffers that go round between two threads: one fills them, the other empties them, each
 * waits for the other.
 *
 *	ring_create(&r, 4, 256 << 10, &stop, error);
 *	producer:
 *		while ((room = ring_empty(r)))		NULL: nobody takes any more
 *			ring_put(r, fill(room));
 *		ring_finish(r, status, &error);		the end, or why there is none
 *	consumer:
 *		while ((status = ring_take(r, &data, &len, error)) == 0 && len > 0)
 *			use(data, len);			valid until the next call
 *		ring_leave(r);
 *	ring_free(r);					once both are done
 */
#ifndef MKROOTFS_IO_RING_H
#define MKROOTFS_IO_RING_H

#include "../base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct ring;

/* stop, when it becomes true, ends waits on either side soon; it must outlive the ring. */
int ring_create(struct ring **out, size_t buffers, size_t size, const atomic_bool *stop,
		struct mkrootfs_error *error);
void ring_free(struct ring *ring);

/* Bytes of a buffer. */
size_t ring_size(const struct ring *ring);
/* An empty buffer. NULL once the consumer has left, or on stop. */
uint8_t *ring_empty(struct ring *ring);
/*
 * Has the producer, while it waits, call idle whenever it wakes, which it does soon after a poke.
 */
void ring_set_idle(struct ring *ring, void (*idle)(void *user), void *user);
/* By any thread. */
void ring_poke(struct ring *ring);
/* Hands over the first len bytes, at least 1, of the buffer that ring_empty gave. */
void ring_put(struct ring *ring, size_t len);
/* True while the consumer waits: a buffer that is not full had better be given. */
bool ring_is_awaited(const struct ring *ring);
/* After all that was put comes the end, or with a negative status the error. */
void ring_finish(struct ring *ring, int status, const struct mkrootfs_error *error);

/* Lends the next buffer; *len 0 at the end. CANCELLED on stop. */
int ring_take(struct ring *ring, const uint8_t **data, size_t *len, struct mkrootfs_error *error);
/* Nanoseconds of both sides in waits, once both are done. */
uint64_t ring_waited(const struct ring *ring);
/* Nothing is taken any more. */
void ring_leave(struct ring *ring);

#endif
