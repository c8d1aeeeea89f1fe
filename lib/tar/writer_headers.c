/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in front of an entry's content: extended header, header, map of holes. */
#include "writer_state.h"

#include "header_encode.h"
#include "pax_encode.h"

#include <inttypes.h>
#include <string.h>

#define SIZE_MAX_BYTES (INT64_MAX / 2) /* bytes of a file; with its map it fits 63 bits */

static int impossible(const char *what, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_INVALID, "tar: %s", what);
}

static int check_entry(const struct tar_writer *writer, const struct tar_entry *entry,
		       struct mkrootfs_error *error)
{
	bool links = entry->type == TAR_HARDLINK || entry->type == TAR_SYMLINK;

	if (entry->path_len >= writer->path.cap || entry->link_len >= writer->path.cap)
		return impossible("a name is too long", error);
	if (memchr(entry->path, '\0', entry->path_len) ||
	    (links && memchr(entry->link, '\0', entry->link_len)))
		return impossible("a name holds a NUL", error);
	if ((entry->path_len == 0 && entry->type != TAR_DIRECTORY) ||
	    (links && entry->link_len == 0))
		return impossible("a name is empty", error);
	if (entry->size > SIZE_MAX_BYTES || (entry->size > 0 && entry->type != TAR_FILE))
		return impossible("the size is not possible", error);
	return 0;
}

static int set_path(struct tar_writer *writer, const struct tar_entry *entry,
		    struct mkrootfs_error *error)
{
	struct buf *path = &writer->path;
	int status;

	buf_clear(path);
	status = buf_append(path, entry->path, entry->path_len, error);
	if (status == 0 && path->len == 0)
		status = buf_append(path, ".", 1, error);
	if (status == 0 && entry->type == TAR_DIRECTORY && path->data[path->len - 1] != '/')
		status = buf_append(path, "/", 1, error);
	return status;
}

static int check_range(const struct tar_range *range, uint64_t end, uint64_t size)
{
	uint64_t left = range->offset <= size ? size - range->offset : 0;

	return range->offset >= end && range->offset % TAR_BLOCK_SIZE == 0 && range->len > 0 &&
	       range->len <= left && (range->len % TAR_BLOCK_SIZE == 0 || range->len == left);
}

/*
 * Lines of numbers: how many ranges, and of each where it starts and how long it is. An empty one
 * stands at the end of a file that ends with a hole, or GNU tar makes the file too short.
 */
static int make_map(struct tar_writer *writer, uint64_t *stored, const struct tar_entry *entry,
		    const struct tar_range *ranges, size_t count, struct mkrootfs_error *error)
{
	uint64_t end = 0;
	uint8_t *padding;
	int status;

	*stored = 0;
	for (size_t i = 0; i < count; i++) {
		if (!check_range(&ranges[i], end, entry->size))
			return impossible("the ranges of a sparse file are not possible", error);
		end = ranges[i].offset + ranges[i].len;
		*stored += ranges[i].len;
	}
	status = buf_printf(&writer->map, error, "%zu\n", count + (end < entry->size));
	for (size_t i = 0; status == 0 && i < count; i++)
		status = buf_printf(&writer->map, error, "%" PRIu64 "\n%" PRIu64 "\n",
				    ranges[i].offset, ranges[i].len);
	if (status == 0 && end < entry->size)
		status = buf_printf(&writer->map, error, "%" PRIu64 "\n0\n", entry->size);
	if (status == 0)
		status = buf_grow(&writer->map, &padding, tar_padding(writer->map.len), error);
	*stored += writer->map.len;
	return status;
}

static int put_sparse_records(struct tar_writer *writer, const struct tar_entry *entry,
			      struct mkrootfs_error *error)
{
	struct buf *records = &writer->records;
	int status = tar_pax_put_number(records, "GNU.sparse.major", 1, error);

	if (status == 0)
		status = tar_pax_put_number(records, "GNU.sparse.minor", 0, error);
	if (status == 0)
		status = tar_pax_put(records, "GNU.sparse.name", writer->path.data,
				     writer->path.len, error);
	return status < 0 ? status
			  : tar_pax_put_number(records, "GNU.sparse.realsize", entry->size, error);
}

/* The names in the header, and in records where they do not fit. */
static int encode_names(struct tar_writer *writer, uint8_t *block, const struct tar_entry *entry,
			struct mkrootfs_error *error)
{
	const char *path = (const char *)writer->path.data;
	size_t len = writer->path.len;
	bool links = entry->type == TAR_HARDLINK || entry->type == TAR_SYMLINK;
	bool path_fits = true, link_fits = true;
	int status = 0;

