/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes all over a small image are flipped, one at a time, every seventh: each flip must be found.
 * What is found in a file's data names the file.
 */
#include "random_tree.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "erofs/reader.h"
#include "erofs/seal.h"
#include "erofs/verify.h"
#include "erofs/xxh.h"

/*
 * Coprime to all sizes in the format, so that the flips fall on every field in turn. Sanitizers
 * make each one slow.
 */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(SANITIZED) || defined(__SANITIZE_ADDRESS__)
#define STEP 211u
#else
#define STEP 7u
#endif

struct found {
	unsigned problems;
	char path[300];
	char text[1024];
};

static int keep(void *user, const struct erofs_problem *problem)
{
	struct found *found = user;

	found->problems++;
	snprintf(found->text, sizeof(found->text), "%s", problem->text);
	if (problem->path)
		snprintf(found->path, sizeof(found->path), "%s", problem->path);
	return 0;
}

/* Problems of the image, at least one when it cannot even be opened. */
static uint64_t verify(struct found *found, struct erofs_verify_result *result, const char *path)
{
	const struct erofs_verify_options options = { .problem = keep,
						      .user = found,
						      .needs_seal = true };
	struct erofs_reader *reader;

	memset(found, 0, sizeof(*found));
	if (erofs_reader_open(&reader, path, &error) < 0) {
		snprintf(found->text, sizeof(found->text), "%s", error.message);
		return 1;
	}
	OK(erofs_verify(result, reader, &options, &error));
	erofs_reader_close(reader);
	return result->problems;
}

/* ---- The image ---- */

static struct tree_inode new_file(struct tree *tree)
{
	const struct tree_attributes attributes = { .mtime = 1 };
	struct tree_inode inode = { .mode = S_IFREG | 0644 };

	OK(tree_set_attributes(tree, &inode, &attributes, &error));
	return inode;
}

static void add_file(struct tree *tree, struct erofs_data *data, const char *name, size_t size,
		     int fill)
{
	struct tree_inode inode = new_file(tree);
	uint8_t *bytes = malloc(size + 1);
	uint32_t id, node;

	memset(bytes, fill, size);
	OK(erofs_data_begin(data, size, false, &error));
	OK(erofs_data_append(data, 0, bytes, size, &error));
	OK(erofs_data_end(data, &inode, &error));
	OK(tree_new_inode(tree, &id, &inode, &error));
	OK(tree_put(tree, &node, TREE_ROOT, name, strlen(name), id, &error));
	free(bytes);
}

static void add_sparse(struct tree *tree, struct erofs_data *data)
{
	struct tree_inode inode = new_file(tree);
	const uint64_t size = 64ull << 20; /* chunks of 4 blocks */
	uint32_t id, node;

	OK(erofs_data_begin(data, size, true, &error));
	OK(erofs_data_append(data, 5, (const uint8_t *)"start", 5, &error));
	OK(erofs_data_append(data, 20000, (const uint8_t *)"middle", 6, &error));
	OK(erofs_data_append(data, size - 3, (const uint8_t *)"end", 3, &error));
	OK(erofs_data_end(data, &inode, &error));
	OK(tree_new_inode(tree, &id, &inode, &error));
	OK(tree_put(tree, &node, TREE_ROOT, "sparse", 6, id, &error));
}

/* Some of everything, a content that no file has any more among it. */
static void fill(struct tree *tree, struct erofs_data *data)
{
	add_file(tree, data, "gone", 5000, 'g');
	add_file(tree, data, "gone", 3, 'n');
	add_file(tree, data, "one", 1, '1');
	add_file(tree, data, "same", 1, '1');
	add_file(tree, data, "large", 9000, 'l');
	add_file(tree, data, "zeros", 8192, 0);
	add_sparse(tree, data);
}

static void make_image(const char *path)
{
	struct tree *tree;

	state = 3;
	OK(tree_create(&tree, &error));
	write_image(path, tree, fill, 25);
	tree_free(tree);
}

