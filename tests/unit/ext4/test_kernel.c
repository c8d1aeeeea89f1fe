/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images under a kernel's ext4 and overlayfs: mounted, used, filled, cut off in the middle. Needs
 * root and loop devices, and skips without.
 */
#include "tools.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = { "mount", "lower", "merged" };

static int kernel_setup(void **state)
{
	int status = folder_setup(state);

	for (size_t i = 0; status == 0 && i < sizeof(folders) / sizeof(*folders); i++)
		status = mkdir(folders[i], 0755);
	return status;
}

/* After a test, whatever became of it. */
static int unmount_all(void **state)
{
	(void)state;
	umount2("merged", MNT_DETACH);
	umount2("mount", MNT_DETACH);
	return 0;
}

static bool try_mount(const char *image)
{
	return run_tool("mount", "-t", "ext4", "-o", "loop", image, "mount") == 0;
}

/* Whether this process may mount, and attach loop devices; no image of ours is asked. */
static bool can_mount(void)
{
	struct ext4_options options = test_options(8 * MIB);
	bool attached;

	run_tool("modprobe", "-q", "ext4");
	if (run_tool("grep", "-qw", "ext4", "/proc/filesystems") != 0 ||
	    run_tool("mount", "-t", "tmpfs", "probe", "mount") != 0 ||
	    run_tool("umount", "mount") != 0)
		return false;
	write_image("probe.img", &options);
	attached = run_tool("losetup", "-f", "--show", "probe.img") == 0;
	tools_output[strcspn(tools_output, "\n")] = '\0';
	return attached && run_tool("losetup", "-d", strdupa(tools_output)) == 0;
}

static void need_mounts(void)
{
	static int answer = -1;

	need(geteuid() == 0, "mounting needs root");
	need(have_tool("e2fsck"), "no e2fsck");
	if (answer < 0)
		answer = can_mount();
	need(answer, "this process may not mount, or there is no loop device or no ext4");
}

static void mount_image(const char *image)
{
	if (!try_mount(image))
		fail_msg("%s", tools_output);
}

static void unmount(const char *name)
{
	run_ok("umount", name);
}

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

static void assert_file(const char *name, const char *text)
{
	char bytes[100] = "";
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		fail_msg("%s is not there", name);
	assert_true(read(fd, bytes, sizeof(bytes) - 1) >= 0);
	close(fd);
	assert_string_equal(bytes, text);
}

static void assert_absent(const char *name)
{
	assert_int_not_equal(access(name, F_OK), 0);
}

static void test_mounts_every_kind(void **state)
{
	static const uint64_t sizes[] = { 8 * MIB, 128 * MIB + 4 * MIB, GIB, 10 * GIB, TIB };

	(void)state;
	need_mounts();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct ext4_options options = test_options(sizes[i]);
		const char *image = "kind.img";

		write_image(image, &options);
		mount_image(image);
		write_file("mount/upper/f", "first");
		unmount("mount");
		assert_clean(image);
		mount_image(image);
		assert_file("mount/upper/f", "first");
		unmount("mount");
		assert_clean(image);
	}
}

static void mount_overlay(void)
{
	char options[1000];

	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s", "lower",
		 "mount/upper", "mount/work");
	run_ok("mount", "-t", "overlay", "-o", options, "overlay", "merged");
}

static void test_overlay(void **state)
{
	struct ext4_options options = test_options(64 * MIB);
	const char *image = "overlay.img";

	(void)state;
	need_mounts();
	need(run_tool("grep", "-qw", "overlay", "/proc/filesystems") == 0, "no overlayfs here");
	write_image(image, &options);
	write_file("lower/kept", "lower");
	write_file("lower/changed", "lower");
	write_file("lower/removed", "lower");
	mount_image(image);
	mount_overlay();
	assert_absent("merged/lost+found");
	write_file("merged/changed", "upper");
	write_file("merged/added", "upper");
	assert_int_equal(unlink("merged/removed"), 0);
	assert_int_equal(mkdir("merged/folder", 0700), 0);
	assert_int_equal(rename("merged/added", "merged/folder/moved"), 0);
	unmount("merged");
	unmount("mount");
	assert_clean(image);

	mount_image(image);
	mount_overlay();
	assert_file("merged/kept", "lower");
	assert_file("merged/changed", "upper");
	assert_file("merged/folder/moved", "upper");
	assert_absent("merged/removed");
	unmount("merged");
	unmount("mount");
	assert_clean(image);
}

/* Writes one file until nothing more fits; returns its size. */
static uint64_t fill(const char *name)
{
	static char bytes[1 << 16];
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	uint64_t size = 0;
	ssize_t written;

	assert_true(fd >= 0);
	memset(bytes, 'x', sizeof(bytes));
	while ((written = write(fd, bytes, sizeof(bytes))) > 0)
		size += (uint64_t)written;
	fsync(fd);
	close(fd);
	return size;
}

