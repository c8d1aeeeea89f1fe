/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of a caller: files, memfds and, where the machine lets us, a block device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/image_file.h"
#include "temp_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

static void check_content(int fd, const char *content, size_t len)
{
	char got[64];

	assert_int_equal(pread(fd, got, sizeof(got), 0), len);
	assert_memory_equal(got, content, len);
}

static void write_into(int fd)
{
	struct mkrootfs_error error;
	struct image_file *file;

	assert_int_equal(write(fd, "old content", 11), 11);
	assert_int_equal(image_file_borrow(&file, fd, &error), 0);
	assert_int_equal(image_file_write(file, 2, "new", 3, &error), 0);
	assert_int_equal(image_file_commit(file, NULL, 0, &error), 0);
	image_file_close(file);
	check_content(fd, "\0\0new", 5);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 11); /* the caller's position stays */
}

static void writes_into_files_and_memfds(void **state)
{
	struct temp_folder folder;
	int fd = memfd_create("image", MFD_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	write_into(fd);
	close(fd);
	temp_folder_make(&folder);
	fd = open(temp_folder_path(&folder, "image"), O_RDWR | O_CREAT, 0600);
	write_into(fd);
	close(fd);
	temp_folder_remove(&folder);
}

static void refuses_what_it_cannot_write_at_random(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct image_file *file;
	int ends[2], fd;

	(void)state;
	temp_folder_make(&folder);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(image_file_borrow(&file, ends[1], &error), MKROOTFS_ERROR_INVALID);
	assert_null(file);
	assert_non_null(strstr(error.message, "neither a regular file nor a block device"));
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(image_file_borrow(&file, ends[1], &error), MKROOTFS_ERROR_IO);
	assert_int_equal(error.os_errno, EBADF);

	fd = open(temp_folder_path(&folder, "image"), O_WRONLY | O_CREAT, 0600);
	assert_int_equal(image_file_borrow(&file, fd, &error), MKROOTFS_ERROR_INVALID);
	close(fd);
	fd = open(temp_folder_path(&folder, "image"), O_RDWR | O_APPEND);
	assert_int_equal(image_file_borrow(&file, fd, &error), MKROOTFS_ERROR_INVALID);
	assert_non_null(strstr(error.message, "not for appending"));
	close(fd);
	temp_folder_remove(&folder);
}

/* ---- A block device ---- */

#define DEVICE_SIZE (4u << 20)
#define IMAGE_SIZE (3u << 20)

struct device {
	int backing;
	int fd;
};

/* Another test may take the free device first: that one is to be tried again. */
static bool take_free_device(struct device *device)
{
	int control = open("/dev/loop-control", O_RDWR);
	bool taken = false;

	for (int i = 0; control >= 0 && i < 100 && !taken; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));
		device->fd = open(path, O_RDWR);
		if (device->fd < 0)
			break;
		taken = ioctl(device->fd, LOOP_SET_FD, device->backing) == 0;
		if (!taken) {
			close(device->fd);
			usleep(10000);
		}
	}
	close(control);
	return taken;
}

/* A loop device over a file full of 0xff; false without the right to make one. */
static bool make_device(struct device *device)
{
	static uint8_t ones[DEVICE_SIZE];

	memset(ones, 0xff, sizeof(ones));
	device->backing = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	assert_int_equal(write(device->backing, ones, sizeof(ones)), sizeof(ones));
	if (take_free_device(device))
		return true;
	close(device->backing);
	return false;
}

static void free_device(struct device *device)
{
	ioctl(device->fd, LOOP_CLR_FD, 0);
	close(device->fd);
	close(device->backing);
}

/* Zero but for the two pieces; behind the image the old content. */
static void check_device(int fd)
{
	static uint8_t got[DEVICE_SIZE], wanted[DEVICE_SIZE];

	memset(wanted, 0xff, sizeof(wanted));
	memset(wanted, 0, IMAGE_SIZE);
	memcpy(wanted + 1000001, "first", 5);
	memcpy(wanted + 5, "last", 4);
	assert_int_equal(pread(fd, got, sizeof(got), 0), sizeof(got));
	assert_memory_equal(got, wanted, sizeof(got));
}

static void zeroes_the_holes_of_a_device(void **state)
{
	struct mkrootfs_error error;
	struct image_file *file;
	struct device device = { -1, -1 };
	uint8_t byte;

	(void)state;
	if (!make_device(&device)) {
		print_message("SKIPPED: no right to make a loop device\n");
		skip();
	}
	assert_int_equal(image_file_borrow(&file, device.fd, &error), 0);
	assert_int_equal(image_file_write(file, 1000001, "first", 5, &error), 0);
	assert_int_equal(image_file_write(file, 5, "last", 4, &error), 0);
	assert_int_equal(image_file_resize(file, IMAGE_SIZE, &error), 0);
	assert_int_equal(image_file_read(file, IMAGE_SIZE - 1, &byte, 1, &error), 0);
	assert_int_equal(byte, 0);
	assert_int_equal(image_file_commit(file, NULL, 0, &error), 0);
	image_file_close(file);
	check_device(device.fd);

	assert_int_equal(image_file_borrow(&file, device.fd, &error), 0);
	assert_int_equal(image_file_write(file, DEVICE_SIZE - 1, "xy", 2, &error),
			 MKROOTFS_ERROR_NO_SPACE);
	assert_int_equal(image_file_resize(file, DEVICE_SIZE + 1, &error), MKROOTFS_ERROR_NO_SPACE);
	image_file_close(file);
	free_device(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_into_files_and_memfds),
		cmocka_unit_test(refuses_what_it_cannot_write_at_random),
		cmocka_unit_test(zeroes_the_holes_of_a_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
