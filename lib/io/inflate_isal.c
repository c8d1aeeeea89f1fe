/* SPDX-License-Identifier: Apache-2.0 */
#include "inflate.h"

#ifdef MKROOTFS_ISAL

#include "../base/bytes.h"
#include "../base/library.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#define RUN_MAX (1u << 30) /* bytes of one call: ISA-L counts in 32 bits */

LIBRARY_NOTE(MKROOTFS_ISAL, "fast-gzip", "Layers that are compressed by gzip, in half the time",
	     "recommended");

#define FUNCTIONS(_)          \
	_(isal_inflate_init)  \
	_(isal_inflate_reset) \
	_(isal_inflate)       \
	_(crc32_gzip_refl)

#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,

struct isal_functions {
	FUNCTIONS(POINTER)
};

struct isal {
	struct isal_functions call;
	struct inflate_state inflate;
};

static int load_isal(struct isal_functions *functions, struct mkrootfs_error *error)
{
	static const char *const names[] = { FUNCTIONS(NAME) NULL };
	static const struct library library = { MKROOTFS_ISAL, names, "zlib does the same" };

	return library_load(functions, &library, error);
}

static int isal_create(void **state, struct mkrootfs_error *error)
{
	struct isal *isal = calloc(1, sizeof(*isal));
	int status = isal ? load_isal(&isal->call, error) : error_no_memory(error);

	*state = NULL;
	if (status < 0) {
		free(isal);
		return status;
	}
	isal->call.isal_inflate_init(&isal->inflate);
	*state = isal;
	return 0;
}

static void isal_reset(void *state)
{
	struct isal *isal = state;

	isal->call.isal_inflate_reset(&isal->inflate);
}

static uint32_t clamp(size_t len)
{
	return len < RUN_MAX ? (uint32_t)len : RUN_MAX;
}

/*
 * ISA-L reads ahead by up to 64 bits, perhaps of an input that is gone by now, and keeps them: the
 * rest of the last byte of deflate data, then whole bytes of what follows.
 */
static void take_tail(struct inflate_io *io, const struct inflate_state *inflate)
{
	uint8_t bytes[8];
	int32_t bits = inflate->read_in_length;

	if (bits < 8)
		return;
	put_le64(bytes, inflate->read_in >> bits % 8);
	io->tail_len = (size_t)bits / 8;
	memcpy(io->tail, bytes, io->tail_len);
}

static int isal_run(void *state, struct inflate_io *io, struct mkrootfs_error *error)
{
	struct isal *isal = state;
	struct inflate_state *inflate = &isal->inflate;
	uint32_t in_len = clamp(io->in_len), out_room = clamp(io->out_room);
	int result;

	/* Old ISA-L takes this 32-bit count, which wraps, for how far back a match may reach. */
	if (inflate->total_out > RUN_MAX)
		inflate->total_out = RUN_MAX;
	inflate->next_in = (uint8_t *)(uintptr_t)io->in; /* only read */
	inflate->avail_in = in_len;
	inflate->next_out = io->out;
	inflate->avail_out = out_room;
	result = isal->call.isal_inflate(inflate);
	io->in += in_len - inflate->avail_in;
	io->in_len -= in_len - inflate->avail_in;
	io->out += out_room - inflate->avail_out;
	io->out_room -= out_room - inflate->avail_out;
	io->ended = inflate->block_state == ISAL_BLOCK_FINISH;
	io->tail_len = 0;
	if (result < 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "invalid deflate data");
	if (io->ended)
		take_tail(io, inflate);
	return 0;
}

static uint32_t isal_crc32(const void *state, uint32_t crc, const uint8_t *data, size_t len)
{
	const struct isal *isal = state;

	return isal->call.crc32_gzip_refl(crc, data, len);
}

static void isal_destroy(void *state)
{
	free(state);
}

const struct inflate_engine inflate_isal = {
	.name = "ISA-L",
	.create = isal_create,
	.reset = isal_reset,
	.run = isal_run,
	.crc32 = isal_crc32,
	.destroy = isal_destroy,
};

#endif
