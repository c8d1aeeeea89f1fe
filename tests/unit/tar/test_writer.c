/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives of the writer, as other programs read and unpack them: our own reader, Python's tarfile,
 * libarchive, GNU tar, bsdtar.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <unistd.h>

#include "tar/writer.h"
#include "tar_peer.h"
#include "tar_recipe.h"

#define JUDGE FIXTURES "/../tests/support/tar_judge.py"

static char folder[] = RECIPE_FOLDER;

/* ---- A sink that keeps all it gets ---- */

struct memory_sink {
	struct sink sink;
	struct buf data;
	size_t fails_at; /* bytes; 0: never */
};

static int memory_write(struct sink *sink, const void *data, size_t len,
			struct mkrootfs_error *error)
{
	struct memory_sink *memory = (struct memory_sink *)sink;

	if (memory->fails_at && memory->data.len + len > memory->fails_at)
		return error_set(error, MKROOTFS_ERROR_NO_SPACE, "the sink is full");
	return buf_append(&memory->data, data, len, error);
}

static struct memory_sink memory_sink(void)
{
	return (struct memory_sink){ .sink = { memory_write }, .data = BUF_INIT(1 << 30) };
}

/* ---- Entries ---- */

enum where {
	ANYWHERE,
	ON_PAPER, /* no kernel can make it */
	NOT_BSD,  /* nor can bsdtar 3.6 */
};

struct sample {
	enum where where;
	struct tar_entry entry;
	struct tar_range ranges[4];
	size_t range_count;
};

#define MAX_SAMPLES 96

static struct sample samples[MAX_SAMPLES];
static size_t sample_count;

/* Names and values live as long as the program; from here they are reached. */
struct kept {
	struct kept *next;
	char text[];
};

static char *repeat(const char *head, char c, size_t count, const char *tail)
{
	static struct kept *all;
	struct kept *kept = malloc(sizeof(*kept) + strlen(head) + count + strlen(tail) + 1);
	char *text;

	assert_non_null(kept);
	kept->next = all;
	all = kept;
	text = kept->text;
	strcpy(text, head);
	memset(text + strlen(head), c, count);
	strcpy(text + strlen(head) + count, tail);
	return text;
}

/* count bytes of components of 200. */
static char *deep(size_t count)
{
	char *text = repeat("", 'd', count, "");

	for (size_t i = 200; i + 1 < count; i += 201)
		text[i] = '/';
	return text;
}

static struct tar_entry *add(enum where where, enum tar_type type, const char *path,
			     const char *link)
{
	struct sample *sample = &samples[sample_count++];

	assert_in_range(sample_count, 1, MAX_SAMPLES);
	*sample = (struct sample){ .where = where };
	sample->entry = (struct tar_entry){ .type = type,
					    .path = path,
					    .path_len = strlen(path),
					    .link = link,
					    .link_len = strlen(link),
					    .mode = type == TAR_DIRECTORY ? 0755
						    : type == TAR_SYMLINK ? 0777
									  : 0644,
					    .mtime = 1500000000 };
	return &sample->entry;
}

static struct tar_entry *add_file(const char *path, uint64_t size)
{
	struct tar_entry *entry = add(ANYWHERE, TAR_FILE, path, "");

	entry->size = size;
	return entry;
}

static void add_xattr(struct tar_entry *entry, const char *name, const void *value, size_t len)
{
	struct tar_xattr *list =
		realloc((void *)entry->xattrs, (entry->xattr_count + 1) * sizeof(*list));

	assert_non_null(list);
	list[entry->xattr_count++] = (struct tar_xattr){ name, strlen(name), value, len };
	entry->xattrs = list;
}

static void add_time(const char *path, int64_t sec, uint32_t nsec, enum where where)
{
	struct tar_entry *entry = add_file(path, 0);

	samples[sample_count - 1].where = where;
	entry->mtime = sec;
	entry->mtime_nsec = nsec;
}