/* ---- Changing it ---- */

static void flip(int fd, uint64_t at, uint8_t bits)
{
	uint8_t byte;

	assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
	byte ^= bits;
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

static void every_flip_is_found(void **unused)
{
	char path[] = "/tmp/mkrootfs-verify.XXXXXX";
	struct erofs_verify_result result;
	struct found found;
	uint64_t tried = 0, size;
	int fd = mkstemp(path);

	(void)unused;
	assert_true(fd >= 0);
	close(fd);
	make_image(path);
	assert_int_equal(verify(&found, &result, path), 0);
	assert_int_equal(result.unsealed, 0);
	fd = open(path, O_RDWR);
	size = (uint64_t)lseek(fd, 0, SEEK_END);
	for (uint64_t at = 0; at < size; at += STEP, tried++) {
		uint8_t bits = (uint8_t)(1u << at / STEP % 8);

		flip(fd, at, bits);
		if (verify(&found, &result, path) == 0)
			fail_msg("byte %llu of %llu: not found", (unsigned long long)at,
				 (unsigned long long)size);
		flip(fd, at, bits);
	}
	assert_int_equal(verify(&found, &result, path), 0);
	print_message("%llu flips, all found\n", (unsigned long long)tried);
	close(fd);
	unlink(path);
}

/* Where a text stands in the image; the first place. */
static uint64_t place_of(int fd, const char *text, size_t len)
{
	char block[EROFS_BLOCK_SIZE];

	for (uint64_t at = EROFS_BLOCK_SIZE; pread(fd, block, sizeof(block), (off_t)at) > 0;
	     at += sizeof(block)) {
		char *found = memmem(block, sizeof(block), text, len);

		if (found)
			return at + (uint64_t)(found - block);
	}
	fail_msg("'%s' is not in the image", text);
	return 0;
}

static void damage_names_the_file(void **unused)
{
	static const struct {
		const char *content;
		size_t offset;
		const char *path, *text;
	} cases[] = {
		{ "llllllll", 8999, "large", "data are damaged" },
		{ "llllllll", 12287, "large", "data are damaged" }, /* padding */
		{ "start", 0, "sparse", "data are damaged" },
		{ "middle", 3000, "sparse", "data are damaged" },
		{ "ggggg", 4000, "", "no file of this tree" },
		{ "1\0\0\0\0", 0, "same", "data are damaged" }, /* and "one", which comes before */
	};
	char path[] = "/tmp/mkrootfs-verify.XXXXXX";
	struct erofs_verify_result result;
	struct found found;
	int fd = mkstemp(path);

	(void)unused;
	assert_true(fd >= 0);
	close(fd);
	make_image(path);
	fd = open(path, O_RDWR);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t at = place_of(fd, cases[i].content, 5) + cases[i].offset;

		flip(fd, at, 0x10);
		assert_int_not_equal(verify(&found, &result, path), 0);
		assert_string_equal(found.path, cases[i].path);
		assert_non_null(strstr(found.text, cases[i].text));
		flip(fd, at, 0x10);
	}
	close(fd);
	unlink(path);
}

static void cut_and_longer_images_are_found(void **unused)
{
	char path[] = "/tmp/mkrootfs-verify.XXXXXX";
	struct erofs_verify_result result;
	struct found found;
	int fd = mkstemp(path);
	off_t size;

	(void)unused;
	close(fd);
	make_image(path);
	fd = open(path, O_RDWR);
	size = lseek(fd, 0, SEEK_END);
	for (off_t wrong = size + 5000; wrong >= 0; wrong -= 2500) {
		assert_int_equal(ftruncate(fd, wrong), 0);
		if (wrong != size)
			assert_int_not_equal(verify(&found, &result, path), 0);
	}
	close(fd);
	unlink(path);
}

/* ---- Structure behind seals that were made right again ---- */

static uint8_t *image;
static size_t image_size;

