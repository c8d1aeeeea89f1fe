/* SPDX-License-Identifier: Apache-2.0 */
/* Each test runs for unnamed temporary files and for named ones, the fallback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/image_file.h"
#include "io/image_file_private.h"
#include "io/temp_file.h"
#include "temp_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

typedef int (*create_fn)(struct image_file **out, const char *folder, struct mkrootfs_error *error);

static const create_fn creates[] = { image_file_create, image_file_create_named };

#define CREATE_COUNT (sizeof(creates) / sizeof(creates[0]))

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void check_file(const char *path, const void *content, size_t len)
{
	char *got = malloc(len + 1);
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, got, len + 1), len);
	if (len > 0)
		assert_memory_equal(got, content, len);
	close(fd);
	free(got);
}

/* A file that holds text, not committed. */
static struct image_file *start(create_fn create, const char *folder, const char *text)
{
	struct mkrootfs_error error;
	struct image_file *file;

	assert_int_equal(create(&file, folder, &error), 0);
	assert_int_equal(image_file_write(file, 0, text, strlen(text), &error), 0);
	return file;
}

static void appears_with_the_commit(void **state)
{
	static const unsigned flags[] = { 0, IMAGE_FILE_REPLACE, IMAGE_FILE_NO_SYNC };
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		for (size_t j = 0; j < sizeof(flags) / sizeof(flags[0]); j++) {
			struct image_file *file;

			temp_folder_make(&folder);
			file = start(creates[i], folder.path, "content");
			assert_int_equal(access(temp_folder_path(&folder, "image"), F_OK), -1);
			assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"),
							   flags[j], &error),
					 0);
			image_file_close(file);
			check_file(temp_folder_path(&folder, "image"), "content", 7);
			assert_int_equal(temp_folder_count(&folder), 1);
			temp_folder_remove(&folder);
		}
	}
}

static void leaves_nothing_without_a_commit(void **state)
{
	struct temp_folder folder;

	(void)state;
	temp_folder_make(&folder);
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		struct image_file *file = start(creates[i], folder.path, "content");

		assert_int_equal(temp_folder_count(&folder),
				 i); /* so the kinds are what they say */
		image_file_close(file);
		assert_int_equal(temp_folder_count(&folder), 0);
	}
	image_file_close(NULL);
	temp_folder_remove(&folder);
}

static void never_clobbers(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		struct image_file *file;

		temp_folder_make(&folder);
		put_file(temp_folder_path(&folder, "image"), "old");
		file = start(creates[i], folder.path, "new");
		assert_int_equal(
			image_file_commit(file, temp_folder_path(&folder, "image"), 0, &error),
			MKROOTFS_ERROR_IO);
		assert_int_equal(error.os_errno, EEXIST);
		assert_non_null(strstr(error.message, "/image': File exists"));
		check_file(temp_folder_path(&folder, "image"), "old", 3);
		/* the file is still good for another name */
		assert_int_equal(
			image_file_commit(file, temp_folder_path(&folder, "other"), 0, &error), 0);
		image_file_close(file);
		check_file(temp_folder_path(&folder, "image"), "old", 3);
		check_file(temp_folder_path(&folder, "other"), "new", 3);
		assert_int_equal(temp_folder_count(&folder), 2);
		temp_folder_remove(&folder);
	}
}

/* Who has the old file open, or linked, keeps it. */
static void replaces_as_a_whole(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		struct image_file *file;

		temp_folder_make(&folder);
		put_file(temp_folder_path(&folder, "image"), "old");
		assert_int_equal(link(temp_folder_path(&folder, "image"),
				      temp_folder_path(&folder, "linked")),
				 0);
		file = start(creates[i], folder.path, "new and longer");
		assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"),
						   IMAGE_FILE_REPLACE, &error),
				 0);
		image_file_close(file);
		check_file(temp_folder_path(&folder, "image"), "new and longer", 14);
		check_file(temp_folder_path(&folder, "linked"), "old", 3);
		assert_int_equal(temp_folder_count(&folder), 2);
		temp_folder_remove(&folder);
	}
}

