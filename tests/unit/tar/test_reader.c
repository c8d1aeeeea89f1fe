/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader promises besides what it reads: skipping, lending, limits, failures, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>

#include "chunk_source.h"
#include "tar/header.h"
#include "tar/reader.h"

/* ---- Archives, made here: plain files in ustar headers ---- */

static uint8_t *append_header(uint8_t *out, const char *name, uint64_t size)
{
	unsigned sum = 0;

	memset(out, 0, TAR_BLOCK_SIZE);
	memcpy(out, name, strlen(name));
	memcpy(out + 100, "0000644", 8);
	snprintf((char *)out + 124, 12, "%011" PRIo64, size);
	out[156] = '0';
	memcpy(out + 257, "ustar\00000", 8);
	memset(out + 148, ' ', 8);
	for (size_t i = 0; i < TAR_BLOCK_SIZE; i++)
		sum += out[i];
	snprintf((char *)out + 148, 8, "%06o", sum);
	return out + TAR_BLOCK_SIZE;
}

static uint8_t *append_file(uint8_t *out, const char *name, uint8_t fill, size_t size)
{
	size_t padded = (size + TAR_BLOCK_SIZE - 1) / TAR_BLOCK_SIZE * TAR_BLOCK_SIZE;

	out = append_header(out, name, size);
	memset(out, 0, padded);
	memset(out, fill, size);
	return out + padded;
}

/* Three files of 1,000, 0 and 2,000 bytes, and the end. */
static size_t three_files(uint8_t *out)
{
	uint8_t *end = append_file(out, "a", 'a', 1000);

	end = append_file(end, "b", 'b', 0);
	end = append_file(end, "c", 'c', 2000);
	memset(end, 0, 1024);
	return (size_t)(end - out) + 1024;
}

struct opened {
	struct source *source;
	struct tar_reader *reader;
	struct mkrootfs_error error;
	const struct tar_entry *entry;
	struct tar_data data;
};

static void open_reader(struct opened *o, struct source *source,
			const struct tar_reader_options *options)
{
	o->source = source;
	assert_int_equal(tar_reader_create(&o->reader, source, options, &o->error), 0);
}

static void close_reader(struct opened *o)
{
	tar_reader_close(o->reader);
	source_close(o->source);
}

static int next(struct opened *o)
{
	return tar_reader_next(o->reader, &o->entry, &o->error);
}

static int data(struct opened *o)
{
	return tar_reader_data(o->reader, &o->data, &o->error);
}

/* ---- Tests ---- */

static void skips_what_was_not_read(void **state)
{
	uint8_t archive[8192];
	size_t len = three_files(archive);
	struct opened o;

	(void)state;
	for (size_t chunk = 1; chunk < 3000; chunk += 97) {
		open_reader(&o, chunk_source(archive, len, chunk), NULL);
		assert_int_equal(next(&o), 1);
		assert_string_equal(o.entry->path, "a");
		assert_int_equal(data(&o), 0); /* only one piece of it */
		assert_int_equal(o.data.data[0], 'a');
		assert_int_equal(next(&o), 1);
		assert_string_equal(o.entry->path, "b");
		assert_int_equal(data(&o), 0);
		assert_int_equal(o.data.len, 0);
		assert_int_equal(next(&o), 1);
		assert_string_equal(o.entry->path, "c");
		assert_int_equal(next(&o), 0);
		assert_null(o.entry);
		assert_int_equal(next(&o), 0);
		assert_int_equal(data(&o), 0);
		assert_int_equal(o.data.len, 0);
		close_reader(&o);
	}
}

/* Content is lent from the source's own chunk, at its place there. */
static void lends_without_copying(void **state)
{
	uint8_t archive[8192];
	size_t len = three_files(archive);
	struct opened o;

	(void)state;
	open_reader(&o, chunk_source(archive, len, 0), NULL);
	assert_int_equal(next(&o), 1);
	assert_int_equal(data(&o), 0);
	assert_int_equal(o.data.len, 1000);
	assert_ptr_equal(o.data.data, ((struct chunk_source *)o.source)->lent + TAR_BLOCK_SIZE);
	assert_int_equal(data(&o), 0);
	assert_int_equal(o.data.len, 0);
	close_reader(&o);
}

static void leaves_what_follows_the_end(void **state)
{
	uint8_t archive[16384];
	size_t len = three_files(archive);
	const uint8_t *rest;
	size_t rest_len;
	struct opened o;

	(void)state;
	memset(archive + len, 'x', sizeof(archive) - len);
	open_reader(&o, chunk_source(archive, sizeof(archive), 512), NULL);
	while (next(&o) > 0)
		;
	assert_int_equal(source_next(o.source, &rest, &rest_len, &o.error), 0);
	assert_int_equal(rest_len, 512);
	assert_int_equal(rest[0], 'x');
	assert_int_equal(((struct chunk_source *)o.source)->len, sizeof(archive) - len - 512);
	close_reader(&o);
}

