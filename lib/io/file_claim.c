/* SPDX-License-Identifier: Apache-2.0 */
#include "file_claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_DEVICES "/sys/block"

#ifdef F_OFD_SETLK
/*
 * QEMU takes read locks only, on bytes that say what it does with the file and what others may: one
 * that writes keeps others from a write lock, which is what a test must ask for.
 */
static int claim_ranges(int fd, bool alone)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (alone)
		return fcntl(fd, F_OFD_SETLK, &lock);
	if (fcntl(fd, F_OFD_GETLK, &lock) < 0)
		return -1;
	if (lock.l_type != F_UNLCK) {
		errno = EWOULDBLOCK;
		return -1;
	}
	lock = (struct flock){ .l_type = F_RDLCK, .l_whence = SEEK_SET };
	return fcntl(fd, F_OFD_SETLK, &lock);
}
#else
static int claim_ranges(int fd, bool alone)
{
	(void)fd;
	(void)alone;
	return 0;
}
#endif

static bool is_busy(void)
{
	return errno == EWOULDBLOCK || errno == EAGAIN || errno == EACCES;
}

/* The first line of a file of sysfs; false when there is none. */
static bool read_line(char *line, size_t size, const char *device, const char *name)
{
	char path[PATH_MAX];
	FILE *file;
	bool got;

	snprintf(path, sizeof(path), BLOCK_DEVICES "/%s/%s", device, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	got = fgets(line, (int)size, file) != NULL;
	fclose(file);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

static bool is_behind(const char *device, const struct stat *file, bool alone)
{
	char path[PATH_MAX], read_only[16];
	struct stat st;

	if (strncmp(device, "loop", 4) != 0 ||
	    !read_line(path, sizeof(path), device, "loop/backing_file") || stat(path, &st) < 0 ||
	    st.st_dev != file->st_dev || st.st_ino != file->st_ino)
		return false;
	return alone || !read_line(read_only, sizeof(read_only), device, "ro") || *read_only != '1';
}

/* The host's own mounts hold no lock, but go through a loop device. */
static bool has_loop_device(int fd, bool alone)
{
	DIR *devices = opendir(BLOCK_DEVICES);
	struct dirent *entry;
	struct stat st;
	bool found = false;

	if (!devices)
		return false;
	if (fstat(fd, &st) == 0)
		while (!found && (entry = readdir(devices)))
			found = is_behind(entry->d_name, &st, alone);
	closedir(devices);
	return found;
}

int file_claim(int fd, bool alone)
{
	int status = flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB);

	if (status == 0 || !is_busy())
		status = claim_ranges(fd, alone);
	if ((status == 0 || !is_busy()) && !has_loop_device(fd, alone))
		return 0;
	errno = EWOULDBLOCK;
	return -1;
}