static void add_owner(const char *path, uint32_t id, enum where where)
{
	struct tar_entry *entry = add_file(path, 0);

	samples[sample_count - 1].where = where;
	entry->uid = id;
	entry->gid = id - 1;
}

static void add_device(enum tar_type type, const char *path, uint32_t major, uint32_t minor)
{
	struct tar_entry *entry = add(ANYWHERE, type, path, "");

	entry->device_major = major;
	entry->device_minor = minor;
}

static void add_sparse(const char *path, uint64_t size, const struct tar_range *ranges,
		       size_t count)
{
	struct tar_entry *entry = add_file(path, size);
	struct sample *sample = &samples[sample_count - 1];

	entry->sparse = true;
	for (size_t i = 0; i < count; i++)
		sample->ranges[i] = ranges[i];
	sample->range_count = count;
}

static void add_names(void)
{
	static const size_t lengths[] = { 99, 100, 101, 154, 155, 156, 254, 255 };
	char *n;

	add(ANYWHERE, TAR_DIRECTORY, "n", "");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		n = repeat("n/", (char)('a' + i), lengths[i] - 2, "");
		add_file(n, 1);
		add(ANYWHERE, TAR_SYMLINK, repeat("n/s", (char)('a' + i), 3, ""),
		    repeat("", 't', lengths[i], ""));
		add(ANYWHERE, TAR_HARDLINK, repeat("n/h", (char)('a' + i), 3, ""), n);
	}
	/* Prefix and name: 155, a slash, 100. One more of either does not fit. */
	add(ANYWHERE, TAR_DIRECTORY, repeat("", 'p', 155, ""), "");
	add_file(repeat(repeat("", 'p', 155, "/"), 'x', 100, ""), 3);
	add_file(repeat(repeat("", 'p', 155, "/"), 'x', 101, ""), 3);
	add(ANYWHERE, TAR_DIRECTORY, repeat(repeat("", 'p', 155, "/"), 'y', 99, ""), "");
	add(ANYWHERE, TAR_DIRECTORY, repeat(repeat("", 'p', 155, "/"), 'y', 100, ""), "");
	add(ANYWHERE, TAR_DIRECTORY, repeat("", 'p', 156, ""), "");
	add_file(repeat(repeat("", 'p', 156, "/"), 'x', 10, ""), 3);
	add_file(deep(1200), 2);
	add(ON_PAPER, TAR_FILE, deep(4096), "");
	add(ON_PAPER, TAR_SYMLINK, "far", deep(4096));
	add(ANYWHERE, TAR_SYMLINK, "near", deep(4095));
}

static void add_odd_names(void)
{
	add_file("new\nline \"quoted\" \\ back\t", 5);
	add_file("caf\xc3\xa9", 1);
	add_file("\xff\xfe latin", 1);
	add_file(" blank", 0);
	add_file("-rf", 0);
	add_file("%41=", 0);
	add(ANYWHERE, TAR_SYMLINK, "to \xff", "\xff\xfe latin");
	add_file(repeat("caf\xc3\xa9", 'u', 120, ""), 1);
	/* Bytes that are no UTF-8, in a record. */
	add_file(repeat("latin \xe9", 'l', 120, ""), 1);
	add_file(repeat("half \xe2\x82", 'h', 120, ""), 1);
	add_file(repeat("surrogate \xed\xa0\x80", 'h', 120, ""), 1);
	add(ANYWHERE, TAR_SYMLINK, "far latin", repeat("\xe9/", 'l', 120, ""));
}

