/* SPDX-License-Identifier: Apache-2.0 */
#include "peek_source.h"

#include <stdlib.h>
#include <string.h>

struct peek {
	struct source source;
	struct source *inner;
	const uint8_t *rest; /* of inner's last chunk, behind what head holds */
	size_t rest_len;
	size_t head_len;
	bool head_lent;
	uint8_t head[PEEK_MAX];
};

static int peek_next(struct source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	struct peek *peek = (struct peek *)source;

	if (!peek->head_lent && peek->head_len > 0) {
		peek->head_lent = true;
		*data = peek->head;
		*len = peek->head_len;
		return 0;
	}
	if (peek->rest_len == 0)
		return source_next(peek->inner, data, len, error);
	*data = peek->rest;
	*len = peek->rest_len;
	peek->rest_len = 0;
	return 0;
}

static void peek_close(struct source *source)
{
	source_close(((struct peek *)source)->inner);
	free(source);
}

static const struct source_ops peek_ops = { .next = peek_next, .close = peek_close };

int peek_create(struct peek **out, struct source *inner, struct mkrootfs_error *error)
{
	struct peek *peek = calloc(1, sizeof(*peek));

	*out = NULL;
	if (!peek)
		return error_no_memory(error);
	source_init_passing(&peek->source, &peek_ops, inner);
	peek->inner = inner;
	*out = peek;
	return 0;
}

int peek_more(struct peek *peek, const uint8_t **data, size_t *len, bool *at_end,
	      struct mkrootfs_error *error)
{
	size_t count;
	int status = 0;

	if (peek->rest_len == 0)
		status = source_next(peek->inner, &peek->rest, &peek->rest_len, error);
	if (status < 0)
		return status;
	*at_end = peek->rest_len == 0;
	count = PEEK_MAX - peek->head_len;
	if (count > peek->rest_len)
		count = peek->rest_len;
	if (count > 0) {
		memcpy(peek->head + peek->head_len, peek->rest, count);
		peek->head_len += count;
		peek->rest += count;
		peek->rest_len -= count;
	}
	*data = peek->head;
	*len = peek->head_len;
	return 0;
}

struct source *peek_commit(struct peek *peek)
{
	return &peek->source;
}

void peek_abandon(struct peek *peek)
{
	free(peek);
}