static void cleans_up_when_it_cannot_replace(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	temp_folder_make(&folder);
	assert_int_equal(mkdir(temp_folder_path(&folder, "image"), 0777), 0);
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		struct image_file *file = start(creates[i], folder.path, "new");

		assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"),
						   IMAGE_FILE_REPLACE, &error),
				 MKROOTFS_ERROR_IO);
		image_file_close(file);
		assert_int_equal(temp_folder_count(&folder), 1);
	}
	temp_folder_remove(&folder);
}

static void takes_the_mode_from_the_umask(void **state)
{
	const mode_t old = umask(027);
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct stat status;

	(void)state;
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		struct image_file *file;

		temp_folder_make(&folder);
		file = start(creates[i], folder.path, "content");
		assert_int_equal(
			image_file_commit(file, temp_folder_path(&folder, "image"), 0, &error), 0);
		image_file_close(file);
		assert_int_equal(stat(temp_folder_path(&folder, "image"), &status), 0);
		assert_int_equal(status.st_mode & 07777, 0640);
		temp_folder_remove(&folder);
	}
	umask(old);
}

static void names_the_folder_that_is_missing(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct image_file *file;

	(void)state;
	temp_folder_make(&folder);
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		assert_int_equal(creates[i](&file, "/nonexistent", &error),
				 MKROOTFS_ERROR_NOT_FOUND);
		assert_null(file);
		assert_string_equal(error.message, "create a file in '/nonexistent': "
						   "No such file or directory");
		file = start(creates[i], folder.path, "content");
		assert_int_equal(
			image_file_commit(file, temp_folder_path(&folder, "no/image"), 0, &error),
			MKROOTFS_ERROR_NOT_FOUND);
		assert_non_null(strstr(error.message, "/no/image'"));
		image_file_close(file);
	}
	assert_int_equal(temp_folder_count(&folder), 0);
	temp_folder_remove(&folder);
}

/* A relative path without a slash is a name in the working folder. */
static void commits_to_a_bare_name(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	char before[4096];

	(void)state;
	temp_folder_make(&folder);
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(folder.path), 0);
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		struct image_file *file = start(creates[i], ".", "content");

		assert_int_equal(image_file_commit(file, "image", IMAGE_FILE_REPLACE, &error), 0);
		image_file_close(file);
		check_file("image", "content", 7);
	}
	assert_int_equal(chdir(before), 0);
	assert_int_equal(temp_folder_count(&folder), 1);
	temp_folder_remove(&folder);
}

/* ---- Content ---- */

#define MODEL_SIZE (3u << 20)

/* A small generator, so that a failure can be repeated. */
static uint32_t draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

struct model {
	uint8_t *bytes;
	size_t size; /* of the file */
	size_t next; /* where a sequential writer goes on */
};

static void write_some(struct image_file *file, struct model *model, uint32_t *seed)
{
	static uint8_t data[200000];
	size_t len = draw(seed, 8) ? draw(seed, 5000) : draw(seed, sizeof(data));
	size_t at = draw(seed, 4) ? model->next : draw(seed, MODEL_SIZE);
	struct mkrootfs_error error;

	if (len > MODEL_SIZE - at)
		len = MODEL_SIZE - at;
	for (size_t i = 0; i < len; i++)
		data[i] = (uint8_t)(*seed >> 16) ^ (uint8_t)(i * 7);
	memcpy(model->bytes + at, data, len);
	if (len > 0 && at + len > model->size)
		model->size = at + len;
	model->next = (at + len) % MODEL_SIZE;
	assert_int_equal(image_file_write(file, at, data, len, &error), 0);
}

static void read_some(struct image_file *file, const struct model *model, uint32_t *seed)
{
	static uint8_t data[30000];
	size_t len = draw(seed, sizeof(data)), at = draw(seed, MODEL_SIZE);
	struct mkrootfs_error error;

	if (draw(seed, 2) && model->next > 100)
		at = model->next - 100; /* what is likely to be in the buffer */
	if (at + len > model->size)
		return;
	assert_int_equal(image_file_read(file, at, data, len, &error), 0);
	assert_memory_equal(data, model->bytes + at, len);
}

static void resize_some(struct image_file *file, struct model *model, uint32_t *seed)
{
	size_t size = draw(seed, MODEL_SIZE);
	struct mkrootfs_error error;

	if (size < model->size)
		memset(model->bytes + size, 0, model->size - size);
	model->size = size;
	assert_int_equal(image_file_resize(file, size, &error), 0);
}