static void add_numbers(void)
{
	struct tar_entry *entry = add_file("modes", 0);

	entry->mode = 07777;
	add_owner("id 21 bits", 2097151, ANYWHERE);
	add_owner("id 22 bits", 2097152, ANYWHERE);
	add_owner("id 32 bits", 0xfffffffe, ANYWHERE);
	add_time("time 0", 0, 0, ANYWHERE);
	add_time("time 1 ns", 0, 1, ANYWHERE);
	add_time("time exact", 1500000000, 123456789, ANYWHERE);
	add_time("time tenth", 1500000000, 100000000, ANYWHERE);
	add_time("time before", -1, 0, ANYWHERE);
	add_time("time 2106", 4294967296, 999999999, ANYWHERE);
	add_time("time 33 bits", 8589934591, 0, ANYWHERE);
	add_time("time 34 bits", 8589934592, 0, ON_PAPER);
	add_time("time last", INT64_MAX, 999999999, ON_PAPER);
	add_time("time first", INT64_MIN, 0, ON_PAPER);
	add_time("time half before", -1, 500000000, NOT_BSD);
	add_time("time one and a half before", -2, 500000000, NOT_BSD);
	add_time("time first and a bit", INT64_MIN, 1, ON_PAPER);
	add_device(TAR_CHARACTER, "char", 1, 3);
	add_device(TAR_CHARACTER, "char 0", 0, 0);
	add_device(TAR_BLOCK, "block", 4095, 1048575);
	add(ANYWHERE, TAR_FIFO, "fifo", "");
}

