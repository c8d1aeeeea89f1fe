/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include "content.h"
#include "headers.h"
#include "member.h"

#include <inttypes.h>
#include <stdlib.h>

#define SHOWN_NAME_MAX 200 /* bytes of an entry's name in a message */

struct tar_reader {
	struct tar_reader_options options;
	struct tar_headers headers;
	struct tar_member member;
	struct tar_content content; /* of member */
	struct tar_range whole;	    /* what content borrows unless the file is sparse */
	uint64_t entries;
	bool ended;
	struct mkrootfs_error failure; /* the first one stays: status is 0 before */
};

int tar_reader_create(struct tar_reader **out, struct source *source,
		      const struct tar_reader_options *options, struct mkrootfs_error *error)
{
	struct tar_reader *reader = calloc(1, sizeof(*reader));

	*out = NULL;
	if (!reader)
		return error_no_memory(error);
	if (options)
		reader->options = *options;
	if (!reader->options.max_entries)
		reader->options.max_entries = TAR_DEFAULT_MAX_ENTRIES;
	if (!reader->options.max_xattr_bytes)
		reader->options.max_xattr_bytes = TAR_DEFAULT_MAX_XATTR_BYTES;
	tar_headers_init(&reader->headers, source);
	reader->headers.warn = reader->options.warn;
	reader->headers.user = reader->options.user;
	tar_member_init(&reader->member);
	*out = reader;
	return 0;
}

void tar_reader_close(struct tar_reader *reader)
{
	if (!reader)
		return;
	tar_headers_free(&reader->headers);
	tar_member_free(&reader->member);
	free(reader);
}

uint64_t tar_reader_position(const struct tar_reader *reader)
{
	return reader->headers.input.offset;
}

/* ---- Messages ---- */

static int prefix_entry(const struct tar_reader *reader, struct mkrootfs_error *error)
{
	const struct buf *path = &reader->member.path;
	bool cut = path->len > SHOWN_NAME_MAX;

	if (path->len == 0)
		return error_prefix(error, "tar entry without a name: ");
	return error_prefix(error, "tar entry '%.*s%s': ", SHOWN_NAME_MAX, (char *)path->data,
			    cut ? "..." : "");
}

static void warn(const struct tar_reader *reader, const char *text)
{
	struct mkrootfs_error message; /* escapes what an entry's name may hold */

	if (!reader->options.warn)
		return;
	error_set(&message, MKROOTFS_OK, "%s", text);
	prefix_entry(reader, &message);
	reader->options.warn(reader->options.user, message.message);
}

/* ---- Members ---- */

static bool has_header_only(enum tar_type type, uint8_t typeflag)
{
	return type != TAR_FILE && typeflag >= '1' && typeflag <= '6';
}

/*
 * Links, devices, directories and pipes have no content, yet some writers give them a size, and pax
 * allows a hard link to carry the file once more. What stands behind the header tells: if it is
 * another header or the end, there is no content. So does every reader that always takes the size
 * of these types for nothing (Go, Python), wherever such a reader comes through at all.
 */
static int drop_false_size(struct tar_reader *reader, struct mkrootfs_error *error)
{
	struct tar_member *member = &reader->member;
	const uint8_t *block;
	size_t len;
	int status = tar_input_peek(&block, &len, &reader->headers.input, error);

	if (status < 0)
		return status;
	if (len == 0 ||
	    (len == TAR_BLOCK_SIZE && (tar_block_is_zero(block) || tar_header_is_valid(block))))
		member->stored_size = 0;
	return 0;
}

static int check_limits(const struct tar_reader *reader, struct mkrootfs_error *error)
{
	const struct tar_entry *entry = &reader->member.entry;
	uint64_t size = 0;

	if (reader->entries > reader->options.max_entries)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "more than %" PRIu64 " entries (limits.entries)",
				 reader->options.max_entries);
	for (size_t i = 0; i < entry->xattr_count; i++)
		size += entry->xattrs[i].name_len + entry->xattrs[i].value_len;
	if (size > reader->options.max_xattr_bytes)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%" PRIu64 " bytes of extended attributes, the limit is %u "
				 "(limits.xattr_bytes)",
				 size, reader->options.max_xattr_bytes);
	return 0;
}

static void begin_content(struct tar_reader *reader)
{
	const struct tar_member *member = &reader->member;
	const struct tar_sparse_map *map = &reader->headers.ext.map;

	reader->whole = (struct tar_range){ 0, member->stored_size };
	if (member->entry.type != TAR_FILE || member->stored_size == 0)
		tar_content_begin(&reader->content, NULL, 0, member->stored_size);
	else if (member->entry.sparse)
		tar_content_begin(&reader->content, map->ranges, map->count, member->stored_size);
	else
		tar_content_begin(&reader->content, &reader->whole, 1, member->stored_size);
}

static int decode_member(struct tar_reader *reader, const struct tar_header *header,
			 struct mkrootfs_error *error)
{
	struct tar_member *member = &reader->member;
	uint8_t typeflag = header->type;
	int status = tar_member_decode(member, header, &reader->headers.ext, &reader->headers.input,
				       error);

	if (status == 0)
		status = check_limits(reader, error);
	if (status == 0 && member->stored_size > 0 && has_header_only(member->entry.type, typeflag))
		status = drop_false_size(reader, error);
	if (status < 0)
		return prefix_entry(reader, error);
	if (member->warning)
		warn(reader, member->warning);
	reader->headers.last_name = member->entry.path;
	begin_content(reader);
	return 1;
}

static int next(struct tar_reader *reader, struct mkrootfs_error *error)
{
	struct tar_header header;
	int status = tar_content_finish(&reader->content, &reader->headers.input, error);

	if (status < 0)
		return prefix_entry(reader, error);
	status = tar_headers_next(&header, &reader->headers, error);
	reader->ended = status == 0;
	if (status <= 0)
		return status;
	reader->entries++;
	return decode_member(reader, &header, error);
}

static int keep_failure(struct tar_reader *reader, int status, const struct mkrootfs_error *error)
{
	if (status < 0)
		reader->failure = *error;
	return status;
}

static int repeat_failure(const struct tar_reader *reader, struct mkrootfs_error *error)
{
	*error = reader->failure;
	return error->status;
}

int tar_reader_next(struct tar_reader *reader, const struct tar_entry **entry,
		    struct mkrootfs_error *error)
{
	int status;

	*entry = NULL;
	if (reader->failure.status < 0)
		return repeat_failure(reader, error);
	if (reader->ended)
		return 0;
	status = next(reader, error);
	if (status > 0)
		*entry = &reader->member.entry;
	return keep_failure(reader, status, error);
}

int tar_reader_data(struct tar_reader *reader, struct tar_data *data, struct mkrootfs_error *error)
{
	int status;

	*data = (struct tar_data){ NULL, 0, 0 };
	if (reader->failure.status < 0)
		return repeat_failure(reader, error);
	status = tar_content_next(&reader->content, &reader->headers.input, data, error);
	if (status < 0)
		status = prefix_entry(reader, error);
	return keep_failure(reader, status, error);
}