	if (entry->sparse)
		tar_encode_name_in(block, "GNUSparseFile.0", path, len);
	else
		path_fits = tar_encode_name(block, path, len);
	if (links)
		link_fits = tar_encode_link(block, entry->link, entry->link_len);
	if (!path_fits || entry->sparse)
		status = tar_pax_put_charset(&writer->records, path, len, error);
	if (status == 0 && !link_fits && writer->records.len == 0)
		status = tar_pax_put_charset(&writer->records, entry->link, entry->link_len, error);
	if (status == 0 && !path_fits)
		status = tar_pax_put(&writer->records, "path", path, len, error);
	if (status == 0 && !link_fits)
		status = tar_pax_put(&writer->records, "linkpath", entry->link, entry->link_len,
				     error);
	return status < 0 || !entry->sparse ? status : put_sparse_records(writer, entry, error);
}

static int encode_number(struct tar_writer *writer, uint8_t *block, enum tar_field field,
			 const char *key, uint64_t value, struct mkrootfs_error *error)
{
	if (tar_encode_number(block, field, (int64_t)value))
		return 0;
	return tar_pax_put_number(&writer->records, key, value, error);
}

static int encode_numbers(struct tar_writer *writer, uint8_t *block, const struct tar_entry *entry,
			  uint64_t stored, struct mkrootfs_error *error)
{
	bool device = entry->type == TAR_CHARACTER || entry->type == TAR_BLOCK;
	int status = encode_number(writer, block, TAR_FIELD_SIZE, "size", stored, error);

	tar_encode_number(block, TAR_FIELD_MODE, entry->mode & 07777);
	if (status == 0)
		status = encode_number(writer, block, TAR_FIELD_UID, "uid", entry->uid, error);
	if (status == 0)
		status = encode_number(writer, block, TAR_FIELD_GID, "gid", entry->gid, error);
	if (status == 0 &&
	    (!tar_encode_number(block, TAR_FIELD_MTIME, entry->mtime) || entry->mtime_nsec > 0))
		status = tar_pax_put_time(&writer->records, "mtime", entry->mtime,
					  entry->mtime_nsec, error);
	if (status == 0 && device)
		status = encode_number(writer, block, TAR_FIELD_DEVICE_MAJOR, "SCHILY.devmajor",
				       entry->device_major, error);
	if (status == 0 && device)
		status = encode_number(writer, block, TAR_FIELD_DEVICE_MINOR, "SCHILY.devminor",
				       entry->device_minor, error);
	return status;
}

static int put_extended_header(struct tar_writer *writer, struct mkrootfs_error *error)
{
	const struct buf *records = &writer->records;
	uint8_t block[TAR_BLOCK_SIZE];
	int status;

	if (records->len == 0)
		return 0;
	tar_encode_start(block, 'x');
	tar_encode_name_in(block, "PaxHeaders", (const char *)writer->path.data, writer->path.len);
	tar_encode_number(block, TAR_FIELD_MODE, 0644);
	tar_encode_number(block, TAR_FIELD_UID, 0);
	tar_encode_number(block, TAR_FIELD_GID, 0);
	tar_encode_number(block, TAR_FIELD_MTIME, 0);
	tar_encode_number(block, TAR_FIELD_SIZE, (int64_t)records->len);
	tar_encode_seal(block);
	status = tar_writer_put(writer, block, sizeof(block), error);
	if (status == 0)
		status = tar_writer_put(writer, records->data, records->len, error);
	return status < 0 ? status : tar_writer_put_zeros(writer, tar_padding(records->len), error);
}

static int put_entry(struct tar_writer *writer, const struct tar_entry *entry, uint64_t stored,
		     struct mkrootfs_error *error)
{
	static const uint8_t types[] = {
		[TAR_FILE] = '0',      [TAR_HARDLINK] = '1', [TAR_SYMLINK] = '2',
		[TAR_CHARACTER] = '3', [TAR_BLOCK] = '4',    [TAR_DIRECTORY] = '5',
		[TAR_FIFO] = '6',
	};
	uint8_t block[TAR_BLOCK_SIZE];
	int status;

	tar_encode_start(block, types[entry->type]);
	status = encode_names(writer, block, entry, error);
	if (status == 0)
		status = encode_numbers(writer, block, entry, stored, error);
	for (size_t i = 0; status == 0 && i < entry->xattr_count; i++)
		status = tar_pax_put_xattr(&writer->records, &entry->xattrs[i], error);
	if (status == 0)
		status = put_extended_header(writer, error);
	if (status < 0)
		return status;
	tar_encode_seal(block);
	status = tar_writer_put(writer, block, sizeof(block), error);
	return status < 0 ? status
			  : tar_writer_put(writer, writer->map.data, writer->map.len, error);
}

int tar_writer_put_headers(struct tar_writer *writer, uint64_t *stored,
			   const struct tar_entry *entry, const struct tar_range *ranges,
			   size_t range_count, struct mkrootfs_error *error)
{
	int status = check_entry(writer, entry, error);

	*stored = entry->size;
	buf_clear(&writer->records);
	buf_clear(&writer->map);
	if (status == 0)
		status = set_path(writer, entry, error);
	if (status == 0 && entry->sparse)
		status = make_map(writer, stored, entry, ranges, range_count, error);
	return status < 0 ? status : put_entry(writer, entry, *stored, error);
}