static void holds_what_was_written_in_any_order(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	temp_folder_make(&folder);
	for (uint32_t round = 0; round < 20; round++) {
		struct model model = { .bytes = calloc(1, MODEL_SIZE) };
		struct image_file *file;
		uint32_t seed = round;

		assert_int_equal(creates[round % 2](&file, folder.path, &error), 0);
		for (int i = 0; i < 300; i++) {
			write_some(file, &model, &seed);
			if (draw(&seed, 3) == 0)
				read_some(file, &model, &seed);
			if (draw(&seed, 50) == 0)
				resize_some(file, &model, &seed);
		}
		assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"),
						   IMAGE_FILE_REPLACE, &error),
				 0);
		image_file_close(file);
		check_file(temp_folder_path(&folder, "image"), model.bytes, model.size);
		free(model.bytes);
	}
	temp_folder_remove(&folder);
}

static void keeps_holes_sparse(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct image_file *file;
	struct stat status;
	uint8_t zeros[4096] = { 1 };

	(void)state;
	temp_folder_make(&folder);
	file = start(image_file_create, folder.path, "start");
	assert_int_equal(image_file_write(file, 3u << 30, "end", 3, &error), 0);
	assert_int_equal(image_file_resize(file, 10ull << 30, &error), 0);
	assert_int_equal(image_file_read(file, 9ull << 30, zeros, sizeof(zeros), &error), 0);
	assert_int_equal(zeros[0], 0);
	assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"), 0, &error), 0);
	image_file_close(file);
	assert_int_equal(stat(temp_folder_path(&folder, "image"), &status), 0);
	assert_int_equal(status.st_size, 10ull << 30);
	assert_true(status.st_blocks * 512 < 1 << 20);
	temp_folder_remove(&folder);
}

static void refuses_offsets_that_no_file_has(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct image_file *file;
	uint8_t byte = 0;

	(void)state;
	temp_folder_make(&folder);
	file = start(image_file_create, folder.path, "x");
	assert_int_equal(image_file_write(file, UINT64_MAX, &byte, 1, &error), MKROOTFS_ERROR_IO);
	assert_int_equal(image_file_write(file, INT64_MAX, &byte, 1, &error), MKROOTFS_ERROR_IO);
	assert_int_equal(image_file_read(file, UINT64_MAX - 1, &byte, 1, &error),
			 MKROOTFS_ERROR_IO);
	assert_int_equal(image_file_resize(file, 1ull << 63, &error), MKROOTFS_ERROR_IO);
	assert_int_equal(image_file_read(file, 1, &byte, 1, &error), MKROOTFS_ERROR_IO);
	assert_non_null(strstr(error.message, "read 1 bytes at offset 1 of a new file in '/"));
	image_file_close(file);
	temp_folder_remove(&folder);
}

/* ---- Cleaning ---- */

