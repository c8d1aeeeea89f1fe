/* SPDX-License-Identifier: Apache-2.0 */
/* The files of fixtures/streams and what they hold, for tests of streams. */
#ifndef TESTS_SUPPORT_STREAMS_H
#define TESTS_SUPPORT_STREAMS_H

#include "io/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunk sizes, in bytes, that tests cut streams into; 0 is all at once. */
static const size_t stream_chunks[] = { 0, 1, 2, 3, 7, 64, 511 };

#define STREAM_CHUNK_COUNT (sizeof(stream_chunks) / sizeof(stream_chunks[0]))

enum stream_content { CONTENT_TEXT, CONTENT_PADDED, CONTENT_HELLO, CONTENT_EMPTY };

static inline struct buf stream_fixture(const char *name)
{
	struct buf content = BUF_INIT(1 << 20);
	struct mkrootfs_error error;
	uint8_t block[4096];
	char path[512];
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), "%s/streams/%s", FIXTURES, name);
	file = fopen(path, "rb");
	if (!file) {
		perror(path);
		abort();
	}
	while ((got = fread(block, 1, sizeof(block), file)) > 0)
		if (buf_append(&content, block, got, &error) < 0)
			abort();
	fclose(file);
	return content;
}

static inline struct buf stream_content(enum stream_content which)
{
	struct buf text = stream_fixture("text"), content = BUF_INIT(1 << 20);
	struct mkrootfs_error error = { 0 };
	uint8_t *zeros;

	if (which == CONTENT_TEXT || which == CONTENT_PADDED)
		buf_append(&content, text.data, text.len, &error);
	if (which == CONTENT_PADDED) {
		buf_grow(&content, &zeros, 300000, &error);
		buf_append(&content, text.data, text.len, &error);
	}
	if (which == CONTENT_HELLO)
		buf_append_string(&content, "hello\n", &error);
	if (error.status)
		abort();
	buf_free(&text);
	return content;
}

/* All that a source lends and how it ended. The source is closed. */
struct stream_result {
	int status;
	struct buf content;
	uint64_t dropped;
	struct mkrootfs_error error;
};

static inline struct stream_result stream_drain(struct source *source)
{
	struct stream_result result = { .content = BUF_INIT(64 << 20) };

	result.status = source_read_all(&result.content, source, &result.error);
	result.dropped = source_dropped(source);
	source_close(source);
	return result;
}

static inline void stream_result_free(struct stream_result *result)
{
	buf_free(&result->content);
}

#endif
