/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tar reader makes of an archive, as the text that fixtures/tar/README.md describes.
 *
 *	struct buf text = BUF_INIT(64 << 20);
 *	tar_listing(&text, data, len, 512);
 */
#ifndef MKROOTFS_TEST_TAR_LISTING_H
#define MKROOTFS_TEST_TAR_LISTING_H

#include "chunk_source.h"

#include "base/digest.h"
#include "tar/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ---- */

/* A failure to append would be the test's own; it shows as a difference of the texts. */
static inline void listing_byte(struct buf *out, uint8_t byte, int raw_backslash)
{
	struct mkrootfs_error error;

	if (byte == 0)
		buf_append_string(out, "\\0", &error);
	else if (byte == '\n')
		buf_append_string(out, "\\n", &error);
	else if (byte == '\\' && !raw_backslash)
		buf_append_string(out, "\\\\", &error);
	else if ((byte <= ' ' && !raw_backslash) || byte >= 0x7f || (byte == '"' && !raw_backslash))
		buf_printf(out, &error, "\\x%02x", byte);
	else
		buf_append(out, &byte, 1, &error);
}

static inline void listing_bytes(struct buf *out, const void *data, size_t len, int is_message)
{
	const uint8_t *bytes = data;
	struct mkrootfs_error error;
	size_t run;

	for (size_t i = 0; i < len; i += run) {
		for (run = 1; i + run < len && bytes[i + run] == bytes[i]; run++)
			;
		if (run < 16) {
			run = 1;
			listing_byte(out, bytes[i], is_message);
			continue;
		}
		buf_append_string(out, "\\{", &error);
		listing_byte(out, bytes[i], is_message);
		buf_printf(out, &error, "*%zu}", run);
	}
}

/* ---- Entries ---- */

static inline void listing_range(struct buf *out, uint64_t offset, const struct buf *data)
{
	struct buf text = BUF_INIT(64 << 20);
	struct mkrootfs_error error;
	struct digest digest;
	char hex[DIGEST_TEXT_SIZE];

	listing_bytes(&text, data->data, data->len, 0);
	if (text.len <= 64) {
		buf_printf(out, &error, " %" PRIu64 ":\"%s\"", offset, (char *)text.data);
	} else {
		digest_of(&digest, DIGEST_SHA256, data->data, data->len, &error);
		digest_format_hex(hex, &digest);
		buf_printf(out, &error, " %" PRIu64 ":sha256:%.16s", offset, hex);
	}
	buf_free(&text);
}

/* Reads the content, joining pieces that touch; returns the status of the last read. */
static inline int listing_content(struct buf *out, struct tar_reader *reader,
				  struct mkrootfs_error *error)
{
	struct buf range = BUF_INIT(1 << 30);
	struct tar_data data;
	uint64_t start = 0;
	int status;

	while ((status = tar_reader_data(reader, &data, error)) == 0 && data.len > 0) {
		if (range.len > 0 && start + range.len != data.offset) {
			listing_range(out, start, &range);
			buf_clear(&range);
		}
		if (range.len == 0)
			start = data.offset;
		buf_append(&range, data.data, data.len, error);
	}
	if (range.len > 0)
		listing_range(out, start, &range);
	buf_free(&range);
	return status;
}

/* The whole content, holes as zeros, as its digest. */
static inline int listing_digest(struct buf *out, struct tar_reader *reader, uint64_t size,
				 struct mkrootfs_error *error)
{
	struct buf whole = BUF_INIT(1 << 30);
	struct tar_data data;
	struct digest digest;
	char hex[DIGEST_TEXT_SIZE];
	uint8_t *holes;
	int status;

	while ((status = tar_reader_data(reader, &data, error)) == 0 && data.len > 0) {
		buf_grow(&whole, &holes, data.offset - whole.len, error);
		buf_append(&whole, data.data, data.len, error);
	}
	buf_grow(&whole, &holes, size - whole.len, error);
	digest_of(&digest, DIGEST_SHA256, whole.data, whole.len, error);
	digest_format_hex(hex, &digest);
	buf_printf(out, error, " sha256=%.16s", hex);
	buf_free(&whole);
	return status;
}