static void keeps_the_first_failure(void **state)
{
	uint8_t archive[8192];
	struct opened o;

	(void)state;
	three_files(archive);
	open_reader(&o, chunk_source(archive, 1000, 0), NULL);
	assert_int_equal(next(&o), 1);
	assert_int_equal(data(&o), 0);
	assert_int_equal(o.data.len, 488);
	for (int i = 0; i < 3; i++) {
		memset(&o.error, 0, sizeof(o.error));
		assert_int_equal(i == 1 ? next(&o) : data(&o), MKROOTFS_ERROR_MALFORMED);
		assert_null(o.entry = i == 1 ? o.entry : NULL);
		assert_string_equal(o.error.message,
				    "tar entry 'a': the archive ends inside its content: "
				    "512 of 1000 bytes are missing");
	}
	close_reader(&o);
}

/* At whatever byte the source fails: its own error comes out, never a wrong entry or end. */
static void passes_on_failures_of_the_source(void **state)
{
	uint8_t archive[8192];
	size_t len = three_files(archive);
	struct opened o;

	(void)state;
	for (size_t cut = 0; cut < len - 1; cut += 61) {
		int status;

		open_reader(&o, chunk_source_failing(archive, cut, 333), NULL);
		while ((status = next(&o)) > 0)
			;
		assert_int_equal(status, MKROOTFS_ERROR_IO);
		assert_non_null(strstr(o.error.message, "the chunk source fails"));
		close_reader(&o);
	}
}

static void limits_entries(void **state)
{
	const struct tar_reader_options options = { .max_entries = 2 };
	uint8_t archive[8192];
	size_t len = three_files(archive);
	struct opened o;

	(void)state;
	open_reader(&o, chunk_source(archive, len, 0), &options);
	assert_int_equal(next(&o), 1);
	assert_int_equal(next(&o), 1);
	assert_int_equal(next(&o), MKROOTFS_ERROR_LIMIT);
	assert_string_equal(o.error.message, "tar entry 'c': more than 2 entries (limits.entries)");
	close_reader(&o);
}

/* ---- A file of 5 GiB, from a source that lends one piece of memory again and again ---- */

struct endless {
	struct source source;
	uint8_t head[TAR_BLOCK_SIZE];
	uint64_t left; /* bytes behind the header */
	bool started;
};

static uint8_t endless_piece[1 << 20];

static int endless_next(struct source *source, const uint8_t **out, size_t *len,
			struct mkrootfs_error *error)
{
	struct endless *endless = (struct endless *)source;

	(void)error;
	*out = endless->started ? endless_piece : endless->head;
	*len = endless->started ? sizeof(endless_piece) : TAR_BLOCK_SIZE;
	if (endless->started && *len > endless->left)
		*len = endless->left;
	endless->left -= endless->started ? *len : 0;
	endless->started = true;
	return 0;
}

static void endless_close(struct source *source)
{
	(void)source;
}

static void counts_beyond_32_bits(void **state)
{
	static const struct source_ops ops = { .next = endless_next, .close = endless_close };
	const uint64_t size = UINT64_C(5) << 30;
	struct endless endless = { .left = size };
	struct opened o;
	uint64_t end = 0;

	(void)state;
	source_init(&endless.source, &ops);
	append_header(endless.head, "large", size);
	open_reader(&o, &endless.source, NULL);
	assert_int_equal(next(&o), 1);
	assert_true(o.entry->size == size);
	while (data(&o) == 0 && o.data.len > 0) {
		assert_true(o.data.offset == end);
		end += o.data.len;
	}
	assert_true(end == size);
	assert_int_equal(next(&o), 0);
	close_reader(&o);
}

/* ---- Memory ---- */

/* Of AddressSanitizer; absent in other builds. */
__attribute__((weak)) int
__sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					  void (*on_free)(const volatile void *));

static size_t allocations;

static void count_malloc(const volatile void *at, size_t size)
{
	(void)at;
	(void)size;
	allocations++;
}

static void ignore_free(const volatile void *at)
{
	(void)at;
}

static void takes_no_memory_per_entry(void **state)
{
	const size_t count = 1000;
	uint8_t *archive = malloc((count * 2 + 2) * TAR_BLOCK_SIZE), *end = archive;
	struct opened o;
	size_t before;

	(void)state;
	if (!__sanitizer_install_malloc_and_free_hooks) {
		free(archive);
		skip();
	}
	for (size_t i = 0; i < count; i++) {
		char name[64];

		snprintf(name, sizeof(name), "folder/file-%zu", i);
		end = append_file(end, name, 'x', 100);
	}
	open_reader(&o, chunk_source(archive, (size_t)(end - archive), 0), NULL);
	for (int i = 0; i < 10; i++)
		assert_int_equal(next(&o), 1);
	__sanitizer_install_malloc_and_free_hooks(count_malloc, ignore_free);
	before = allocations;
	for (size_t i = 10; i < count; i++) {
		if (next(&o) != 1 || data(&o) != 0)
			fail();
	}
	assert_int_equal(allocations, before);
	free(malloc(1));
	assert_int_equal(allocations, before + 1); /* so the hook counts */
	close_reader(&o);
	free(archive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skips_what_was_not_read),
		cmocka_unit_test(lends_without_copying),
		cmocka_unit_test(leaves_what_follows_the_end),
		cmocka_unit_test(keeps_the_first_failure),
		cmocka_unit_test(passes_on_failures_of_the_source),
		cmocka_unit_test(limits_entries),
		cmocka_unit_test(counts_beyond_32_bits),
		cmocka_unit_test(takes_no_memory_per_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
