/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Engines that decode raw deflate data (RFC 1951), for gunzip_source.c alone: the wrapping of gzip
 * is read there, once for all engines.
 *
 *	engine->create(&state, error);
 *	do {
 *		engine->run(state, &io, error);		more input or room when they run out
 *	} while (!io.ended);
 *	engine->reset(state);				before the next member
 *	engine->destroy(state);
 *
 * Engines give the same bytes for all that zlib accepts. ISA-L accepts a little more: where zlib
 * refuses a block for a Huffman code that is incomplete, ISA-L goes on unless the data then uses a
 * symbol that is not there. Lengths and CRCs are checked all the same.
 */
#ifndef MKROOTFS_IO_INFLATE_H
#define MKROOTFS_IO_INFLATE_H

#include "source.h"

#define INFLATE_TAIL_MAX 8 /* bytes; no more than a gzip trailer has */

struct inflate_io {
	const uint8_t *in; /* advanced past what was consumed */
	size_t in_len;
	uint8_t *out; /* advanced past what was written */
	size_t out_room;
	bool ended; /* the last block is complete and all of it was written */
	/* Once ended: bytes behind the deflate data that the engine had taken in, before in. */
	uint8_t tail[INFLATE_TAIL_MAX];
	size_t tail_len;
};

struct inflate_engine {
	const char *name;
	/* UNSUPPORTED: its library is not there. */
	int (*create)(void **state, struct mkrootfs_error *error);
	void (*reset)(void *state);
	/* Goes on until input or room is used up, or the end. Corrupt data is MALFORMED. */
	int (*run)(void *state, struct inflate_io *io, struct mkrootfs_error *error);
	/* CRC-32 as gzip has it; starts from 0. */
	uint32_t (*crc32)(const void *state, uint32_t crc, const uint8_t *data, size_t len);
	void (*destroy)(void *state); /* NULL is allowed */
};

/* Those of this build, ended by NULL; the first whose library is there is source_gunzip's. */
const struct inflate_engine *const *inflate_engines(void);

/* source_gunzip by a given engine. */
int source_gunzip_by(struct source **out, struct source *inner, const struct inflate_engine *engine,
		     struct mkrootfs_error *error);

extern const struct inflate_engine inflate_zlib;
#ifdef MKROOTFS_ISAL
extern const struct inflate_engine inflate_isal;
#endif

#endif
