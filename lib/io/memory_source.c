/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdlib.h>

struct memory_source {
	struct source source;
	const uint8_t *data; /* borrowed */
	size_t len;	     /* bytes not lent yet */
};

static int memory_next(struct source *source, const uint8_t **data, size_t *len,
		       struct mkrootfs_error *error)
{
	struct memory_source *memory = (struct memory_source *)source;

	(void)error;
	*data = memory->data;
	*len = memory->len;
	memory->len = 0;
	return 0;
}

static void memory_close(struct source *source)
{
	free(source);
}

static const struct source_ops memory_ops = { .next = memory_next, .close = memory_close };

int source_memory(struct source **out, const void *data, size_t len, struct mkrootfs_error *error)
{
	struct memory_source *memory = calloc(1, sizeof(*memory));

	*out = NULL;
	if (!memory)
		return error_no_memory(error);
	source_init(&memory->source, &memory_ops);
	memory->data = data;
	memory->len = len;
	*out = &memory->source;
	return 0;
}