static inline void listing_entry(struct buf *out, const struct tar_entry *entry)
{
	static const char *const types[] = { "file",  "hardlink",  "symlink", "character",
					     "block", "directory", "fifo" };
	struct mkrootfs_error error;

	buf_printf(out, &error, "%s ", types[entry->type]);
	listing_bytes(out, entry->path, entry->path_len, 0);
	if (entry->link_len > 0) {
		buf_append_string(out, " -> ", &error);
		listing_bytes(out, entry->link, entry->link_len, 0);
	}
	if (entry->type == TAR_CHARACTER || entry->type == TAR_BLOCK)
		buf_printf(out, &error, " %u:%u", entry->device_major, entry->device_minor);
	buf_printf(out, &error, " mode=%04o", entry->mode);
	if (entry->uid)
		buf_printf(out, &error, " uid=%u", entry->uid);
	if (entry->gid)
		buf_printf(out, &error, " gid=%u", entry->gid);
	if (entry->mtime || entry->mtime_nsec)
		buf_printf(out, &error, " mtime=%" PRId64, entry->mtime);
	if (entry->mtime_nsec)
		buf_printf(out, &error, "+%u", entry->mtime_nsec);
	if (entry->type == TAR_FILE)
		buf_printf(out, &error, " size=%" PRIu64, entry->size);
}

static inline void listing_xattrs(struct buf *out, const struct tar_entry *entry)
{
	struct mkrootfs_error error;

	for (size_t i = 0; i < entry->xattr_count; i++) {
		const struct tar_xattr *xattr = &entry->xattrs[i];

		buf_append_string(out, " xattr.", &error);
		listing_bytes(out, xattr->name, xattr->name_len, 0);
		buf_append_string(out, "=\"", &error);
		listing_bytes(out, xattr->value, xattr->value_len, 0);
		buf_append_string(out, "\"", &error);
	}
}

static inline void listing_error(struct buf *out, const struct mkrootfs_error *failure)
{
	struct mkrootfs_error error;
	const char *name = failure->status == MKROOTFS_ERROR_MALFORMED	   ? "MALFORMED"
			   : failure->status == MKROOTFS_ERROR_LIMIT	   ? "LIMIT"
			   : failure->status == MKROOTFS_ERROR_UNSUPPORTED ? "UNSUPPORTED"
									   : "OTHER";

	buf_printf(out, &error, "error %s: ", name);
	listing_bytes(out, failure->message, strlen(failure->message), 1);
	buf_append_string(out, "\n", &error);
}

/* Warnings come before their entry is returned, and stand behind it in the text. */
static inline void listing_warn(void *user, const char *text)
{
	struct mkrootfs_error error;

	buf_append_string(user, "warning: ", &error);
	listing_bytes(user, text, strlen(text), 1);
	buf_append_string(user, "\n", &error);
}

static inline int listing_one(struct buf *out, struct tar_reader *reader, struct buf *warnings,
			      int by_digest, struct mkrootfs_error *error)
{
	const struct tar_entry *entry;
	struct mkrootfs_error ignored;
	int status = tar_reader_next(reader, &entry, error);

	if (status <= 0)
		return status;
	listing_entry(out, entry);
	if (!by_digest)
		status = listing_content(out, reader, error);
	else
		status = entry->type == TAR_FILE ? listing_digest(out, reader, entry->size, error)
						 : 0;
	listing_xattrs(out, entry);
	buf_append_string(out, "\n", &ignored);
	buf_append(out, warnings->data, warnings->len, &ignored);
	buf_clear(warnings);
	return status < 0 ? status : 1;
}

/* Appends the listing of an archive that arrives in chunks. by_digest: see listing_digest. */
static inline void tar_listing_by(struct buf *out, const uint8_t *data, size_t len, size_t chunk,
				  int by_digest)
{
	struct buf warnings = BUF_INIT(1 << 20);
	const struct tar_reader_options options = { .warn = listing_warn, .user = &warnings };
	struct source *source = chunk_source(data, len, chunk);
	struct tar_reader *reader;
	struct mkrootfs_error error, ignored;
	int status;

	status = tar_reader_create(&reader, source, &options, &error);
	if (status == 0)
		do
			status = listing_one(out, reader, &warnings, by_digest, &error);
		while (status > 0);
	buf_append(out, warnings.data, warnings.len, &ignored);
	if (status < 0)
		listing_error(out, &error);
	buf_free(&warnings);
	tar_reader_close(reader);
	source_close(source);
}

static inline void tar_listing(struct buf *out, const uint8_t *data, size_t len, size_t chunk)
{
	tar_listing_by(out, data, len, chunk, 0);
}

/* Whether two listings differ; the first lines that do go to text. */
static inline int listing_differs(struct buf *text, const char *expected, const char *got)
{
	struct mkrootfs_error error;
	size_t a, b;

	while (*expected || *got) {
		a = strcspn(expected, "\n");
		b = strcspn(got, "\n");
		if (a != b || memcmp(expected, got, a) != 0) {
			buf_printf(text, &error, "expected: %.*s\ngot:      %.*s\n", (int)a,
				   expected, (int)b, got);
			return 1;
		}
		expected += a + (expected[a] != '\0');
		got += b + (got[b] != '\0');
	}
	return 0;
}

#endif