static void add_contents(void)
{
	static const uint64_t sizes[] = { 0, 1, 511, 512, 513, 131071, 131072, 262144, 1000000 };
	static const struct tar_range middle[] = { { 4096, 4096 }, { 65536, 8192 } };
	static const struct tar_range tail[] = { { 0, 512 }, { 1 << 20, 5 } };
	static const struct tar_range adjacent[] = { { 0, 512 }, { 512, 1024 } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		add_file(repeat("size", 'a', i + 1, ""), sizes[i]);
	add_sparse("holes", 1 << 20, middle, 2);
	add_sparse("one hole", 1 << 20, NULL, 0);
	add_sparse("an end", (1 << 20) + 5, tail, 2);
	add_sparse("no hole", 1536, adjacent, 2);
	add_sparse("empty", 0, NULL, 0);
	add_sparse(repeat("long holes \xff", 's', 200, ""), 1 << 20, middle, 2);
}

static void add_xattrs(void)
{
	static const uint8_t raw[] = "\0\n=\xff\n5 a=b\n";
	static const uint8_t acl[] = "\2\0\0\0\1\0\6\0\xff\xff\xff\xff\2\0\7\0\xe8\3\0\0"
				     "\4\0\4\0\xff\xff\xff\xff\20\0\7\0\xff\xff\xff\xff"
				     "\40\0\4\0\xff\xff\xff\xff";
	static const uint8_t capability[] = "\1\0\0\2\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
	struct tar_entry *entry = add_file("xattrs", 4);

	add_xattr(entry, "security.capability", capability, sizeof(capability) - 1);
	add_xattr(entry, "trusted.x", "", 0);
	add_xattr(entry, "user.empty", "", 0);
	add_xattr(entry, "user.raw", raw, sizeof(raw) - 1);
	/* bsdtar takes ACLs from their texts only. */
	entry = add(NOT_BSD, TAR_DIRECTORY, "acls", "");
	entry->mode = 0674; /* the mask's bits */
	add_xattr(entry, "system.posix_acl_access", acl, sizeof(acl) - 1);
	add_xattr(entry, "system.posix_acl_default", acl, sizeof(acl) - 1);
	/* More than most filesystems take. */
	entry = add(ON_PAPER, TAR_FILE, "large xattr", "");
	add_xattr(entry, "user.large", repeat("", '\n', 65535, ""), 65535);
	add_xattr(entry, "user.second", repeat("\xff", 'x', 65534, ""), 65535);
	for (int i = 1; i < 4; i++)
		add_xattr(entry, repeat("user.t", 'x', (size_t)i, ""), "t", 1);
}

static void add_all(void)
{
	/* bsdtar does not set the time of the folder that it unpacks into. */
	add(NOT_BSD, TAR_DIRECTORY, "", "")->mode = 01777;
	add_names();
	add_odd_names();
	add_numbers();
	add_contents();
	add_xattrs();
}

/* ---- Writing and expecting ---- */

static uint8_t byte_at(const struct sample *sample, uint64_t offset)
{
	return (uint8_t)(offset * 7 + offset / 251 + (uint64_t)(sample - samples));
}

static size_t ranges_of(struct tar_range ranges[4], const struct sample *sample)
{
	if (sample->entry.sparse) {
		memcpy(ranges, sample->ranges, sizeof(sample->ranges));
		return sample->range_count;
	}
	ranges[0] = (struct tar_range){ 0, sample->entry.size };
	return 1;
}

/* The whole file, holes as zeros. */
static struct buf content_of(const struct sample *sample)
{
	struct buf content = BUF_INIT(1 << 24);
	struct tar_range ranges[4];
	struct mkrootfs_error error;
	size_t count = ranges_of(ranges, sample);
	uint8_t *bytes;

	assert_int_equal(buf_grow(&content, &bytes, sample->entry.size, &error), 0);
	for (size_t i = 0; i < count; i++)
		for (uint64_t j = 0; j < ranges[i].len; j++)
			bytes[ranges[i].offset + j] = byte_at(sample, ranges[i].offset + j);
	return content;
}

static void write_sample(struct tar_writer *writer, const struct sample *sample, size_t piece)
{
	struct buf content = content_of(sample);
	struct tar_range ranges[4];
	struct mkrootfs_error error = { 0 };
	size_t count = ranges_of(ranges, sample);

	if (tar_writer_entry(writer, &sample->entry, sample->ranges, sample->range_count, &error) <
	    0)
		fail_msg("%s: %s", sample->entry.path, error.message);
	for (size_t i = 0; i < count; i++)
		for (uint64_t at = 0, len; at < ranges[i].len; at += len) {
			len = ranges[i].len - at < piece ? ranges[i].len - at : piece;
			assert_int_equal(tar_writer_data(writer,
							 content.data + ranges[i].offset + at, len,
							 &error),
					 0);
		}
	buf_free(&content);
}

/* Where a program is wrong, its archive is without that. */
static struct buf archive_of(enum where most, size_t piece)
{
	struct memory_sink memory = memory_sink();
	struct mkrootfs_error error = { 0 };
	struct tar_writer *writer;

	assert_int_equal(tar_writer_create(&writer, &memory.sink, &error), 0);
	for (size_t i = 0; i < sample_count; i++)
		if (most == ON_PAPER || samples[i].where == ANYWHERE || samples[i].where == most)
			write_sample(writer, &samples[i], piece);
	assert_int_equal(tar_writer_finish(writer, &error), 0);
	tar_writer_close(writer);
	return memory.data;
}

/* Appends the line that a reader should give. */
static void expect(struct buf *out, const struct sample *sample)
{
	struct tar_entry entry = sample->entry;
	struct mkrootfs_error error;
	struct digest digest;
	char hex[DIGEST_TEXT_SIZE];
	struct buf content = content_of(sample);

	if (entry.type == TAR_DIRECTORY) {
		entry.path = entry.path_len ? repeat(entry.path, '/', 1, "") : "./";
		entry.path_len = strlen(entry.path);
	}
	listing_entry(out, &entry);
	if (entry.type == TAR_FILE) {
		digest_of(&digest, DIGEST_SHA256, content.data, content.len, &error);
		digest_format_hex(hex, &digest);
		buf_printf(out, &error, " sha256=%.16s", hex);
	}
	listing_xattrs(out, &entry);
	buf_append_string(out, "\n", &error);
	buf_free(&content);
}

static struct buf expected_of(enum where most)
{
	struct buf text = BUF_INIT(64 << 20);

	for (size_t i = 0; i < sample_count; i++)
		if (most == ON_PAPER || samples[i].where == ANYWHERE || samples[i].where == most)
			expect(&text, &samples[i]);
	return text;
}

static void assert_listing(const char *who, struct buf *expected, const char *got)
{
	struct buf text = BUF_INIT(64 << 20);

	if (listing_differs(&text, (char *)expected->data, got))
		fail_msg("%s\n%s", who, (char *)text.data);
	buf_free(&text);
}

static void save(const struct buf *archive, const char *name)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(archive->data, 1, archive->len, file), archive->len);
	fclose(file);
}

