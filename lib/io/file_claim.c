/* SPDX-License-Identifier: Apache-2.0 */
#include "file_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

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

int file_claim(int fd, bool alone)
{
	int status = flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB);

	if (status == 0 || !is_busy())
		status = claim_ranges(fd, alone);
	if (status == 0 || !is_busy())
		return 0;
	errno = EWOULDBLOCK;
	return -1;
}
