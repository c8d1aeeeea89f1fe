/* SPDX-License-Identifier: Apache-2.0 */
#include "resize.h"

#include "../ext4/grow.h"
#include "../io/file_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int claim(int fd, struct mkrootfs_error *error)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set_errno(error, errno, "stat");
	if (!S_ISREG(st.st_mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "this is no regular file");
	if (file_claim(fd, true) == 0)
		return 0;
	error_set(error, MKROOTFS_ERROR_IO, "another process uses it");
	error->os_errno = EBUSY;
	return error_advise(error, "a running machine's filesystem grows in its guest, by "
				   "resize2fs(8), when its disk was made larger");
}

int resize_upper(struct mkrootfs_resized *resized, const char *path, uint64_t size,
		 struct mkrootfs_error *error)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), status;
	struct ext4_disk disk = { .fd = fd };
	struct ext4_grown grown = { 0 };

	if (fd < 0)
		return error_set_errno(error, errno, "open '%s'", path);
	status = claim(fd, error);
	if (status == 0)
		status = ext4_grow(&disk, &grown, size, error);
	close(fd);
	*resized = (struct mkrootfs_resized){ grown.before, grown.after };
	return status < 0 ? error_prefix(error, "'%s': ", path) : 0;
}