/* What a command prints. */
static char *run(const char *format, ...)
{
	char command[4096], path[512];
	va_list arguments;
	size_t len;
	int used;

	snprintf(path, sizeof(path), "%s/output", folder);
	va_start(arguments, format);
	used = vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	snprintf(command + used, sizeof(command) - (size_t)used, " >'%s'", path);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
	return (char *)recipe_read_file(&len, path);
}

/* ---- Tests ---- */

static void our_reader_gets_what_was_written(void **state)
{
	struct buf archive = archive_of(ON_PAPER, 1 << 20), expected = expected_of(ON_PAPER);
	struct buf got = BUF_INIT(64 << 20);

	(void)state;
	tar_listing_by(&got, archive.data, archive.len, 1000, 1);
	assert_listing("our reader", &expected, (char *)got.data);
	assert_int_equal(archive.len % TAR_BLOCK_SIZE, 0);
	buf_free(&got);
	buf_free(&expected);
	buf_free(&archive);
}

static void pieces_do_not_matter(void **state)
{
	static const size_t pieces[] = { 1000, 4096, 131072 };
	struct buf archive = archive_of(ON_PAPER, 1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct buf other = archive_of(ON_PAPER, pieces[i]);

		assert_int_equal(other.len, archive.len);
		assert_memory_equal(other.data, archive.data, archive.len);
		buf_free(&other);
	}
	buf_free(&archive);
}

static void tarfile_gets_what_was_written(void **state)
{
	struct buf archive = archive_of(ON_PAPER, 1 << 20), expected = expected_of(ON_PAPER);
	char *got;

	(void)state;
	save(&archive, "paper.tar");
	got = run("python3 -B '%s' tarfile '%s/paper.tar'", JUDGE, folder);
	assert_listing("tarfile", &expected, got);
	free(got);
	buf_free(&expected);
	buf_free(&archive);
}

static void check_unpacked(const char *tool, enum where most)
{
	struct buf archive = archive_of(most, 1 << 20), expected = expected_of(most);
	char *got;

	if (geteuid() != 0) {
		fprintf(stderr, "SKIPPED: unpacking owners and devices needs root\n");
		skip();
	}
	save(&archive, tool);
	got = run("python3 -B '%s' %s '%s/%s' '%s/%s.unpacked'", JUDGE, tool, folder, tool, folder,
		  tool);
	assert_listing(tool, &expected, got);
	free(got);
	buf_free(&expected);
	buf_free(&archive);
}

static void gnu_tar_unpacks_what_was_written(void **state)
{
	(void)state;
	check_unpacked("gnu", NOT_BSD);
}

static void bsdtar_unpacks_what_was_written(void **state)
{
	(void)state;
	if (system("command -v bsdtar >/dev/null") != 0) {
		fprintf(stderr, "SKIPPED: no bsdtar here\n");
		skip();
	}
	check_unpacked("bsd", ANYWHERE);
}

static void libarchive_agrees(void **state)
{
	struct buf archive = archive_of(ANYWHERE, 1 << 20), ours = BUF_INIT(64 << 20);
	struct buf theirs = BUF_INIT(64 << 20);
	struct peer peer;

	(void)state;
	if (peer_open(&peer) < 0)
		skip();
	tar_listing(&ours, archive.data, archive.len, 4096);
	peer_listing(&theirs, &peer, archive.data, archive.len);
	assert_listing("libarchive", &ours, (char *)theirs.data);
	peer_close(&peer);
	buf_free(&ours);
	buf_free(&theirs);
	buf_free(&archive);
}

/* An archive of one entry without its content, and the line that our reader makes of it. */
static struct buf begun(const struct tar_entry *entry)
{
	struct memory_sink memory = memory_sink();
	struct mkrootfs_error error = { 0 };
	struct tar_writer *writer;

