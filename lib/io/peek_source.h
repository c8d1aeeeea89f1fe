/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source whose first bytes can be looked at before they are lent.
 *
 *	peek_create(&p, inner, error);			inner is borrowed
 *	peek_more(p, &data, &len, &at_end, error);	as often as needed, up to PEEK_MAX bytes
 *	s = peek_commit(p);				now inner is taken; or:
 *	peek_abandon(p);
 */
#ifndef MKROOTFS_IO_PEEK_SOURCE_H
#define MKROOTFS_IO_PEEK_SOURCE_H

#include "source.h"

#define PEEK_MAX 512 /* bytes */

struct peek;

int peek_create(struct peek **out, struct source *inner, struct mkrootfs_error *error);
/*
 * Lends at least one byte more than the last time, or sets *at_end: then data is all there is.
 * Not to be called again after the end or when PEEK_MAX bytes were lent.
 */
int peek_more(struct peek *peek, const uint8_t **data, size_t *len, bool *at_end,
	      struct mkrootfs_error *error);
/*
 * The peeked bytes and the rest as a source, which from now on owns peek and inner. Where nobody
 * takes that source after all, and nothing was read from it, peek_abandon undoes this.
 */
struct source *peek_commit(struct peek *peek);
/* Frees peek, not inner. */
void peek_abandon(struct peek *peek);

#endif