static void cleans_only_what_nobody_writes(void **state)
{
	static const char *const others[] = { ".mkrootfs-", ".mkrootfs-1.tmpx", "x.mkrootfs-1.tmp",
					      "image", ".mkrootfs.tmp" };
	struct temp_folder folder;
	struct image_file *file;
	int child;

	(void)state;
	temp_folder_make(&folder);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		put_file(temp_folder_path(&folder, others[i]), "");
	assert_int_equal(symlink("image", temp_folder_path(&folder, ".mkrootfs-2-2.tmp")), 0);
	assert_int_equal(mkfifo(temp_folder_path(&folder, ".mkrootfs-3-3.tmp"), 0600), 0);
	file = start(image_file_create_named, folder.path, "alive");
	child = fork();
	if (child == 0) {
		start(image_file_create_named, folder.path, "dead");
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(temp_folder_count(&folder), 9);
	temp_file_clean(folder.path);
	assert_int_equal(temp_folder_count(&folder), 8);
	image_file_close(file);
	assert_int_equal(temp_folder_count(&folder), 7);
	temp_file_clean("/nonexistent");
	temp_folder_remove(&folder);
}

/* A child that dies between a file's creation and its commit leaves a temporary name. */
static void leave_one(struct temp_folder *folder)
{
	int child = fork();

	if (child == 0) {
		start(image_file_create_named, folder->path, "dead");
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void the_next_writer_removes_what_a_crash_left(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct image_file *file;

	(void)state;
	temp_folder_make(&folder);
	leave_one(&folder);
	assert_int_equal(temp_folder_count(&folder), 1);
	file = start(image_file_create_named, folder.path, "new");
	assert_int_equal(temp_folder_count(&folder), 1);
	image_file_close(file);
	assert_int_equal(temp_folder_count(&folder), 0);

	put_file(temp_folder_path(&folder, "image"), "old");
	leave_one(&folder);
	file = start(image_file_create, folder.path, "new");
	assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"),
					   IMAGE_FILE_REPLACE, &error),
			 0);
	image_file_close(file);
	assert_int_equal(temp_folder_count(&folder), 1);
	temp_folder_remove(&folder);
}

/* ---- No space ---- */

/* Runs in a child with mounts of its own, on a tmpfs of 1 MiB. Returns the number of the check that
 * failed, or 0. */
static int fill_disk(create_fn create, const char *path)
{
	static uint8_t block[70000]; /* goes past the buffer */
	char final[128];
	struct mkrootfs_error error;
	struct image_file *file;
	int status = 0;

	snprintf(final, sizeof(final), "%s/image", path);
	if (create(&file, path, &error) < 0)
		return 1;
	for (int i = 0; i < 40 && status == 0; i++)
		status = image_file_write(file, (uint64_t)i * sizeof(block), block, sizeof(block),
					  &error);
	if (status != MKROOTFS_ERROR_NO_SPACE || !strstr(error.message, path))
		return 2;
	if (image_file_write(file, 0, "x", 1, &error) != MKROOTFS_ERROR_NO_SPACE)
		return 3;
	if (image_file_commit(file, final, 0, &error) != MKROOTFS_ERROR_NO_SPACE)
		return 4;
	image_file_close(file);
	/* what the buffer holds fails no later than the commit */
	if (create(&file, path, &error) < 0)
		return 5;
	status = 0;
	for (int i = 0; i < 2000 && status == 0; i++)
		status = image_file_write(file, (uint64_t)i * 1000, block, 1000, &error);
	if (image_file_commit(file, final, 0, &error) != MKROOTFS_ERROR_NO_SPACE)
		return 6;
	image_file_close(file);
	/* and then there is space again */
	if (create(&file, path, &error) < 0 ||
	    image_file_write(file, 0, block, sizeof(block), &error) < 0 ||
	    image_file_commit(file, final, 0, &error) < 0)
		return 7;
	image_file_close(file);
	return 0;
}

static int fill_disk_in_child(struct temp_folder *folder)
{
	int failed;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", folder->path, "tmpfs", 0, "size=1m") < 0)
		return 99;
	for (size_t i = 0; i < CREATE_COUNT; i++) {
		failed = fill_disk(creates[i], folder->path);
		if (failed)
			return failed + 10 * (int)i;
		if (temp_folder_walk(folder, 1) != 1)
			return 50;
	}
	return 0;
}

static void says_when_the_disk_is_full(void **state)
{
	struct temp_folder folder;
	int child, result;

	(void)state;
	temp_folder_make(&folder);
	child = fork();
	if (child == 0)
		_exit(fill_disk_in_child(&folder));
	assert_int_equal(waitpid(child, &result, 0), child);
	temp_folder_remove(&folder);
	if (WIFEXITED(result) && WEXITSTATUS(result) == 99) {
		print_message("SKIPPED: no right to mount a tmpfs\n");
		skip();
	}
	assert_int_equal(result, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appears_with_the_commit),
		cmocka_unit_test(leaves_nothing_without_a_commit),
		cmocka_unit_test(never_clobbers),
		cmocka_unit_test(replaces_as_a_whole),
		cmocka_unit_test(cleans_up_when_it_cannot_replace),
		cmocka_unit_test(takes_the_mode_from_the_umask),
		cmocka_unit_test(names_the_folder_that_is_missing),
		cmocka_unit_test(commits_to_a_bare_name),
		cmocka_unit_test(holds_what_was_written_in_any_order),
		cmocka_unit_test(keeps_holes_sparse),
		cmocka_unit_test(refuses_offsets_that_no_file_has),
		cmocka_unit_test(cleans_only_what_nobody_writes),
		cmocka_unit_test(the_next_writer_removes_what_a_crash_left),
		cmocka_unit_test(says_when_the_disk_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