	assert_int_equal(tar_writer_create(&writer, &memory.sink, &error), 0);
	assert_int_equal(tar_writer_entry(writer, entry, NULL, 0, &error), 0);
	if (entry->size > 0)
		assert_int_equal(tar_writer_finish(writer, &error), MKROOTFS_ERROR_INVALID);
	else
		assert_int_equal(tar_writer_finish(writer, &error), 0);
	tar_writer_close(writer);
	return memory.data;
}

static void names_of_xattrs_are_escaped(void **state)
{
	static const char *const names[] = { "user.100%", "user.a%25b", "user.a%3Db", "user.a=b=" };
	struct tar_entry entry = { .path = "x", .path_len = 1, .link = "", .mode = 0644 };
	struct buf archive, ours = BUF_INIT(1 << 20);
	char *got;

	(void)state;
	for (int i = 0; i < 4; i++)
		add_xattr(&entry, names[i], "v", 1);
	archive = begun(&entry);
	tar_listing(&ours, archive.data, archive.len, 512);
	assert_string_equal((char *)ours.data,
			    "file x mode=0644 size=0 xattr.user.100%=\"v\" xattr.user.a%25b=\"v\""
			    " xattr.user.a%3Db=\"v\" xattr.user.a=b==\"v\"\n");
	free((void *)entry.xattrs);
	save(&archive, "escaped");
	got = run(
		"python3 -B '%s' gnu '%s/escaped' '%s/escaped.unpacked' | sed 's/ sha256=[^ ]*//'",
		JUDGE, folder, folder);
	assert_string_equal(got, (char *)ours.data);
	free(got);
	buf_free(&ours);
	buf_free(&archive);
}

static void sizes_have_no_limit_of_8_gib(void **state)
{
	static const uint64_t sizes[] = { 8589934591, 8589934592, 1ull << 61 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct tar_entry entry = {
			.path = "x", .path_len = 1, .link = "", .size = sizes[i]
		};
		struct memory_sink memory = memory_sink();
		struct tar_writer *writer;
		struct tar_reader *reader;
		const struct tar_entry *read;
		struct mkrootfs_error error = { 0 };
		struct source *source;
		static const uint8_t block[1 << 18];

		assert_int_equal(tar_writer_create(&writer, &memory.sink, &error), 0);
		assert_int_equal(tar_writer_entry(writer, &entry, NULL, 0, &error), 0);
		assert_int_equal(tar_writer_data(writer, block, sizeof(block), &error), 0);
		source = chunk_source(memory.data.data, memory.data.len, 0);
		assert_int_equal(tar_reader_create(&reader, source, NULL, &error), 0);
		assert_int_equal(tar_reader_next(reader, &read, &error), 1);
		assert_true(read->size == sizes[i]);
		assert_int_equal(tar_writer_finish(writer, &error), MKROOTFS_ERROR_INVALID);
		tar_reader_close(reader);
		source_close(source);
		tar_writer_close(writer);
		buf_free(&memory.data);
	}
}

static const struct tar_range overlapping[] = { { 0, 1024 }, { 512, 512 } };
static const struct tar_range unaligned[] = { { 0, 100 }, { 1024, 512 } };
static const struct tar_range beyond[] = { { 3584, 1024 } };
static const struct tar_range nothing[] = { { 512, 0 } };

