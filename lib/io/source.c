/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdlib.h>

void source_init(struct source *source, const struct source_ops *ops)
{
	*source = (struct source){ .ops = ops };
}

void source_init_passing(struct source *source, const struct source_ops *ops, struct source *passed)
{
	*source = (struct source){ .ops = ops, .passed = passed };
}

void source_place(struct source *source, uint8_t *room, size_t size)
{
	while (source->passed)
		source = source->passed;
	source->room = room;
	source->room_size = size;
}

static int repeat_failure(const struct source *source, struct mkrootfs_error *error)
{
	if (!source->failure)
		return error_no_memory(error);
	*error = *source->failure;
	return error->status;
}

static int keep_failure(struct source *source, int status, const struct mkrootfs_error *error)
{
	source->failure = malloc(sizeof(*source->failure));
	if (source->failure)
		*source->failure = *error;
	source->failed = true;
	return status;
}

int source_next(struct source *source, const uint8_t **data, size_t *len,
		struct mkrootfs_error *error)
{
	int status;

	*data = NULL;
	*len = 0;
	if (source->failed)
		return repeat_failure(source, error);
	if (source->ended)
		return 0;
	status = source->ops->next(source, data, len, error);
	source->room = NULL;
	if (status < 0) {
		*data = NULL;
		*len = 0;
		return keep_failure(source, status, error);
	}
	source->ended = *len == 0;
	return 0;
}

uint64_t source_skip(struct source *source, uint64_t len)
{
	if (!source->ops->skip || source->failed || source->ended)
		return 0;
	return source->ops->skip(source, len);
}

void source_close(struct source *source)
{
	if (!source)
		return;
	free(source->failure);
	source->ops->close(source);
}

uint64_t source_dropped(const struct source *source)
{
	while (!source->ops->dropped && source->passed)
		source = source->passed;
	return source->ops->dropped ? source->ops->dropped(source) : 0;
}

int source_read_all(struct buf *out, struct source *source, struct mkrootfs_error *error)
{
	const uint8_t *data;
	size_t len;
	int status;

	do {
		status = source_next(source, &data, &len, error);
		if (status == 0)
			status = buf_append(out, data, len, error);
	} while (status == 0 && len > 0);
	return status;
}

int source_drain(struct source *source, uint64_t cap, struct mkrootfs_error *error)
{
	const uint8_t *data;
	size_t len;
	int status;

	do {
		status = source_next(source, &data, &len, error);
		if (status == 0 && len > cap)
			status = error_set(error, MKROOTFS_ERROR_LIMIT,
					   "too many bytes behind the end of the archive");
		cap -= len;
	} while (status == 0 && len > 0);
	return status;
}