static void load_image(const char *path)
{
	int fd = open(path, O_RDONLY);

	image_size = (size_t)lseek(fd, 0, SEEK_END);
	image = malloc(image_size);
	assert_int_equal(pread(fd, image, image_size, 0), image_size);
	close(fd);
}

/* Checksums as a writer with a fault would make them. */
static void reseal(const char *path)
{
	uint32_t data_end = get_le32(image + 16), table = get_le32(image + 20);
	struct xxh3 *hash;
	int fd;

	OK(xxh3_create(&hash, &error));
	xxh3_reset(hash);
	xxh3_update(hash, image + 1152, 4096 - 1152);
	xxh3_update(hash, image + (size_t)data_end * 4096, (size_t)(table - data_end) * 4096);
	put_le64(image + 32, xxh3_digest(hash));
	xxh3_free(hash);
	put_le64(image + 40,
		 xxh3_64(image + (size_t)table * 4096, image_size - (size_t)table * 4096, 0));
	put_le64(image + 1016, xxh3_64(image, 1016, 0));
	put_le32(image + 1028, 0);
	put_le32(image + 1028, crc32c(~0u, image + 1024, 3072));
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(pwrite(fd, image, image_size, 0), image_size);
	close(fd);
}

/* The inode of a name of the root, which has few of them. */
static uint8_t *inode_of(const char *name)
{
	uint8_t *meta = image + (size_t)get_le32(image + 1024 + 40) * 4096;
	size_t len = strlen(name);

	for (uint8_t *at = meta; at + 12 < image + image_size; at++) {
		/* A dirent whose name offset leads to the name, from some start of a block. */
		uint32_t offset = get_le16(at + 8);

		for (uint8_t *block = at; block >= meta && at - block < 600; block -= 12)
			if (block + offset + len < image + image_size && at[11] == 0 &&
			    at[10] == 1 && !memcmp(block + offset, name, len) &&
			    get_le64(at) < 65536)
				return meta + get_le64(at) * 32;
	}
	fail_msg("no inode of '%s'", name);
	return NULL;
}

static void wrong_links(void)
{
	put_le16(inode_of("large") + 6, 5);
}

static void wrong_count(void)
{
	put_le64(image + 1024 + 16, get_le64(image + 1024 + 16) + 1);
}

static void other_address(void)
{
	uint8_t *inode = inode_of("large");

	put_le32(inode + 16, get_le32(inode + 16) + 1);
}

static void past_the_end(void)
{
	put_le32(inode_of("large") + 16, 1 << 20);
}

static void unknown_field(void)
{
	image[1024 + 100] = 1; /* packed_nid and what follows */
}

static void wrong_table(void)
{
	uint8_t *table = image + (size_t)get_le32(image + 20) * 4096;

	put_le32(table + 12, get_le32(table));
}

static void pipe_with_data(void)
{
	put_le16(inode_of("large") + 4, S_IFIFO | 0644);
}

static void structure_is_checked_whatever_the_seal_says(void **unused)
{
	static const struct {
		void (*change)(void);
		const char *text;
	} cases[] = {
		{ wrong_links, "1 links are counted, its inode says 5" },
		{ wrong_count, "the superblock says" },
		{ other_address, "no content of the image" },
		{ past_the_end, "outside the image" },
		{ unknown_field, "unknown fields" },
		{ wrong_table, "out of order" },
		{ pipe_with_data, "a special file has a size" },
	};
	char path[] = "/tmp/mkrootfs-verify.XXXXXX";
	struct erofs_verify_result result;
	struct found found;

	(void)unused;
	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_image(path);
		load_image(path);
		cases[i].change();
		reseal(path);
		assert_int_not_equal(verify(&found, &result, path), 0);
		if (!strstr(found.text, cases[i].text))
			fail_msg("case %zu: '%s'", i, found.text);
		free(image);
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_flip_is_found),
		cmocka_unit_test(damage_names_the_file),
		cmocka_unit_test(cut_and_longer_images_are_found),
		cmocka_unit_test(structure_is_checked_whatever_the_seal_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