static void refuses_what_no_archive_can_hold(void **state)
{
	const struct {
		struct tar_entry entry;
		const struct tar_range *ranges;
		size_t count;
	} bad[] = {
		{ { .path = "a\0b", .path_len = 3, .link = "" }, NULL, 0 },
		{ { .path = "", .link = "" }, NULL, 0 },
		{ { .type = TAR_SYMLINK, .path = "a", .path_len = 1, .link = "" }, NULL, 0 },
		{ { .type = TAR_FIFO, .path = "a", .path_len = 1, .link = "", .size = 1 },
		  NULL,
		  0 },
		{ { .path = "a", .path_len = 1, .link = "", .size = UINT64_MAX }, NULL, 0 },
		{ { .path = "a", .path_len = 70000, .link = "" }, NULL, 0 },
		{ { .path = "a", .path_len = 1, .link = "", .size = 4096, .sparse = true },
		  overlapping,
		  2 },
		{ { .path = "a", .path_len = 1, .link = "", .size = 4096, .sparse = true },
		  unaligned,
		  2 },
		{ { .path = "a", .path_len = 1, .link = "", .size = 4096, .sparse = true },
		  beyond,
		  1 },
		{ { .path = "a", .path_len = 1, .link = "", .size = 4096, .sparse = true },
		  nothing,
		  1 },
	};
	struct memory_sink memory = memory_sink();
	struct mkrootfs_error error = { 0 };
	struct tar_writer *writer;

	(void)state;
	assert_int_equal(tar_writer_create(&writer, &memory.sink, &error), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (tar_writer_entry(writer, &bad[i].entry, bad[i].ranges, bad[i].count, &error) !=
		    MKROOTFS_ERROR_INVALID)
			fail_msg("%zu was taken", i);
	/* Nothing of them came through. */
	assert_int_equal(tar_writer_finish(writer, &error), 0);
	assert_int_equal(memory.data.len, 2 * TAR_BLOCK_SIZE);
	tar_writer_close(writer);
	buf_free(&memory.data);
}

static void content_and_size_must_agree(void **state)
{
	const struct tar_entry entry = { .path = "x", .path_len = 1, .link = "", .size = 10 };
	struct memory_sink memory = memory_sink();
	struct mkrootfs_error error = { 0 };
	struct tar_writer *writer;

	(void)state;
	assert_int_equal(tar_writer_create(&writer, &memory.sink, &error), 0);
	assert_int_equal(tar_writer_entry(writer, &entry, NULL, 0, &error), 0);
	assert_int_equal(tar_writer_data(writer, "0123456789a", 11, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(tar_writer_data(writer, "01234", 5, &error), 0);
	assert_int_equal(tar_writer_entry(writer, &entry, NULL, 0, &error), MKROOTFS_ERROR_INVALID);
	assert_non_null(strstr(error.message, "5 bytes"));
	tar_writer_close(writer);
	buf_free(&memory.data);
}

static void errors_of_the_sink_come_through(void **state)
{
	const struct tar_entry entry = { .path = "x", .path_len = 1, .link = "", .size = 1 << 20 };
	struct memory_sink memory = memory_sink();
	struct mkrootfs_error error = { 0 };
	struct tar_writer *writer;
	static const uint8_t content[1 << 20];

	(void)state;
	memory.fails_at = 1000;
	assert_int_equal(tar_writer_create(&writer, &memory.sink, &error), 0);
	assert_int_equal(tar_writer_entry(writer, &entry, NULL, 0, &error), 0);
	assert_int_equal(tar_writer_data(writer, content, sizeof(content), &error),
			 MKROOTFS_ERROR_NO_SPACE);
	assert_string_equal(error.message, "the sink is full");
	tar_writer_close(writer);
	buf_free(&memory.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_reader_gets_what_was_written),
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(tarfile_gets_what_was_written),
		cmocka_unit_test(libarchive_agrees),
		cmocka_unit_test(gnu_tar_unpacks_what_was_written),
		cmocka_unit_test(bsdtar_unpacks_what_was_written),
		cmocka_unit_test(names_of_xattrs_are_escaped),
		cmocka_unit_test(sizes_have_no_limit_of_8_gib),
		cmocka_unit_test(refuses_what_no_archive_can_hold),
		cmocka_unit_test(content_and_size_must_agree),
		cmocka_unit_test(errors_of_the_sink_come_through),
	};
	int failed;

	setlocale(LC_ALL, "C.UTF-8");
	if (!recipe_available())
		return 0;
	assert(mkdtemp(folder));
	add_all();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	recipe_remove(folder);
	return failed;
}
