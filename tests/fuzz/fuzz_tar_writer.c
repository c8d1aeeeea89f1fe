/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever can be read from an archive can be written into one, and reads from there as it did: the
 * entries and contents of the input are the writer's, and those of its archive are compared.
 * The seeds are some of those of fuzz_tar.
 */
#include "../support/chunk_source.h"
#include "../support/tar_mutator.h"
#include "tar/reader.h"
#include "tar/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_CONTENT (1u << 20) /* bytes of one file; larger ones are left out */
#define MAX_RANGES 256u

/* ---- A sink in memory ---- */

struct memory_sink {
	struct sink sink;
	struct buf data;
};

static int memory_write(struct sink *sink, const void *data, size_t len,
			struct mkrootfs_error *error)
{
	return buf_append(&((struct memory_sink *)sink)->data, data, len, error);
}

/* ---- What was read ---- */

struct file {
	const struct tar_entry *entry;
	struct tar_range ranges[MAX_RANGES]; /* of a sparse file */
	size_t range_count;
	struct buf stored; /* contents of the ranges; of a file that is not sparse, all of it */
};

/* A piece that follows the one before belongs to the same range. */
static bool add_range(struct file *file, const struct tar_data *data)
{
	struct tar_range *last = file->range_count ? &file->ranges[file->range_count - 1] : NULL;

	if (last && last->offset + last->len == data->offset)
		last->len += data->len;
	else if (file->range_count < MAX_RANGES)
		file->ranges[file->range_count++] = (struct tar_range){ data->offset, data->len };
	else
		return false;
	return true;
}

/* The writer takes whole blocks between holes; maps of other archives may have any bytes. */
static bool is_writable(const struct file *file)
{
	for (size_t i = 0; i < file->range_count; i++) {
		const struct tar_range *range = &file->ranges[i];
		uint64_t end = range->offset + range->len;

		if (range->offset % TAR_BLOCK_SIZE > 0 ||
		    (end % TAR_BLOCK_SIZE > 0 && end != file->entry->size))
			return false;
	}
	return true;
}

/* 1: all of it was read; 0: it is left out. */
static int read_content(struct file *file, struct tar_reader *reader, struct mkrootfs_error *error)
{
	struct tar_data data;
	bool fits = true;
	int status;

	file->range_count = 0;
	file->stored.len = 0;
	while ((status = tar_reader_data(reader, &data, error)) == 0 && data.len > 0) {
		fits = fits && file->stored.len + data.len <= MAX_CONTENT;
		fits = fits && (!file->entry->sparse || add_range(file, &data));
		if (fits)
			status = buf_append(&file->stored, data.data, data.len, error);
		if (status < 0)
			return status;
	}
	return status < 0 ? status : fits && is_writable(file);
}

/* ---- A fingerprint of entries: FNV-1a ---- */

static void see(uint64_t *hash, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash ^ bytes[i]) * 0x100000001b3;
	*hash = (*hash ^ len) * 0x100000001b3;
}

/* A directory's name may end in slashes, which say nothing. */
static size_t name_length(const struct tar_entry *entry)
{
	size_t len = entry->path_len;

	while (entry->type == TAR_DIRECTORY && len > 1 && entry->path[len - 1] == '/')
		len--;
	return len;
}

static void see_entry(uint64_t *hash, const struct file *file)
{
	const struct tar_entry *entry = file->entry;
	const uint64_t numbers[] = { entry->type,
				     entry->mode,
				     entry->uid,
				     entry->gid,
				     (uint64_t)entry->mtime,
				     entry->mtime_nsec,
				     entry->device_major,
				     entry->device_minor,
				     entry->size };

	see(hash, numbers, sizeof(numbers));
	see(hash, entry->path, name_length(entry));
	see(hash, entry->link, entry->link_len);
	for (size_t i = 0; i < entry->xattr_count; i++) {
		see(hash, entry->xattrs[i].name, entry->xattrs[i].name_len);
		see(hash, entry->xattrs[i].value, entry->xattrs[i].value_len);
	}
	see(hash, file->ranges, file->range_count * sizeof(file->ranges[0]));
	see(hash, file->stored.data, file->stored.len);
}

/* ---- One archive into another ---- */

static int copy_entry(struct tar_writer *writer, struct file *file, struct mkrootfs_error *error)
{
	int status = tar_writer_entry(writer, file->entry, file->ranges, file->range_count, error);

	if (status < 0)
		return status;
	return tar_writer_data(writer, file->stored.data, file->stored.len, error);
}

/* What the writer refuses is left out too, whole: it says so before it writes. */
static int copy_next(struct tar_writer *writer, uint64_t *hash, struct tar_reader *reader,
		     struct file *file, struct mkrootfs_error *error)
{
	int status = tar_reader_next(reader, &file->entry, error);

	if (status <= 0)
		return status;
	status = read_content(file, reader, error);
	if (status <= 0)
		return status < 0 ? status : 1;
	status = copy_entry(writer, file, error);
	if (status == MKROOTFS_ERROR_INVALID)
		return 1;
	if (status == 0)
		see_entry(hash, file);
	return status < 0 ? status : 1;
}

/* The fingerprint of all that was copied to out. An input that ends early is a shorter one. */
static uint64_t copy(struct buf *out, const uint8_t *data, size_t size)
{
	struct memory_sink sink = { .sink = { memory_write }, .data = BUF_INIT(1 << 28) };
	struct source *source = chunk_source(data, size, 0);
	struct file file = { .stored = BUF_INIT(MAX_CONTENT) };
	uint64_t hash = 0xcbf29ce484222325;
	struct mkrootfs_error error;
	struct tar_reader *reader;
	struct tar_writer *writer;

	if (tar_reader_create(&reader, source, NULL, &error) < 0 ||
	    tar_writer_create(&writer, &sink.sink, &error) < 0)
		abort();
	while (copy_next(writer, &hash, reader, &file, &error) > 0)
		;
	if (tar_writer_finish(writer, &error) < 0)
		abort();
	tar_writer_close(writer);
	tar_reader_close(reader);
	source_close(source);
	buf_free(&file.stored);
	*out = sink.data;
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf first, second;
	uint64_t read = copy(&first, data, size);
	uint64_t written = copy(&second, first.data, first.len);

	if (read != written || first.len != second.len ||
	    memcmp(first.data, second.data, first.len) != 0)
		abort();
	buf_free(&first);
	buf_free(&second);
	return 0;
}