/* All blocks but metadata and the journal's 4 MiB are for files. */
static void test_full(void **state)
{
	struct ext4_options options = test_options(64 * MIB);
	const char *image = "full.img";

	(void)state;
	need_mounts();
	write_image(image, &options);
	mount_image(image);
	assert_true(fill("mount/upper/big") > 54 * MIB);
	unmount("mount");
	assert_clean(image);
	mount_image(image);
	assert_int_equal(unlink("mount/upper/big"), 0);
	assert_true(fill("mount/upper/again") > 54 * MIB);
	assert_int_equal(unlink("mount/upper/again"), 0);
	unmount("mount");
	assert_clean(image);
}

/* One inode for 16 KiB: 4096 of them, 13 of which are in use. */
static void test_all_inodes(void **state)
{
	struct ext4_options options = test_options(64 * MIB);
	const char *image = "inodes.img";
	char name[64];
	int made = 0;

	(void)state;
	need_mounts();
	write_image(image, &options);
	mount_image(image);
	for (;; made++) {
		int fd;

		snprintf(name, sizeof(name), "mount/upper/%d", made);
		fd = open(name, O_WRONLY | O_CREAT, 0644);
		if (fd < 0)
			break;
		close(fd);
	}
	unmount("mount");
	assert_int_equal(made, 4096 - 13);
	assert_clean(image);
}

static bool wants_recovery(const char *image)
{
	run_ok("dumpe2fs", "-h", image);
	return strstr(tools_output, "needs_recovery") != NULL;
}

/* What the disk would hold, were the guest cut off now: two copies of the image in use. */
static void copy_while_in_use(const char *image)
{
	mount_image(image);
	assert_int_equal(mkdir("mount/upper/d", 0755), 0);
	for (int i = 0; i < 200; i++) {
		char name[64];

		snprintf(name, sizeof(name), "mount/upper/d/%d", i);
		write_file(name, "kept");
	}
	run_ok("cp", "--sparse=always", image, "crash1.img");
	run_ok("cp", "--sparse=always", image, "crash2.img");
	unmount("mount");
}

static void test_crash(void **state)
{
	struct ext4_options options = test_options(300 * MIB);
	const char *image = "running.img";

	(void)state;
	need_mounts();
	need(have_tool("dumpe2fs"), "no dumpe2fs");
	write_image(image, &options);
	assert_false(wants_recovery(image));
	copy_while_in_use(image);

	assert_true(wants_recovery("crash1.img"));
	assert_true(run_tool("e2fsck", "-fy", "crash1.img") <= 1);
	assert_output_has("recovering journal");
	assert_clean("crash1.img");

	assert_true(wants_recovery("crash2.img"));
	mount_image("crash2.img");
	assert_file("mount/upper/d/0", "kept");
	assert_file("mount/upper/d/199", "kept");
	unmount("mount");
	assert_clean("crash2.img");
}

/* A block device that held something else: not a byte of it may be left. */
static void test_device_with_old_bytes(void **state)
{
	struct ext4_options options = test_options(16 * MIB);
	static uint8_t junk[1 << 20];
	char device[64];
	int fd;

	(void)state;
	need_mounts();
	write_image("clean.img", &options);
	memset(junk, 0xff, sizeof(junk));
	fd = open("device.img", O_WRONLY | O_CREAT, 0600);
	for (int i = 0; i < 16; i++)
		assert_int_equal(write(fd, junk, sizeof(junk)), sizeof(junk));
	close(fd);
	run_ok("losetup", "-f", "--show", "device.img");
	snprintf(device, sizeof(device), "%.*s", (int)strcspn(tools_output, "\n"), tools_output);
	write_image(device, &options);
	run_ok("sync", device);
	run_ok("losetup", "-d", device);
	run_ok("cmp", "device.img", "clean.img");
}

/* Growing while mounted; the kernel asks for a privilege that containers often lack. */
static void test_resizes_online(void **state)
{
	struct ext4_options options = test_options(4 * GIB);
	const char *image = "online.img";
	int status;

	(void)state;
	need_mounts();
	need(have_tool("resize2fs"), "no resize2fs");
	write_image(image, &options);
	assert_int_equal(truncate(image, (off_t)(30 * GIB)), 0);
	mount_image(image);
	write_file("mount/upper/f", "before");
	run_ok("findmnt", "-no", "SOURCE", "mount");
	tools_output[strcspn(tools_output, "\n")] = '\0';
	status = run_tool("resize2fs", strdupa(tools_output));
	need(status == 0 || !strstr(tools_output, "Permission denied"),
	     "this process may not resize filesystems (CAP_SYS_RESOURCE)");
	assert_int_equal(status, 0);
	assert_output_has("is now 7864320 (4k) blocks long");
	write_file("mount/upper/g", "behind");
	unmount("mount");
	assert_clean(image);
	mount_image(image);
	assert_file("mount/upper/f", "before");
	assert_file("mount/upper/g", "behind");
	unmount("mount");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_mounts_every_kind, unmount_all),
		cmocka_unit_test_teardown(test_overlay, unmount_all),
		cmocka_unit_test_teardown(test_full, unmount_all),
		cmocka_unit_test_teardown(test_all_inodes, unmount_all),
		cmocka_unit_test_teardown(test_crash, unmount_all),
		cmocka_unit_test_teardown(test_device_with_old_bytes, unmount_all),
		cmocka_unit_test_teardown(test_resizes_online, unmount_all),
	};

	return cmocka_run_group_tests(tests, kernel_setup, folder_teardown);
}
