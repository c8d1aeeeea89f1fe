/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever archive comes in: no crash, no hang, entries within their documented ranges, and the
 * same ones in whatever chunks the bytes arrive.
 *
 * The mutator mends checksums, or hardly any input would get past its first header. The seeds are
 * archives of fixtures/tar, each under its name there, as tests/support/tar_recipe.py builds them.
 */
#include "../support/chunk_source.h"
#include "../support/tar_mutator.h"
#include "tar/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a run has seen, to compare it with another one's: FNV-1a of everything. */
struct outcome {
	uint64_t hash;
	struct mkrootfs_error error;
};

static void see(struct outcome *outcome, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < len; i++)
		outcome->hash = (outcome->hash ^ bytes[i]) * 0x100000001b3;
}

static void see_text(struct outcome *outcome, const char *text, size_t len)
{
	if (strlen(text) != len)
		abort(); /* NUL-terminated, and no other NUL */
	see(outcome, text, len + 1);
}

static void see_number(struct outcome *outcome, uint64_t number, uint64_t max)
{
	if (number > max)
		abort();
	see(outcome, &number, sizeof(number));
}

static void see_xattrs(struct outcome *outcome, const struct tar_entry *entry)
{
	uint64_t size = 0;

	for (size_t i = 0; i < entry->xattr_count; i++) {
		const struct tar_xattr *xattr = &entry->xattrs[i];

		see_text(outcome, xattr->name, xattr->name_len);
		see(outcome, xattr->value, xattr->value_len);
		size += xattr->name_len + xattr->value_len;
		if (xattr->name_len == 0 || xattr->name_len > 255)
			abort();
		if (i > 0 && strcmp(xattr[-1].name, xattr->name) >= 0)
			abort();
	}
	see_number(outcome, size, TAR_DEFAULT_MAX_XATTR_BYTES);
}

static void see_entry(struct outcome *outcome, const struct tar_entry *entry)
{
	see_number(outcome, entry->type, TAR_FIFO);
	see_text(outcome, entry->path, entry->path_len);
	see_text(outcome, entry->link, entry->link_len);
	see_number(outcome, entry->mode, 07777);
	see_number(outcome, entry->uid, 0xfffffffe);
	see_number(outcome, entry->gid, 0xfffffffe);
	see_number(outcome, (uint64_t)entry->mtime, UINT64_MAX);
	see_number(outcome, entry->mtime_nsec, 999999999);
	see_number(outcome, entry->device_major, 0xfff);
	see_number(outcome, entry->device_minor, 0xfffff);
	see_number(outcome, entry->size, entry->type == TAR_FILE ? INT64_MAX : 0);
	see_xattrs(outcome, entry);
	if (entry->path_len == 0)
		abort();
	if ((entry->link_len > 0) != (entry->type == TAR_SYMLINK || entry->type == TAR_HARDLINK))
		abort();
}

static int see_content(struct outcome *outcome, struct tar_reader *reader,
		       const struct tar_entry *entry)
{
	struct tar_data data;
	uint64_t end = 0;
	int status;

	while ((status = tar_reader_data(reader, &data, &outcome->error)) == 0 && data.len > 0) {
		if (data.offset < end || data.len > entry->size ||
		    data.offset > entry->size - data.len)
			abort();
		if (data.offset > end)
			see(outcome, &data.offset, sizeof(data.offset));
		see(outcome, data.data, data.len);
		end = data.offset + data.len;
	}
	if (status == 0 && !entry->sparse && end != entry->size)
		abort();
	return status;
}

static void see_warning(void *user, const char *text)
{
	see(user, text, strlen(text));
}

/* Every third entry's content is left to be skipped. */
static struct outcome run(const uint8_t *data, size_t size, size_t chunk)
{
	struct outcome outcome = { .hash = 0xcbf29ce484222325 };
	const struct tar_reader_options options = { .warn = see_warning, .user = &outcome };
	struct source *source = chunk_source(data, size, chunk);
	const struct tar_entry *entry;
	struct tar_reader *reader;
	int status = tar_reader_create(&reader, source, &options, &outcome.error);

	for (int i = 0; status == 0; i++) {
		status = tar_reader_next(reader, &entry, &outcome.error);
		if (status <= 0)
			break;
		see_entry(&outcome, entry);
		status = i % 3 < 2 ? see_content(&outcome, reader, entry) : 0;
	}
	if (status < 0)
		see(&outcome, outcome.error.message, strlen(outcome.error.message));
	tar_reader_close(reader);
	source_close(source);
	return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome whole = run(data, size, 0);
	size_t chunk = size % 7 == 0 ? 1 : size % 7 * 190;

	if (run(data, size, chunk).hash != whole.hash)
		abort();
	return 0;
}
